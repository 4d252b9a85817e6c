"""The tool `current_time`: a helper, not evidence (T3)."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from superbiz.graph.domain.evidence import Aggregates, Status, Tally, ToolOutput
from superbiz.graph.domain.times import show_time
from superbiz.graph.ports import Clock


class NoArguments(BaseModel):
    """Nothing to say."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CurrentTime:
    """Implements `Tool` of `graph.ports`."""

    name = "current_time"
    description = "The current time in UTC, and the moment that the question is judged at."
    evidence_bearing = False
    arguments = NoArguments

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def run(self, arguments: NoArguments, as_of: datetime) -> ToolOutput:
        """Two tallies: `now` and `as_of`."""
        tallies = tuple(
            Tally(name=name, value=show_time(moment), count=1)
            for name, moment in (("now", self._clock.now()), ("as_of", as_of))
        )
        return ToolOutput(status=Status.OK, aggregates=Aggregates(tallies=tallies))
