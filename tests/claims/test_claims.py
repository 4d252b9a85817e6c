"""What the deterministic Executor states from rows."""

from datetime import UTC, datetime, timedelta

import pytest

from superbiz.graph.domain.contract import ClaimType, ExecutorContract, SupportLevel
from superbiz.graph.domain.evidence import (
    Aggregates,
    Alert,
    AlertState,
    Chunk,
    Gap,
    LogEvent,
    PatternCount,
    Record,
    Sample,
    Scope,
    Series,
    Status,
    Tally,
    ToolOutput,
    ValueRange,
    Variant,
)
from superbiz.graph.domain.ids import InvocationId, SessionId
from superbiz.graph.domain.plan import Language, Plan
from superbiz.graph.domain.record import ErrorInfo, Invocation
from superbiz.nodes.claims.draft import QUOTE_CHARS, quote, quotes
from superbiz.nodes.claims.role import state_claims

AT = datetime(2026, 5, 4, 9, 30, 12, 250000, tzinfo=UTC)


def row(
    tool: str, *records: Record, aggregates: Aggregates | None = None, gaps: tuple[Gap, ...] = (), **arguments: str
) -> Invocation:
    output = ToolOutput(
        status=Status.OK, records=records, aggregates=aggregates or Aggregates(), scope=Scope(gaps=gaps)
    )
    return Invocation(
        invocation_id=InvocationId("inv-1"),
        session_id=SessionId("s-1"),
        turn=1,
        round=1,
        attempt=1,
        branch=0,
        tool_name=tool,
        arguments={**arguments},
        evidence_bearing=True,
        status=Status.OK,
        success=True,
        output=output,
        started_at=AT,
    )


def state(*rows: Invocation, language: Language = Language.ZH) -> ExecutorContract:
    return state_claims(rows, Plan(), language)


def texts(*rows: Invocation, language: Language = Language.ZH) -> list[str]:
    return [claim.claim_text for claim in state(*rows, language=language).claims]


def alert(state: AlertState, name: str = "BillingErrorsHigh") -> Alert:
    return Alert(
        source="metrics/a.json",
        name=name,
        state=state,
        labels={"alertname": name, "severity": "page", "service": "billing-api"},
        annotations={"summary": "the disk is full"},
        active_at=AT,
        ends_at=None,
        value="0.42",
        text=f'{{"labels": {{"alertname": "{name}"}}, "state": "{state}"}}',
    )


@pytest.mark.requirement("E2", "E3")
def test_an_alert_is_stated_with_labels_state_start_and_value_and_bound_to_its_row() -> None:
    (claim,) = state(row("query_metrics", alert(AlertState.FIRING), kind="alerts")).claims
    assert claim.claim_text == (
        "告警 BillingErrorsHigh{service=billing-api} 处于 firing（正在触发）状态，"
        "自 2026-05-04T09:30:12.25Z 起，值为 0.42。"
    )
    assert (claim.claim_id, claim.claim_type, claim.support_level) == ("c1", ClaimType.ALERT, SupportLevel.DIRECT)
    (binding,) = claim.evidence_bindings
    assert (binding.tool_name, binding.source_invocation_ids) == ("query_metrics", ("inv-1",))
    assert '"state": "firing"' in binding.evidence_excerpt


@pytest.mark.requirement("V10")
def test_annotations_are_nobodys_finding() -> None:
    assert "disk" not in texts(row("query_metrics", alert(AlertState.FIRING), kind="alerts"))[0]


def test_firing_comes_first_and_inactive_rules_are_not_worth_a_claim() -> None:
    alerts = [alert(state, f"Alert{state.title()}") for state in reversed(AlertState)]
    names = [text.split()[1].partition("{")[0] for text in texts(row("query_metrics", *alerts, kind="alerts"))]
    assert names == ["AlertFiring", "AlertPending", "AlertSuppressed", "AlertResolved"]


def series(*values: str) -> Series:
    samples = [Sample(time=AT + timedelta(minutes=i), value=value) for i, value in enumerate(values)]
    finite = [sample for sample in samples if sample.value not in ("NaN", "+Inf")]
    return Series(
        source="metrics/q.json",
        metric="up",
        labels={"instance": "10.7.0.9:5432"},
        count=len(values),
        special=len(samples) - len(finite),
        first=samples[0],
        last=samples[-1],
        minimum=min(finite, key=lambda sample: float(sample.value), default=None),
        maximum=max(finite, key=lambda sample: float(sample.value), default=None),
        text="{}",
    )


def test_an_instant_value_and_a_range_are_stated_with_their_times() -> None:
    assert texts(row("query_metrics", series("0"), kind="series"), language=Language.EN) == [
        "metric up{instance=10.7.0.9:5432} at 2026-05-04T09:30:12.25Z has value 0."
    ]
    assert texts(row("query_metrics", series("3", "9", "1"), kind="series")) == [
        "指标 up{instance=10.7.0.9:5432} 在 2026-05-04T09:30:12.25Z 到 2026-05-04T09:32:12.25Z 共 3 个样本："
        "最小 1（2026-05-04T09:32:12.25Z），最大 9（2026-05-04T09:31:12.25Z），最后 1。"
    ]


