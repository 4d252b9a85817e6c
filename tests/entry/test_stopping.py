"""Ctrl-C at any moment: exit 130, never another turn's answer, and the session goes on to the same end (P4, P5)."""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.runtime import RunControl

from superbiz.graph.domain.evidence import ToolOutput
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Language, Plan
from superbiz.graph.domain.session import Turn
from superbiz.graph.domain.tasks import PlanTask
from superbiz.graph.entry import world
from superbiz.graph.entry.run import OnStep, run_turn
from superbiz.graph.ports import Ports, Store
from superbiz.graph.state import DiagnosisInput
from superbiz.nodes.planning.role import DeterministicPlanner
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.query_logs import LogQuery, QueryLogs
from superbiz.nodes.tools.source import DirectorySource
from support.shell import Superbiz

QUESTION = "账单服务为什么报错？"
SESSION = ("--session", "s-stopped")
Change = Callable[[Ports], Ports]


async def _interrupt(times: int) -> None:
    """What a person does at the keyboard, as often as said."""
    for _ in range(times):
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.05)


class StoppedLogs(QueryLogs):
    """Logs that a person stops the command while reading, so many times."""

    def __init__(self, evidence: Path, times: int) -> None:
        super().__init__(EvidenceDirectory(evidence))
        self._times = times

    async def run(self, arguments: LogQuery, as_of: datetime) -> ToolOutput:
        await _interrupt(self._times)
        return await super().run(arguments, as_of)


class StoppedPlanner(DeterministicPlanner):
    """Stopped while it plans: the turn is open, no node has ended."""

    async def plan(self, task: PlanTask) -> Plan:
        await _interrupt(1)
        return await super().plan(task)


class StoppedSource(DirectorySource):
    """Stopped when it is first asked, before the turn is opened."""

    def as_of(self) -> datetime | None:
        os.kill(os.getpid(), signal.SIGINT)
        return super().as_of()


def _in_a_tool(times: int) -> Change:
    return lambda ports: replace(
        ports, tools={**ports.tools, "query_logs": StoppedLogs(Path(ports.evidence.location), times)}
    )


def _in_the_planner(ports: Ports) -> Ports:
    return replace(ports, roles=replace(ports.roles, planner=StoppedPlanner()))


def _before_the_turn(ports: Ports) -> Ports:
    return replace(ports, evidence=StoppedSource(EvidenceDirectory(Path(ports.evidence.location))))


def _before_the_run(ports: Ports) -> Ports:
    os.kill(os.getpid(), signal.SIGINT)
    return ports


Stop = Callable[[Change], None]


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Stop:
    """Changes the ports of the next commands."""

    def use(change: Change) -> None:
        def ports(store: Store, evidence: Path, language: Language) -> Ports:
            return change(world.directory_ports(store, evidence, language))

        monkeypatch.setattr("superbiz.graph.entry.diagnose.directory_ports", ports)

    return use


@pytest.mark.requirement("P4", "P5")
@pytest.mark.parametrize(
    "place",
    [_in_a_tool(1), _in_a_tool(2), _in_the_planner],
    ids=["at the next step", "at once", "while the plan is made"],
)
def test_a_stopped_turn_is_told_and_goes_on_to_the_same_end(
    superbiz: Superbiz, evidence: Path, stop: Stop, place: Change
) -> None:
    straight = superbiz("diagnose", QUESTION, "--evidence", evidence)
    stop(place)
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, *SESSION, "--json")
    assert (ran.code, ran.json["status"], ran.json["answer"]) == (130, "interrupted", "")
    assert "superbiz diagnose --session s-stopped" in ran.err
    stop(lambda ports: ports)
    assert superbiz("diagnose", *SESSION) == straight
    rows = superbiz("trace", "s-stopped", "--json").json["invocations"]
    assert len({row["invocation_id"] for row in rows}) == len(rows)
    assert [row["tool_name"] for row in rows].count("query_logs") == 1


@pytest.mark.parametrize("place", [_before_the_turn, _before_the_run])
def test_a_question_stopped_before_its_turn_never_gets_the_last_turns_answer(
    superbiz: Superbiz, evidence: Path, stop: Stop, place: Change
) -> None:
    assert superbiz("diagnose", QUESTION, "--evidence", evidence, *SESSION).code == 0
    stop(place)
    ran = superbiz("diagnose", "ledger-db 拒绝了谁？", *SESSION)
    assert (ran.code, ran.out) == (130, "")


def test_a_stop_before_the_first_step_neither(
    superbiz: Superbiz, evidence: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The graph would be drained with the question unopened, and the last turn be what the store shows."""
    assert superbiz("diagnose", QUESTION, "--evidence", evidence, *SESSION).code == 0

    async def late(
        ports: Ports,
        saver: BaseCheckpointSaver[Any],
        session: SessionId,
        given: DiagnosisInput | None,
        *,
        on_step: OnStep,
        control: RunControl,
    ) -> Turn:
        await _interrupt(1)
        return await run_turn(ports, saver, session, given, on_step=on_step, control=control)

    monkeypatch.setattr("superbiz.graph.entry.diagnose.run_turn", late)
    ran = superbiz("diagnose", "ledger-db 拒绝了谁？", *SESSION)
    assert (ran.code, ran.out) == (130, "")


def test_an_interrupted_turn_may_be_left_for_another_question(superbiz: Superbiz, evidence: Path, stop: Stop) -> None:
    stop(_in_a_tool(1))
    assert superbiz("diagnose", QUESTION, "--evidence", evidence, *SESSION).code == 130
    stop(lambda ports: ports)
    ran = superbiz("diagnose", "ledger-db 拒绝了谁？", *SESSION, "--json")
    assert (ran.code, ran.json["turn"], ran.json["status"]) == (0, 2, "answered")
    assert superbiz("trace", "s-stopped", "--turn", "1", "--json").json["turn"]["status"] == "interrupted"


def test_a_stop_while_the_question_is_read_is_no_traceback(superbiz: Superbiz, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("superbiz.graph.entry.diagnose.check_question", interrupted)
    assert superbiz("diagnose", QUESTION) == (130, "", "")
