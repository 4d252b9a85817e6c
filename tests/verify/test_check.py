"""The Verifier as a whole on a small incident: labels, references, claims' bindings, the gatekeeper."""

import json
from collections.abc import Callable

import pytest

from superbiz.graph.domain.contract import Claim, ClaimType, ExecutorContract, SupportLevel
from superbiz.graph.domain.evidence import Aggregates, Status
from superbiz.graph.domain.record import Invocation, ToolTraceSummary
from superbiz.graph.domain.tasks import VerifierInput
from superbiz.graph.domain.verdict import CheckedFact, Label, Verdict
from superbiz.nodes.verify.check import Checked, check
from superbiz.nodes.verify.contract import parse_contract

MakeClaim = Callable[..., Claim]
MakeRow = Callable[..., Invocation]
Run = Callable[..., Checked]

REFUSED = "logs/billing.log 第 41 行：「billing-api upstream ledger-db refused」，时间 2026-05-04T09:30:12Z。"


@pytest.fixture
def run(logs: Invocation, alerts: Invocation, knowledge: Invocation, summary: ToolTraceSummary) -> Run:
    """Checks claims, or a raw text, against the three rows and others."""

    def checked(
        *claims: Claim, text: str | None = None, judge: str | None = None, more: tuple[Invocation, ...] = ()
    ) -> Checked:
        contract = ExecutorContract(claims=claims, hypotheses=(), recommended_actions=(), missing_info=())
        raw = contract.model_dump_json() if text is None else text
        parsed = parse_contract(raw)
        given = VerifierInput(
            original_query="billing-api 为什么报错？",
            executor_final_answer=raw,
            tool_trace_summary=summary,
            executor_structured_output=parsed.contract,
            executor_output_parse_status=parsed.status,
            retry_context=None,
        )
        return check(given, (logs, alerts, knowledge, *more), judge)

    return checked


def only(checked: Checked) -> CheckedFact:
    (fact,) = checked.result.facts_checked
    return fact


@pytest.mark.requirement("V5", "V6")
def test_a_claim_carried_by_its_record_is_direct_and_refers_to_it(run: Run, make_claim: MakeClaim) -> None:
    checked = run(make_claim(REFUSED, "inv-logs"))
    fact = only(checked)
    assert fact.verification is Label.DIRECT
    (ref,) = fact.evidence_refs
    assert (ref.trace_ref, ref.source_invocation_ids, ref.excerpt) == ("T1", ("inv-logs",), "ledger-db refused")
    assert checked.result.verdict is Verdict.PASS
    assert checked.result.groundedness_score == 1.0
    (claim,) = checked.result.claim_checks
    assert (claim.claim_id, claim.verification, claim.bindings_valid, claim.problems) == ("c1", Label.DIRECT, True, ())


@pytest.mark.requirement("V5")
def test_the_result_is_one_object_with_the_fields_of_v5(run: Run, make_claim: MakeClaim) -> None:
    result = json.loads(run(make_claim(REFUSED, "inv-logs")).result.model_dump_json())
    assert list(result) == [
        "verdict", "groundedness_score", "critical_fact_count", "facts_checked", "claim_checks", "rationale",
    ]  # fmt: skip
    assert set(result["facts_checked"][0]) == {
        "fact", "is_critical", "verification", "detail", "evidence_refs", "floor", "ceiling",
    }  # fmt: skip
    assert set(result["facts_checked"][0]["evidence_refs"][0]) == {"trace_ref", "source_invocation_ids", "excerpt"}


