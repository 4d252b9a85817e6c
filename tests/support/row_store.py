"""A store of given rows, for tests of nodes that only read rows and write `self_evaluation`; refuses anything else."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NoReturn

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.ids import InvocationId, SessionId
from superbiz.graph.domain.record import Invocation, Origin
from superbiz.graph.domain.session import Inquiry, Session, Turn, TurnEnd
from superbiz.graph.reducers import merge_evaluations


def _refuse() -> NoReturn:
    raise AssertionError("this node has no business with that")


@dataclass
class RowStore:
    """Implements `Store`; rows are given by id, evaluations are merged as the database does."""

    rows: tuple[Invocation, ...]
    evaluation: JsonObject | None = None
    asked: list[tuple[SessionId, tuple[InvocationId, ...]]] = field(default_factory=list)

    async def invocations(self, session_id: SessionId, ids: tuple[InvocationId, ...]) -> tuple[Invocation, ...]:
        self.asked.append((session_id, ids))
        known = {row.invocation_id: row for row in self.rows}
        return tuple(known[id] for id in ids if id in known)

    async def merge_evaluation(self, inquiry: Inquiry, patch: JsonObject, now: datetime) -> None:
        self.evaluation = merge_evaluations(self.evaluation, patch)

    async def branch(self, origin: Origin) -> int:
        _refuse()

    async def begin(self, row: Invocation) -> Invocation:
        _refuse()

    async def finish(self, row: Invocation) -> None:
        _refuse()

    async def turn_invocations(self, session_id: SessionId, turn: int) -> tuple[Invocation, ...]:
        _refuse()

    async def session(self, session_id: SessionId) -> Session | None:
        _refuse()

    async def open_turn(self, inquiry: Inquiry, now: datetime) -> None:
        _refuse()

    async def turn(self, session_id: SessionId, number: int | None = None) -> Turn | None:
        _refuse()

    async def turns(self, session_id: SessionId) -> tuple[Turn, ...]:
        _refuse()

    async def end_turn(self, inquiry: Inquiry, end: TurnEnd, now: datetime) -> None:
        _refuse()

    async def interrupt_turn(self, inquiry: Inquiry, now: datetime) -> None:
        _refuse()
