"""Time travel: whoever goes on from an old checkpoint writes rows of their own, and what was there stays (P5)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot

from superbiz.graph.build import build_graph, recursion_limit
from superbiz.graph.context import Context
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Plan
from superbiz.graph.domain.record import Invocation
from superbiz.graph.ports import Ports, Store
from superbiz.graph.state import DiagnosisInput, DiagnosisOutput, DiagnosisState
from superbiz.store.checkpoints import open_checkpointer
from superbiz.store.open import open_store
from support.script import TRUE, UNPROVEN, LogTool, ScriptedExecutor, contract, looking, scripted_ports

pytestmark = pytest.mark.requirement("P5")

Graph = CompiledStateGraph[DiagnosisState, Context, DiagnosisInput, DiagnosisOutput]
SESSION = SessionId("s-fork")
THREAD: RunnableConfig = {"configurable": {"thread_id": SESSION}}
QUESTION: DiagnosisInput = {"question": "billing-api 为什么报错？"}


class Thread:
    """A session of two rounds that ended, the tool that it used, and ways to go back in it."""

    def __init__(self, store: Store, graph: Graph, tool: LogTool) -> None:
        self.store, self.graph, self.tool = store, graph, tool

    async def go(self, given: DiagnosisInput | None, at: RunnableConfig, plans: list[Plan], texts: list[str]) -> Ports:
        """Run on from there, with a script that must be used up."""
        ports = scripted_ports(self.store, list(plans), list(texts), tool=self.tool)
        config: RunnableConfig = {**at, "recursion_limit": recursion_limit(ports.budgets)}
        await self.graph.ainvoke(given, config, context=Context(ports=ports), durability="sync")
        assert isinstance(ports.roles.executor, ScriptedExecutor)
        assert ports.roles.executor.texts == []
        return ports

    async def before(self, node: str, round: int) -> StateSnapshot:
        """The checkpoint of the first run from which that node went on."""
        found = [one async for one in self.graph.aget_state_history(THREAD) if one.next == (node,)]
        return [one for one in found if one.values["round"] == round][-1]  # They come latest first.

    async def rows(self, turn: int = 1) -> dict[tuple[int, int], tuple[Invocation, ...]]:
        """By round and branch."""
        found = await self.store.turn_invocations(SESSION, turn)
        return {
            place: tuple(row for row in found if (row.round, row.branch) == place)
            for place in sorted({(row.round, row.branch) for row in found})
        }

    async def state(self) -> dict[str, Any]:
        return dict((await self.graph.aget_state(THREAD)).values)


@asynccontextmanager
async def opened(path: Path, tool: LogTool) -> AsyncIterator[Thread]:
    url = f"sqlite:///{path}"
    async with open_store(url) as store, open_checkpointer(url) as saver:
        yield Thread(store, build_graph().compile(checkpointer=saver), tool)


@pytest.fixture
async def thread(tmp_path: Path) -> AsyncIterator[Thread]:
    async with opened(tmp_path / "s.db", LogTool()) as made:
        await made.go(QUESTION, THREAD, [looking("a"), looking("b", "fail")], [contract(UNPROVEN), contract(TRUE)])
        assert [(place, len(rows)) for place, rows in (await made.rows()).items()] == [((1, 0), 1), ((2, 0), 2)]
        yield made


def ids(rows: tuple[Invocation, ...]) -> list[str]:
    return [row.invocation_id for row in rows]


async def test_another_plan_in_an_old_checkpoint_runs_on_a_branch_of_its_own(thread: Thread) -> None:
    first = await thread.rows()
    old = await thread.before("executor", 1)
    fork = await thread.graph.aupdate_state(old.config, {"plan": looking("other")}, as_node="planner")
    await thread.go(None, fork, [], [contract(TRUE)])
    rows = await thread.rows()
    assert {place: rows[place] for place in first} == first
    assert rows.keys() - first.keys() == {(1, 1)}
    assert [row.arguments for row in rows[1, 1]] == [{"text": "other"}]
    assert list((await thread.state())["invocation_ids"]) == ids(rows[1, 1])


async def test_a_finished_node_replayed_runs_its_calls_again_under_new_ids(thread: Thread) -> None:
    """The same plan: an id that did not tell branches apart would give back the first run's rows."""
    first = await thread.rows()
    await thread.go(None, (await thread.before("executor", 1)).config, [], [contract(TRUE)])
    rows = await thread.rows()
    assert {place: rows[place] for place in first} == first
    assert [row.arguments for row in rows[1, 1]] == [row.arguments for row in first[1, 0]]
    assert not set(ids(rows[1, 1])) & set(ids(first[1, 0]))
    assert thread.tool.runs == ["a", "b", "fail", "a"]


async def test_a_fork_of_round_two_keeps_round_one(thread: Thread) -> None:
    first = await thread.rows()
    await thread.go(None, (await thread.before("executor", 2)).config, [], [contract(TRUE)])
    rows = await thread.rows()
    assert {place: rows[place] for place in first} == first
    assert rows.keys() - first.keys() == {(2, 1)}
    assert list((await thread.state())["invocation_ids"]) == [*ids(first[1, 0]), *ids(rows[2, 1])]


async def test_what_comes_after_the_calls_replays_without_any(thread: Thread) -> None:
    """From the verifiers on: the same rows, the same state, the same answer."""
    first, state, turn = await thread.rows(), await thread.state(), await thread.store.turn(SESSION)
    await thread.go(None, (await thread.before("evidence", 2)).config, [], [])
    assert await thread.rows() == first
    assert await thread.state() == state
    assert await thread.store.turn(SESSION) == turn
    assert thread.tool.runs == ["a", "b", "fail"]


async def test_every_fork_counts_one_up(thread: Thread) -> None:
    old = await thread.before("executor", 2)
    for _ in range(3):
        await thread.go(None, old.config, [], [contract(TRUE)])
    assert [place for place, _ in (await thread.rows()).items()] == [(1, 0), (2, 0), (2, 1), (2, 2), (2, 3)]


async def test_a_fork_of_an_earlier_turn_leaves_the_later_one_alone(thread: Thread) -> None:
    """Rows and record of turn two stay, and the session goes on showing it (P1)."""
    old = await thread.before("executor", 1)
    await thread.go(QUESTION, THREAD, [looking("c")], [contract(TRUE)])
    second = await thread.rows(2), await thread.store.turn(SESSION, 2)
    shown = await thread.store.session(SESSION)
    assert second[1] is not None
    assert shown is not None
    assert shown.self_evaluation == second[1].self_evaluation
    await thread.go(None, old.config, [], [contract(TRUE)])
    assert (await thread.rows(2), await thread.store.turn(SESSION, 2)) == second
    assert (1, 1) in await thread.rows(1)
    after = await thread.store.session(SESSION)
    assert after is not None
    assert after.self_evaluation == shown.self_evaluation