@pytest.mark.requirement("V1")
@pytest.mark.parametrize(
    "text",
    [
        "logs/billing.log 第 42 行：「billing-api upstream ledger-db refused」。",
        "logs/billing.log 第 41 行：「billing-api upstream ledger-db accepted」。",
        "logs/billing.log 第 41 行：「billing-api upstream ledger-db refused」，时间 2026-05-04T09:31:12Z。",
        "logs/billing.log 中「billing-api retry budget spent」共出现 18 次。",
        "logs/billing.log 中「billing-api retry budget spent」共出现 17 次，最晚 2026-05-04T09:46:12Z。",
        "logs/billing.log 中状态码 502 共出现 10 次。",
        "告警 BillingErrorsHigh{service=billing-api} 处于 firing 状态，值为 0.43。",
        "系统很不正常。",
    ],
)
def test_one_wrong_part_is_enough_for_no_evidence(run: Run, make_claim: MakeClaim, text: str) -> None:
    row = "inv-alerts" if text.startswith("告警") else "inv-logs"
    excerpt = "BillingErrorsHigh" if row == "inv-alerts" else "ledger-db refused"
    tool = "query_metrics" if row == "inv-alerts" else "query_logs"
    fact = only(run(make_claim(text, row, excerpt=excerpt, tool=tool)))
    assert fact.verification is Label.NONE
    assert fact.evidence_refs == ()


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("logs/billing.log 中「billing-api retry budget spent」共出现 17 次，最晚 2026-05-04T09:45:12Z。", "inv-logs"),
        ("in logs/billing.log 「billing-api retry budget spent」 occurs 17 times.", "inv-logs"),
        ("logs/billing.log 中状态码 502 共出现 9 次。", "inv-logs"),
        ("告警 BillingErrorsHigh{service=billing-api} 处于 firing（正在触发）状态，值为 0.42。", "inv-alerts"),
        ("alert LedgerDown{service=ledger-db} is in state pending (pending).", "inv-alerts"),
    ],
)
def test_counts_states_and_values_of_aggregates_and_alerts_are_direct(
    run: Run, make_claim: MakeClaim, text: str, row: str
) -> None:
    tool, excerpt = ("query_logs", "refused") if row == "inv-logs" else ("query_metrics", "labels")
    assert only(run(make_claim(text, row, excerpt=excerpt, tool=tool))).verification is Label.DIRECT


def test_a_word_that_no_record_resolves_keeps_a_claim_from_being_direct(run: Run, make_claim: MakeClaim) -> None:
    """Swapping the predicate leaves every hard part in place: the record must carry the word too."""
    fact = only(run(make_claim("billing-api deleted ledger-db at 2026-05-04T09:30:12Z", "inv-logs")))
    assert (fact.verification, fact.floor, fact.ceiling) == (Label.INDIRECT, Label.INDIRECT, Label.DIRECT)
    assert fact.detail == "not_resolved: deleted"


def test_a_pending_alert_claimed_as_firing_is_contradicted(run: Run, make_claim: MakeClaim) -> None:
    text = "告警 LedgerDown{service=ledger-db} 处于 firing 状态。"
    checked = run(make_claim(text, "inv-alerts", excerpt="LedgerDown", tool="query_metrics"))
    assert only(checked).verification is Label.CONTRADICTED
    assert only(checked).detail == "state_differs: firing"
    assert checked.result.verdict is Verdict.REJECT


@pytest.mark.requirement("V4")
def test_a_name_that_stands_nowhere_is_contradicted_and_rejects(run: Run, make_claim: MakeClaim) -> None:
    checked = run(make_claim("payment-gw-7 refused billing-api", "inv-logs"))
    assert only(checked).verification is Label.CONTRADICTED
    assert only(checked).detail == "fabricated_entity: payment-gw-7"
    assert checked.result.verdict is Verdict.REJECT
    assert checked.result.groundedness_score == 0.0


@pytest.mark.requirement("V4")
def test_where_evidence_is_partial_an_unknown_name_is_only_unproven(
    run: Run, make_claim: MakeClaim, make_row: MakeRow
) -> None:
    partial = make_row("inv-part", "query_logs", status=Status.PARTIAL, complete=False)
    hidden = make_row("inv-many", "query_logs", aggregates=Aggregates(scanned=900, matched=900))
    for more in (partial, hidden):
        checked = run(make_claim("payment-gw-7 refused billing-api", "inv-logs"), more=(more,))
        assert only(checked).verification is Label.NONE