def test_special_values_support_no_claim_and_stay_visible() -> None:
    gap = Gap(source="metrics/q.json", reason="special_value", detail="up +Inf")
    contract = state(row("query_metrics", series("+Inf"), gaps=(gap,), kind="series"))
    assert contract.claims == ()
    assert contract.missing_info == ("metrics/q.json：值不是有限数值 up +Inf",)


def event(line: int, text: str, at: datetime | None = AT) -> LogEvent:
    return LogEvent(source="logs/b.log", line=line, end_line=line, time=at, text=text)


def pattern(*variants: Variant, count: int | None = None, complete: bool = True) -> PatternCount:
    return PatternCount(
        source="logs/b.log",
        pattern="took <*> ms to settle",
        level="WARN",
        count=count or sum(variant.count for variant in variants),
        line=variants[0].line if variants else 3,
        first=AT,
        last=AT + timedelta(hours=1),
        variants=variants,
        variants_complete=complete,
        values=(
            ValueRange(slot=0, name="took", unit="ms", minimum="12", maximum="940", minimum_line=3, maximum_line=8),
        ),
    )


def test_a_repeated_message_is_counted_from_first_to_last() -> None:
    variant = Variant(text="ledger refused", count=7, line=3, first=AT, last=AT + timedelta(minutes=5))
    counted = Aggregates(scanned=7, matched=7, patterns=(pattern(variant),))
    assert texts(row("query_logs", event(3, "2026 ledger refused"), aggregates=counted)) == [
        "logs/b.log 中 「ledger refused」 共出现 7 次，最早 2026-05-04T09:30:12.25Z，最晚 2026-05-04T09:35:12.25Z。"
    ]


def test_a_message_with_many_forms_is_stated_by_its_shape_and_range() -> None:
    counted = Aggregates(scanned=9, matched=9, patterns=(pattern(count=9, complete=False),))
    (text,) = texts(row("query_logs", aggregates=counted))
    assert text == (
        "logs/b.log 中形如 「took <*> ms to settle」 的消息共 9 条，最早 2026-05-04T09:30:12.25Z，"
        "最晚 2026-05-04T10:30:12.25Z，其中 took 在 12 到 940 ms 之间。"
    )


def test_a_single_event_is_stated_by_its_line_and_never_twice() -> None:
    variant = Variant(text="ledger refused", count=1, line=3)
    counted = Aggregates(scanned=2, matched=2, patterns=(pattern(variant),))
    first = LogEvent(
        source="logs/b.log",
        line=3,
        end_line=5,
        text="ledger refused\n  at pool\n  code: 17",
        context=("Containers", "app"),
    )
    said = texts(row("query_logs", first, event(9, "settled late"), aggregates=counted))
    # Line 9 is of no pattern that was chosen: what is not counted is not worth a claim of its own.
    assert said == [
        "logs/b.log 第 3 行：「ledger refused」「at pool」「code: 17」（位于 Containers / app）。",
    ]


def test_server_errors_are_counted_before_other_statuses() -> None:
    tallies = tuple(
        Tally(name="status", value=value, count=count, line=1, source="logs/b.log")
        for value, count in (("200", 90), ("404", 3), ("502", 2))
    )
    said = texts(row("query_logs", aggregates=Aggregates(tallies=tallies)))
    assert said == ["logs/b.log 中状态码 502 共出现 2 次。", "logs/b.log 中状态码 404 共出现 3 次。"]


@pytest.mark.requirement("E4")
def test_a_runbook_becomes_advice_and_a_hypothesis_never_a_claim() -> None:
    chunk = Chunk(source="runbooks/x.md", line=4, heading="h", chunk_id="1", score=1.0, text="The disk\nis often full.")
    contract = state(row("lookup_knowledge", chunk))
    assert contract.claims == ()
    assert contract.recommended_actions == ("参考 runbooks/x.md 第 4 行：The disk is often full.",)
    assert "runbooks/x.md" in contract.hypotheses[0]


@pytest.mark.requirement("V9")
def test_a_failed_call_is_missing_information() -> None:
    failed = row("query_logs").model_copy(
        update={"success": False, "output": None, "error": ErrorInfo(type="timeout", message="no answer in 60 s")}
    )
    assert state(failed).missing_info == ("query_logs 调用失败：no answer in 60 s",)


def test_a_quote_is_verbatim_and_its_cut_is_shown_outside() -> None:
    assert quote("  refused  ") == "「refused」"
    assert quote("x" * (QUOTE_CHARS + 1)) == f"「{'x' * QUOTE_CHARS}」…"
    assert quote("a「b」c") == "「a」…"
    assert quotes("head\n  noise\n  cause: disk", ("DISK",)) == "「head」「cause: disk」"
