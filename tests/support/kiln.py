"""A scripted tool that reads a kiln, a store that keeps rows, and the ledger between them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.evidence import Chunk, LogEvent, Scope, SourceFile, Status, ToolOutput
from superbiz.graph.domain.ids import InvocationId, SessionId, TaskId
from superbiz.graph.domain.plan import Language, ToolCall
from superbiz.graph.domain.record import Invocation, Origin
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.ports import Budgets, Ports, Roles
from superbiz.nodes.ledger import Ledger
from support.row_store import RowStore
from support.script import AT, FixedClock, Here, Query, ScriptedExecutor, ScriptedPlanner

ORIGIN = Origin(session_id=SessionId("s1"), turn=1, round=1, task_id=TaskId("t1"))
INQUIRY = Inquiry(
    session_id=ORIGIN.session_id, turn=1, original_query="?", language=Language.EN, as_of=AT, evidence="here"
)
SOURCE = SourceFile(path="logs/kiln.log", bytes=9, sha256="0" * 64)


@dataclass
class KilnStore(RowStore):
    """Keeps the rows of calls as the database does: a finished row is not begun again."""

    rows: tuple[Invocation, ...] = ()
    kept: dict[InvocationId, Invocation] = field(default_factory=dict)

    async def begin(self, row: Invocation) -> Invocation:
        known = self.kept.get(row.invocation_id)
        if known is None or known.success is None:
            known = self.kept[row.invocation_id] = row
        return known

    async def finish(self, row: Invocation) -> None:
        assert self.kept[row.invocation_id].success in (None, row.success)
        self.kept[row.invocation_id] = row


@dataclass
class KilnTool:
    """Does what a test says for the text of a query, else finds one event; keeps what it was asked."""

    behaviour: Callable[[str], ToolOutput] | None = None
    hang: bool = False
    name: str = "query_kiln"
    description: str = "reads a kiln"
    evidence_bearing: bool = True
    arguments: type[Query] = Query
    runs: list[str] = field(default_factory=list)
    at_once: list[int] = field(default_factory=lambda: [0, 0])
    """Runs now, and the most there were."""
    started: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, arguments: Query, as_of: datetime) -> ToolOutput:
        assert as_of == AT
        self.runs.append(arguments.text)
        self.started.set()
        self.at_once[0] += 1
        self.at_once[1] = max(self.at_once)
        await (asyncio.Event().wait() if self.hang else asyncio.sleep(0))
        self.at_once[0] -= 1
        return self.behaviour(arguments.text) if self.behaviour else events(arguments.text)


def events(*texts: str) -> ToolOutput:
    found = (LogEvent(source=SOURCE.path, line=n, end_line=n, text=text) for n, text in enumerate(texts, 1))
    return ToolOutput(status=Status.OK, records=tuple(found), scope=Scope(sources=(SOURCE,)))


def chunks(names: str) -> ToolOutput:
    found = (Chunk(source="k.md", line=1, heading="Kiln", chunk_id=name, score=1.0, text=name) for name in names)
    return ToolOutput(status=Status.OK, records=tuple(found))


def ask(text: JsonValue = "hot", tool: str = "query_kiln", **more: JsonValue) -> ToolCall:
    arguments: JsonObject = {"text": text, **more}
    return ToolCall(tool_name=tool, arguments=arguments)


def opened(
    tool: KilnTool,
    store: KilnStore | None = None,
    *,
    origin: Origin = ORIGIN,
    branch: int = 0,
    budgets: Budgets | None = None,
    earlier: tuple[Invocation, ...] = (),
) -> Ledger:
    roles = Roles(planner=ScriptedPlanner([]), executor=ScriptedExecutor([]))
    ports = Ports(store or KilnStore(), Here(), {tool.name: tool}, roles, FixedClock(), budgets or Budgets())
    return Ledger(ports, INQUIRY, origin, branch, earlier)


def raising(error: Exception) -> Callable[[str], ToolOutput]:
    def behaviour(text: str) -> ToolOutput:
        raise error

    return behaviour