@pytest.mark.requirement("V6")
@pytest.mark.parametrize(
    ("ids", "excerpt", "tool", "problem"),
    [
        ((), "refused", "query_logs", "no_binding"),
        (("inv-gone",), "refused", "query_logs", "unknown_invocation: inv-gone"),
        (("inv-logs",), "never written", "query_logs", "excerpt_not_found"),
        (("inv-logs",), " ", "query_logs", "excerpt_not_found"),
        (("inv-logs",), "refused", "query_metrics", "other_tool: query_logs, not query_metrics"),
        (("inv-clock",), "now", "current_time", "not_evidence: current_time"),
        (("inv-fail",), "refused", "query_logs", "call_failed: inv-fail"),
        (("inv-twin",), "billing-api refuses", "lookup_knowledge", "duplicate_knowledge: inv-twin"),
    ],
)
def test_a_bad_reference_never_gives_direct(
    run: Run, make_claim: MakeClaim, make_row: MakeRow, ids: tuple[str, ...], excerpt: str, tool: str, problem: str
) -> None:
    more = (
        make_row("inv-clock", "current_time", bearing=False),
        make_row("inv-fail", "query_logs", success=False),
        make_row("inv-twin", "lookup_knowledge", deduped_of="inv-know"),
    )
    checked = run(make_claim(REFUSED, *ids, excerpt=excerpt, tool=tool), more=more)
    assert only(checked).verification in (Label.INDIRECT, Label.NONE)
    assert problem in checked.result.claim_checks[0].problems
    assert not checked.result.claim_checks[0].bindings_valid


@pytest.mark.requirement("V6")
def test_a_bad_reference_is_worth_indirect_when_another_record_proves_the_claim(
    run: Run, make_claim: MakeClaim
) -> None:
    fact = only(run(make_claim(REFUSED, "inv-gone")))
    assert (fact.verification, fact.ceiling) == (Label.INDIRECT, Label.INDIRECT)


@pytest.mark.requirement("V6")
def test_a_trace_ref_and_a_duplicate_log_query_resolve_to_the_row(
    run: Run, make_claim: MakeClaim, make_row: MakeRow
) -> None:
    twin = make_row("inv-again", "query_logs", deduped_of="inv-logs")
    assert only(run(make_claim(REFUSED, "T1"))).verification is Label.DIRECT
    assert only(run(make_claim(REFUSED, "inv-again"), more=(twin,))).verification is Label.DIRECT


@pytest.mark.requirement("V6")
def test_stated_as_indirect_is_at_most_indirect(run: Run, make_claim: MakeClaim) -> None:
    fact = only(run(make_claim(REFUSED, "inv-logs", level=SupportLevel.INDIRECT)))
    assert fact.verification is Label.INDIRECT


@pytest.mark.requirement("V10")
def test_what_only_a_runbook_says_is_no_evidence(run: Run, make_claim: MakeClaim) -> None:
    text = "「max_connections is 200」"
    fact = only(run(make_claim(text, "inv-know", excerpt="max_connections is 200", tool="lookup_knowledge")))
    assert fact.verification is Label.NONE


def test_a_cause_is_never_direct_even_when_both_sides_are(run: Run, make_claim: MakeClaim) -> None:
    text = "由于「ledger-db refused」，导致「after 1250 ms」。"
    fact = only(run(make_claim(text, "inv-logs", kind=ClaimType.ROOT_CAUSE)))
    assert fact.ceiling is Label.INDIRECT


