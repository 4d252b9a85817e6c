"""A run that was stopped anywhere and resumed ends as a straight one; a fork writes rows of its own (P4, P5)."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.runtime import RunControl

from superbiz.graph.build import build_graph, recursion_limit
from superbiz.graph.context import Context
from superbiz.graph.domain.answer import TurnStatus
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Plan
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.session import Turn
from superbiz.graph.entry.run import run_turn
from superbiz.graph.errors import NotFoundError
from superbiz.graph.ports import Ports, Store
from superbiz.graph.state import DiagnosisInput
from superbiz.store.checkpoints import open_checkpointer
from superbiz.store.open import open_store
from support.script import INVENTED, TRUE, UNPROVEN, LogTool, ScriptedExecutor, contract, looking, scripted_ports

SESSION = SessionId("s-resume")
QUESTION: DiagnosisInput = {"question": "billing-api 为什么报错？"}

PATHS: dict[str, tuple[list[Plan], list[str], int]] = {
    "two rounds": (
        [looking("a", "fail"), looking("b", "nothing")],
        [contract(TRUE, UNPROVEN, "情况 77 ms。"), contract(TRUE, UNPROVEN)],
        13,
    ),
    "pass": ([looking("a")], [contract(TRUE)], 7),
    "reject": ([looking("a")], [contract(TRUE, INVENTED)], 7),
    "clarify": ([Plan(clarify=True)], [], 2),
}
"""Plans, texts, and how many nodes run."""


class Ended(NamedTuple):
    state: dict[str, Any]
    turn: Turn
    rows: tuple[Invocation, ...]
    runs: list[str]


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[tuple[Store, BaseCheckpointSaver[Any]]]:
    url = f"sqlite:///{path}"
    async with open_store(url) as store, open_checkpointer(url) as saver:
        yield store, saver


class World:
    """A file, and one script that every attempt goes on with: work that is done twice would exhaust it."""

    def __init__(self, path: Path, name: str) -> None:
        plans, texts, self.nodes = PATHS[name]
        self.path = path
        self._plans, self._texts, self._tool = list(plans), list(texts), LogTool()

    def ports(self, store: Store) -> Ports:
        ports = scripted_ports(store, self._plans, self._texts, tool=self._tool)
        assert isinstance(ports.roles.executor, ScriptedExecutor)
        return ports

    async def run(
        self, given: DiagnosisInput | None, on_step: Callable[[str, bool], None], control: RunControl | None = None
    ) -> Turn:
        """A fresh process, as far as store and checkpointer can tell."""
        async with opened(self.path) as (store, saver):
            return await run_turn(self.ports(store), saver, SESSION, given, on_step=on_step, control=control)

    async def ended(self) -> Ended:
        async with opened(self.path) as (store, saver):
            graph = build_graph().compile(checkpointer=saver)
            state = await graph.aget_state({"configurable": {"thread_id": SESSION}})
            assert state.next == ()
            turn = await store.turn(SESSION)
            assert turn is not None
            return Ended(dict(state.values), turn, await store.turn_invocations(SESSION, 1), self._tool.runs)


def quiet(node: str, ended: bool) -> None:
    pass


STRAIGHT: dict[str, Ended] = {}


async def straight(path: Path, name: str) -> Ended:
    """How the path ends without a stop: the clock stands still, so once is enough for all tests."""
    if name not in STRAIGHT:
        world = World(path, name)
        await world.run(QUESTION, quiet)
        STRAIGHT[name] = await world.ended()
    return STRAIGHT[name]


# A drain takes hold one step later: after the last but one there is nothing left to hold back.
PLACES = [(name, place) for name, (_, _, nodes) in PATHS.items() for place in range(1, nodes - 1)]


@pytest.mark.requirement("P4", "P5")
@pytest.mark.parametrize(("name", "place"), PLACES)
async def test_a_run_that_was_drained_after_any_node_resumes_to_the_same_end(
    tmp_path: Path, name: str, place: int
) -> None:
    world, control = World(tmp_path / "stopped.db", name), RunControl()
    done: list[str] = []

    def drain(node: str, ended: bool) -> None:
        done.extend([node] if ended else [])
        if len(done) == place:
            control.request_drain()

    stopped = await world.run(QUESTION, drain, control)
    assert stopped.status is TurnStatus.INTERRUPTED
    await world.run(None, quiet)
    assert await world.ended() == await straight(tmp_path / "straight.db", name)


class Killed(Exception):
    """Ends a run from outside, without any chance to tidy up inside it."""


@pytest.mark.requirement("P4", "P5")
@pytest.mark.parametrize(("name", "place"), [("two rounds", place) for place in range(1, 13)])
async def test_a_run_that_was_cut_off_at_any_node_resumes_to_the_same_end(
    tmp_path: Path, name: str, place: int
) -> None:
    world = World(tmp_path / "cut.db", name)
    done: list[str] = []

    def cut(node: str, ended: bool) -> None:
        done.extend([node] if ended else [])
        if len(done) == place:
            raise Killed

    with pytest.raises(Killed):
        await world.run(QUESTION, cut)
    await world.run(None, quiet)
    assert await world.ended() == await straight(tmp_path / "straight.db", name)


async def test_the_paths_have_as_many_nodes_as_the_tests_stop_at(tmp_path: Path) -> None:
    for number, (name, (_, _, nodes)) in enumerate(PATHS.items()):
        done: list[str] = []
        await World(tmp_path / f"{number}.db", name).run(QUESTION, lambda node, ended, done=done: done.append(node))  # type: ignore[misc]
        assert len(done) == 2 * nodes, name


async def test_there_is_nothing_to_resume_after_the_end(tmp_path: Path) -> None:
    world = World(tmp_path / "s.db", "pass")
    await world.run(QUESTION, quiet)
    with pytest.raises(NotFoundError, match="no interrupted turn"):
        await world.run(None, quiet)


@pytest.mark.requirement("P5")
async def test_a_fork_writes_rows_of_its_own(tmp_path: Path) -> None:
    """From before the executor on, again: the first run's rows stay as they were, the fork's have another branch."""
    world = World(tmp_path / "s.db", "pass")
    await world.run(QUESTION, quiet)
    before = await world.ended()
    async with opened(tmp_path / "s.db") as (store, saver):
        graph = build_graph().compile(checkpointer=saver)
        config: RunnableConfig = {"configurable": {"thread_id": SESSION}}
        (old,) = [one async for one in graph.aget_state_history(config) if one.next == ("executor",)]
        fork = await graph.aupdate_state(old.config, {"plan": looking("other")}, as_node="planner")
        ports = scripted_ports(store, [], [contract(TRUE)])
        limit = recursion_limit(ports.budgets)
        await graph.ainvoke(None, {**fork, "recursion_limit": limit}, context=Context(ports=ports))
        rows = await store.turn_invocations(SESSION, 1)
        state = (await graph.aget_state(config)).values
    assert rows[: len(before.rows)] == before.rows
    (own,) = rows[len(before.rows) :]
    assert (own.branch, own.round, own.arguments) == (1, 1, {"text": "other"})
    assert tuple(state["invocation_ids"]) == (own.invocation_id,)
