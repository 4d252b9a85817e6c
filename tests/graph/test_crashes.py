"""A node that dies at its worst moment: its calls are kept, and a resume runs none of them twice (P4, P5)."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import pytest

from superbiz.graph.build import build_graph
from superbiz.graph.domain.answer import TurnStatus
from superbiz.graph.domain.evidence import ToolOutput
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.tasks import ExecuteTask, VerifierInput
from superbiz.graph.entry.run import run_turn
from superbiz.graph.ports import CallTool, Ports, Store
from superbiz.graph.state import DiagnosisInput
from superbiz.store.checkpoints import open_checkpointer
from superbiz.store.open import open_store
from support.script import TRUE, UNPROVEN, LogTool, Query, ScriptedExecutor, contract, looking, scripted_ports

pytestmark = pytest.mark.requirement("P4", "P5")

SESSION = SessionId("s-crash")
QUESTION: DiagnosisInput = {"question": "billing-api 为什么报错？"}


class Crash(Exception):
    """What no code of ours expects."""


@dataclass
class CrashingExecutor(ScriptedExecutor):
    """Makes all calls of a round, then dies in the rounds named, once each."""

    rounds: list[int] = field(default_factory=list)

    async def execute(self, task: ExecuteTask, call: CallTool) -> str:
        if task.round in self.rounds:
            self.rounds.remove(task.round)
            for planned in task.plan.calls:
                await call(planned)
            raise Crash
        return await super().execute(task, call)


@dataclass
class CrashingJudge:
    """Has nothing to say, and dies the first few times that it is asked."""

    crashes: int

    async def judge(self, given: VerifierInput) -> str | None:
        if self.crashes:
            self.crashes -= 1
            raise Crash
        return None


@dataclass
class HangingTool(LogTool):
    """Answers, but for the query `hang`, which hangs the first time."""

    hanging: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, arguments: Query, as_of: datetime) -> ToolOutput:
        if arguments.text == "hang" and not self.hanging.is_set():
            self.hanging.set()
            await asyncio.Event().wait()
        return await super().run(arguments, as_of)


class World:
    """A file and a script of two rounds; every run is a fresh process, as far as store and checkpointer can tell."""

    def __init__(self, path: Path, first: str = "a") -> None:
        self.path = path
        self.tool = HangingTool()
        self.plans = [looking(first, "fail"), looking("b", "nothing")]
        self.executor = CrashingExecutor([contract(UNPROVEN), contract(TRUE)])
        self.judge = CrashingJudge(0)

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path}"

    def ports(self, store: Store) -> Ports:
        ports = scripted_ports(store, self.plans, [], tool=self.tool)
        return replace(ports, roles=replace(ports.roles, executor=self.executor, judge=self.judge))

    async def run(self, given: DiagnosisInput | None = None) -> TurnStatus:
        async with open_store(self.url) as store, open_checkpointer(self.url) as saver:
            return (await run_turn(self.ports(store), saver, SESSION, given)).status

    async def crashes(self, given: DiagnosisInput | None = None) -> None:
        with pytest.raises(Crash):
            await self.run(given)
        async with open_store(self.url) as store:
            turn = await store.turn(SESSION)
        assert turn is not None
        assert turn.status is TurnStatus.INTERRUPTED

    async def ended(self) -> object:
        """The state, the turn and the the rows."""
        async with open_store(self.url) as store, open_checkpointer(self.url) as saver:
            graph = build_graph().compile(checkpointer=saver)
            state = await graph.aget_state({"configurable": {"thread_id": SESSION}})
            rows = await store.turn_invocations(SESSION, 1)
            return dict(state.values), state.next, await store.turn(SESSION), rows


@pytest.fixture
async def straight(tmp_path: Path) -> object:
    world = World(tmp_path / "straight.db")
    assert await world.run(QUESTION) is TurnStatus.ANSWERED
    return await world.ended()


@pytest.mark.parametrize("rounds", [[1], [2], [1, 2], [1, 1, 2, 2]])
async def test_an_executor_that_dies_after_its_calls(tmp_path: Path, straight: object, rounds: list[int]) -> None:
    world = World(tmp_path / "s.db")
    world.executor.rounds = list(rounds)
    await world.crashes(QUESTION)
    for _ in rounds[1:]:
        await world.crashes()
    assert await world.run() is TurnStatus.ANSWERED
    assert await world.ended() == straight
    assert world.tool.runs == ["a", "fail", "b", "nothing"]


async def test_a_judge_that_dies_beside_the_evaluator(tmp_path: Path, straight: object) -> None:
    """The evaluator has ended by then, or not: what it wrote is neither lost nor doubled."""
    world = World(tmp_path / "s.db")
    world.judge.crashes = 2
    await world.crashes(QUESTION)
    await world.crashes()
    assert await world.run() is TurnStatus.ANSWERED
    assert await world.ended() == straight
    assert world.tool.runs == ["a", "fail", "b", "nothing"]


async def test_a_call_that_is_cut_off_runs_again_in_the_same_row(tmp_path: Path) -> None:
    """Its row says that it never ended; the ones beside it are not run again."""
    world, plain = World(tmp_path / "s.db", "hang"), World(tmp_path / "straight.db", "hang")
    plain.tool.hanging.set()
    await plain.run(QUESTION)
    running = asyncio.create_task(world.run(QUESTION))
    await world.tool.hanging.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    async with open_store(world.url) as store:
        before = await store.turn_invocations(SESSION, 1)
        turn = await store.turn(SESSION)
    assert [(row.arguments, row.success) for row in before] == [({"text": "hang"}, None)]
    assert turn is not None
    assert turn.status is TurnStatus.INTERRUPTED
    assert await world.run() is TurnStatus.ANSWERED
    assert await world.ended() == await plain.ended()
    assert world.tool.runs == ["hang", "fail", "b", "nothing"]