@pytest.mark.requirement("V7")
def test_statements_beside_the_claims_are_checked_and_lower_the_verdict(run: Run, make_claim: MakeClaim) -> None:
    contract = json.loads(
        ExecutorContract(
            claims=(make_claim(REFUSED, "inv-logs"),), hypotheses=(), recommended_actions=(), missing_info=()
        ).model_dump_json()
    )
    sure = json.dumps({**contract, "user_facing_answer": "磁盘写满了。建议扩容。可能是网络问题。"})
    checked = run(text=sure)
    assert [fact.fact for fact in checked.result.facts_checked] == [REFUSED, "磁盘写满了。"]
    assert checked.result.verdict is Verdict.LOW_CONFID
    worded = json.dumps({**contract, "hypotheses": ["连接数已经耗尽。"]})
    assert run(text=worded).result.facts_checked[1].verification is Label.NONE


@pytest.mark.requirement("V8", "E5")
def test_prose_is_checked_statement_by_statement(run: Run) -> None:
    checked = run(text="「ledger-db refused」2026-05-04T09:30:12Z。\n网络中断了 40 分钟。为什么？")
    first, second = checked.result.facts_checked
    assert (first.verification, second.verification) == (Label.DIRECT, Label.NONE)
    assert first.evidence_refs[0].trace_ref == "T1"
    assert checked.result.claim_checks == ()
    assert checked.result.verdict is Verdict.LOW_CONFID


@pytest.mark.requirement("V3", "V8")
def test_nothing_asserted_is_never_a_pass(run: Run) -> None:
    checked = run(text="建议检查数据库连接。")
    assert checked.result.facts_checked == ()
    assert (checked.result.verdict, checked.result.groundedness_score) == (Verdict.LOW_CONFID, 0.0)


@pytest.mark.requirement("V9")
def test_failed_and_empty_calls_support_nothing(
    make_claim: MakeClaim, make_row: MakeRow, summary: ToolTraceSummary
) -> None:
    rows = (
        make_row("inv-fail", "query_logs", success=False),
        make_row("inv-none", "query_metrics", status=Status.NO_DATA),
    )
    contract = ExecutorContract(
        claims=(make_claim("up is 0", "inv-none", excerpt="up", tool="query_metrics"),),
        hypotheses=(),
        recommended_actions=(),
        missing_info=(),
    )
    given = VerifierInput(
        original_query="up?",
        executor_final_answer=contract.model_dump_json(),
        tool_trace_summary=summary,
        executor_structured_output=contract,
        executor_output_parse_status=parse_contract(contract.model_dump_json()).status,
        retry_context=None,
    )
    checked = check(given, rows, None)
    assert only(checked).verification is Label.NONE
    assert checked.result.verdict is Verdict.LOW_CONFID


@pytest.mark.requirement("V9")
def test_absence_is_direct_only_over_complete_successful_calls(
    run: Run, make_claim: MakeClaim, make_row: MakeRow
) -> None:
    said = make_claim("日志中没有 FATAL 级别的记录。", "inv-logs")
    assert only(run(said)).verification is Label.DIRECT
    assert only(run(make_claim("日志中没有 ERROR 级别的记录。", "inv-logs"))).verification is Label.NONE
    partial = make_row("inv-part", "query_logs", status=Status.PARTIAL, complete=False)
    failed = make_row("inv-fail", "query_logs", success=False)
    assert only(run(said, more=(partial,))).verification is Label.NONE
    assert only(run(said, more=(failed,))).verification is Label.NONE


@pytest.mark.requirement("V9")
def test_a_denial_does_not_carry_another_statement_with_it(run: Run, make_claim: MakeClaim) -> None:
    fact = only(run(make_claim("没有 FATAL，billing-api 等待了 77 ms。", "inv-logs")))
    assert fact.verification is Label.NONE


@pytest.mark.requirement("V2", "V13")
def test_the_same_record_gives_the_same_bytes(run: Run, make_claim: MakeClaim) -> None:
    first, second = (run(make_claim(REFUSED, "inv-logs")).model_dump_json() for _ in range(2))
    assert first == second


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
