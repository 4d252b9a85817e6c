"""The gatekeeper: what a judge may move, and what becomes of a reply that cannot be used (V11, V12)."""

import json

import pytest

from superbiz.graph.domain.contract import ClaimType
from superbiz.graph.domain.verdict import Label, Verdict
from support.checks import REFUSED, MakeClaim, Run, only


def judged(**labels: str) -> str:
    facts = [{"fact": fact, "verification": label} for fact, label in labels.items()]
    return json.dumps({"verdict": "PASS", "groundedness_score": 0.99, "facts_checked": facts})


@pytest.mark.requirement("V2", "V11")
@pytest.mark.parametrize(
    ("proposal", "final", "rule"),
    [
        ("direct_evidence", Label.DIRECT, None),
        ("indirect_support", Label.INDIRECT, None),
        ("no_evidence", Label.INDIRECT, "G4"),
        ("contradicted", Label.INDIRECT, "G5"),
        ("very_true", Label.DIRECT, "G1"),
    ],
)
def test_a_proven_fact_is_lowered_to_indirect_at_most(
    run: Run, make_claim: MakeClaim, proposal: str, final: Label, rule: str | None
) -> None:
    checked = run(make_claim(REFUSED, "inv-logs"), judge=judged(**{REFUSED: proposal}))
    assert only(checked).verification is final
    assert [change.rule for change in checked.gatekeeper.changes] == ([rule] if rule else [])
    assert checked.gatekeeper.claimed == {"verdict": "PASS", "groundedness_score": 0.99}


@pytest.mark.requirement("V11")
def test_a_judge_cannot_lift_a_fact_above_its_ceiling(run: Run, make_claim: MakeClaim) -> None:
    lie = "logs/billing.log 中状态码 502 共出现 10 次。"
    checked = run(make_claim(lie, "inv-logs"), judge=judged(**{lie: "direct_evidence"}))
    assert only(checked).verification is Label.NONE
    (change,) = checked.gatekeeper.changes
    assert (change.rule, change.before, change.after) == ("G3", "direct_evidence", "no_evidence")
    assert checked.result.verdict is Verdict.LOW_CONFID


@pytest.mark.requirement("V11")
def test_a_judge_may_decide_what_code_leaves_open(run: Run, make_claim: MakeClaim) -> None:
    text = "billing-api deleted ledger-db at 2026-05-04T09:30:12Z"
    lifted = run(make_claim(text, "inv-logs"), judge=judged(**{text: "direct_evidence"}))
    assert only(lifted).verification is Label.DIRECT
    below = run(make_claim(text, "inv-logs"), judge=judged(**{text: "no_evidence"}))
    assert (only(below).verification, below.gatekeeper.changes[0].rule) == (Label.INDIRECT, "G6")


@pytest.mark.requirement("V11")
@pytest.mark.parametrize(
    ("reply", "judge"),
    [
        (None, "absent"),
        ("  ", "empty"),
        ('{"facts_checked": [', "unreadable"),
        ('{"facts_checked": [], "facts_checked": []}', "unreadable"),
        ('{"verdict": "PASS"}', "off_menu"),
        ("[]", "off_menu"),
    ],
)
def test_without_a_usable_reply_the_floor_stands(
    run: Run, make_claim: MakeClaim, reply: str | None, judge: str
) -> None:
    checked = run(make_claim(REFUSED, "inv-logs"), judge=reply)
    assert checked.gatekeeper.judge == judge
    assert only(checked).verification is only(checked).floor is Label.DIRECT


@pytest.mark.requirement("V11")
def test_a_fact_that_the_judge_left_out_is_kept_at_its_floor(run: Run, make_claim: MakeClaim) -> None:
    checked = run(make_claim(REFUSED, "inv-logs"), judge=judged())
    assert only(checked).verification is Label.DIRECT
    assert checked.gatekeeper.changes[0].rule == "G2"


@pytest.mark.requirement("V12")
def test_naming_nothing_is_the_only_way_not_to_be_critical(run: Run, make_claim: MakeClaim) -> None:
    other = make_claim("情况不太好。", "inv-logs", kind=ClaimType.OTHER)
    assert not only(run(other)).is_critical
    named = make_claim("billing-api 情况不太好。", "inv-logs", kind=ClaimType.OTHER)
    assert only(run(named)).is_critical
    cause = make_claim("情况不太好。", "inv-logs", kind=ClaimType.ROOT_CAUSE)
    assert only(run(cause)).is_critical
