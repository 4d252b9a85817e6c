"""The Verifier as a whole on a small incident: labels, references, claims' bindings, the gatekeeper."""

import json

import pytest

from superbiz.graph.domain.contract import ClaimType, ExecutorContract, SupportLevel
from superbiz.graph.domain.evidence import Aggregates, Status
from superbiz.graph.domain.record import ToolTraceSummary
from superbiz.graph.domain.tasks import VerifierInput
from superbiz.graph.domain.verdict import Label, Verdict
from superbiz.nodes.verify.check import check
from superbiz.nodes.verify.contract import parse_contract
from support.checks import REFUSED, MakeClaim, MakeRow, Run, only


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
