"""The world as the machine sees it: small Protocols for the store, tools, evidence, roles and the clock.

Nodes get them through `runtime.context`; nothing here imports LangGraph, a model or a database.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from superbiz.graph.domain.answer import Material
from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.evidence import ToolOutput
from superbiz.graph.domain.ids import InvocationId, SessionId
from superbiz.graph.domain.plan import Language, Plan, ToolCall
from superbiz.graph.domain.record import Invocation, Origin
from superbiz.graph.domain.session import Inquiry, Session, Turn, TurnEnd
from superbiz.graph.domain.tasks import Catalog, ExecuteTask, PlanTask, VerifierInput

ArgumentsT = TypeVar("ArgumentsT", bound=BaseModel)

CallTool = Callable[[ToolCall], Awaitable[Invocation]]
"""Runs one call through the ledger and returns its finished row; never raises for a failed call."""


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> datetime:
        """The moment, with a zone."""
        ...

    def monotonic(self) -> float:
        """Seconds from some start, never going back."""
        ...


class Tool(Protocol[ArgumentsT]):
    """Something that answers a query. `arguments` is also the schema that a model is shown."""

    name: str
    description: str
    evidence_bearing: bool
    arguments: type[ArgumentsT]

    async def run(self, arguments: ArgumentsT, as_of: datetime) -> ToolOutput:
        """Answer the query. Raises ToolError; must not block the event loop."""
        ...


class EvidenceSource(Protocol):
    """Where tools look."""

    location: str
    """What a person calls it, e.g. the directory's path."""

    def as_of(self) -> datetime | None:
        """The moment the evidence was taken, when the source knows it."""
        ...

    async def catalog(self) -> Catalog:
        """What there is to look at."""
        ...


class InvocationStore(Protocol):
    """Rows of `tool_invocation` (P5)."""

    async def branch(self, origin: Origin) -> int:
        """Number of this task among the tasks that ran this turn and round: 0 for the first, one more for each fork."""
        ...

    async def begin(self, row: Invocation) -> Invocation:
        """Write the row of a call that starts.

        A row with that id that is finished already comes back as it is and must not be run again; an unfinished one
        (its process died) takes the new attempt and start and comes back running.
        """
        ...

    async def finish(self, row: Invocation) -> None:
        """Write how the call ended. Writing the same end twice changes nothing."""
        ...

    async def invocations(self, session_id: SessionId, ids: tuple[InvocationId, ...]) -> tuple[Invocation, ...]:
        """The rows with these ids in this session, in the order asked for; unknown ids are left out."""
        ...

    async def turn_invocations(self, session_id: SessionId, turn: int) -> tuple[Invocation, ...]:
        """All rows of a turn, every branch, in the order of round, branch, start and id."""
        ...


class SessionStore(Protocol):
    """Rows of `diagnosis_session` and `diagnosis_turn` (P1, P2)."""

    async def session(self, session_id: SessionId) -> Session | None:
        """The session, or None."""
        ...

    async def open_turn(self, inquiry: Inquiry, now: datetime) -> None:
        """Create the session when it is new, and the turn. Opening a turn that exists changes nothing."""
        ...

    async def turn(self, session_id: SessionId, number: int | None = None) -> Turn | None:
        """That turn, or the latest one."""
        ...

    async def turns(self, session_id: SessionId) -> tuple[Turn, ...]:
        """All turns, first to last."""
        ...

    async def merge_evaluation(self, inquiry: Inquiry, patch: JsonObject, now: datetime) -> None:
        """Merge channels into the turn's and the session's `self_evaluation`, atomically in the database (P1)."""
        ...

    async def end_turn(self, inquiry: Inquiry, end: TurnEnd, now: datetime) -> None:
        """Write the answer, and set the status to the answer's."""
        ...

    async def interrupt_turn(self, inquiry: Inquiry, now: datetime) -> None:
        """Mark a running turn as interrupted; an ended turn stays as it is."""
        ...


class Store(InvocationStore, SessionStore, Protocol):
    """Everything that is remembered but the checkpoints. Whoever opened it closes it (`open_store`)."""


class PlannerRole(Protocol):
    """Decides what to look at."""

    async def plan(self, task: PlanTask) -> Plan:
        """The calls of one round."""
        ...


class ExecutorRole(Protocol):
    """Runs the plan's calls and states claims."""

    async def execute(self, task: ExecuteTask, call: CallTool) -> str:
        """The raw final text: the V2 contract as JSON when all goes well."""
        ...


class JudgeRole(Protocol):
    """Proposes labels; code clamps them (V11)."""

    async def judge(self, given: VerifierInput) -> str | None:
        """The raw reply, or None when there is none."""
        ...


class ComposerRole(Protocol):
    """Words the answer; the guard reads it before anyone else (C5)."""

    async def compose(self, material: Material, language: Language) -> str | None:
        """The text, or None to use the template."""
        ...


@dataclass(frozen=True)
class Roles:
    """Who plays what. A judge or composer of None means: code and templates alone."""

    planner: PlannerRole
    executor: ExecutorRole
    judge: JudgeRole | None = None
    composer: ComposerRole | None = None


@dataclass(frozen=True)
class Budgets:
    """The named limits of a turn."""

    rounds: int = 2
    calls_per_round: int = 24
    concurrent_calls: int = 4
    call_seconds: float = 60.0
    output_bytes: int = 32 * 1024 * 1024
    summary_bytes: int = 24 * 1024
    entry_bytes: int = 8 * 1024


@dataclass(frozen=True)
class Ports:
    """The whole world of one run."""

    store: Store
    evidence: EvidenceSource
    tools: Mapping[str, Tool[Any]]
    roles: Roles
    clock: Clock
    budgets: Budgets = field(default_factory=Budgets)
    language: Language = Language.ZH
    """Used when the input names none."""
