"""How a turn ends as the shell tells it: REJECT, a judge's changes, two rounds, a turn that never ended."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from superbiz.graph.domain.answer import TurnStatus
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Language, Plan
from superbiz.graph.domain.session import Inquiry, Turn
from superbiz.graph.domain.verdict import Verdict
from superbiz.graph.entry.report import exit_code, report
from superbiz.graph.ports import Ports, Store
from support.script import INVENTED, TRUE, UNPROVEN, ScriptedJudge, contract, looking, scripted_ports
from support.shell import Superbiz

QUESTION = "账单服务为什么报错？"
AT = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
INQUIRY = Inquiry(
    session_id=SessionId("s-1"), turn=2, original_query=QUESTION, language=Language.ZH, as_of=AT, evidence="here"
)

Play = Callable[..., None]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Lets the next command run with scripted roles."""

    def use(plans: list[Plan], texts: list[str], judge: ScriptedJudge | None = None) -> None:
        def ports(store: Store, *_: object) -> Ports:
            return scripted_ports(store, plans, texts, judge=judge)

        monkeypatch.setattr("superbiz.graph.entry.diagnose.directory_ports", ports)

    return use


@pytest.mark.requirement("C4", "R5")
def test_a_rejected_answer_exits_4_and_concludes_nothing(superbiz: Superbiz, evidence: Path, play: Play) -> None:
    play([looking("a")], [contract(TRUE, INVENTED)])
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, "--json")
    assert (ran.code, ran.json["verdict"], ran.json["groundedness_score"], ran.json["rounds"]) == (4, "REJECT", 0.0, 1)
    assert "payment-gw-7" not in ran.out
    again = superbiz("diagnose", "--session", ran.json["session_id"])
    assert (again.code, again.out) == (4, f"{ran.json['answer']}\n")


@pytest.mark.requirement("P2")
def test_a_trace_tells_both_rounds(superbiz: Superbiz, evidence: Path, play: Play) -> None:
    play([looking("a", "fail"), looking("b")], [contract(UNPROVEN), contract(TRUE)])
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, "--json")
    assert (ran.code, ran.json["rounds"]) == (0, 2)
    told = superbiz("trace", ran.json["session_id"]).out
    parts = ["── 第 1 轮", "query_logs failed", "unreadable: logs/billing.log cannot be read", "no_evidence"]
    parts += ["→ LOW_CONFID 0", "── 第 2 轮", "c1 direct_evidence", "→ PASS 1"]
    places = [told.find(part) for part in parts]
    assert [part for part, place in zip(parts, places, strict=True) if place < 0] == []
    assert places == sorted(places)


@pytest.mark.requirement("V11")
def test_a_trace_tells_what_the_gatekeeper_changed(superbiz: Superbiz, evidence: Path, play: Play) -> None:
    reply = json.dumps({"facts_checked": [{"fact": UNPROVEN, "verification": "direct_evidence"}]})
    play([looking("a"), looking("b")], [contract(TRUE, UNPROVEN)] * 2, ScriptedJudge([reply] * 2))
    session = superbiz("diagnose", QUESTION, "--evidence", evidence, "--json").json["session_id"]
    told = superbiz("trace", session).out.partition("── 守门改动")[2]
    assert f"G2 (left out) → direct_evidence: {TRUE}" in told
    assert f"G3 direct_evidence → no_evidence: {UNPROVEN}" in told
    assert "above what the evidence permits" in told


def _turn(status: TurnStatus, verdict: Verdict | None = None) -> Turn:
    return Turn(inquiry=INQUIRY, status=status, verdict=verdict, created_at=AT, updated_at=AT)


@pytest.mark.parametrize(
    ("turn", "code"),
    [
        (_turn(TurnStatus.ANSWERED, Verdict.PASS), 0),
        (_turn(TurnStatus.ANSWERED, Verdict.LOW_CONFID), 3),
        (_turn(TurnStatus.ANSWERED, Verdict.REJECT), 4),
        (_turn(TurnStatus.CLARIFY), 6),
        (_turn(TurnStatus.INTERRUPTED), 130),
        (_turn(TurnStatus.RUNNING), 130),
    ],
)
def test_each_end_has_its_exit_code(turn: Turn, code: int) -> None:
    assert exit_code(turn) == code


@pytest.mark.parametrize("status", [TurnStatus.RUNNING, TurnStatus.INTERRUPTED])
def test_a_turn_that_did_not_end_is_told_as_interrupted(status: TurnStatus) -> None:
    """Three states are promised; a process that was killed leaves a fourth in the store."""
    told = report(_turn(status))
    assert (told["status"], told["answer"], told["confirmed"], told["usage"]) == ("interrupted", "", [], None)
