"""Rows of a made-up incident, as the Verifier reads them from the store."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from superbiz.graph.domain.contract import Binding, Claim, ClaimType, ExecutorContract, SourceType, SupportLevel
from superbiz.graph.domain.evidence import (
    Aggregates,
    Alert,
    AlertState,
    Chunk,
    LogEvent,
    PatternCount,
    Record,
    Scope,
    Status,
    Tally,
    ToolOutput,
    Variant,
)
from superbiz.graph.domain.ids import ClaimId, InvocationId, SessionId, TraceRef
from superbiz.graph.domain.record import EvidenceLevel, Invocation, ToolTraceSummary, TraceEntry
from superbiz.graph.domain.tasks import VerifierInput
from superbiz.nodes.verify.check import Checked, check
from superbiz.nodes.verify.contract import parse_contract
from support.checks import Run

AT = datetime(2026, 5, 4, 9, 30, 12, tzinfo=UTC)
MakeRow = Callable[..., Invocation]
MakeClaim = Callable[..., Claim]


def row(
    name: str,
    tool: str,
    records: tuple[Record, ...] = (),
    *,
    aggregates: Aggregates | None = None,
    status: Status = Status.OK,
    complete: bool = True,
    success: bool = True,
    bearing: bool = True,
    deduped_of: str | None = None,
    arguments: dict[str, str] | None = None,
) -> Invocation:
    """A finished row with that output."""
    counted = aggregates or Aggregates(scanned=len(records), matched=len(records))
    output = ToolOutput(status=status, records=records, aggregates=counted, scope=Scope(complete=complete))
    return Invocation(
        invocation_id=InvocationId(name),
        session_id=SessionId("s-1"),
        turn=1,
        round=1,
        attempt=1,
        branch=0,
        tool_name=tool,
        arguments={**(arguments or {})},
        evidence_bearing=bearing,
        status=status if success else Status.FAILED,
        success=success,
        deduped_of=InvocationId(deduped_of) if deduped_of else None,
        output=output if success and deduped_of is None else None,
        started_at=AT,
        duration_ms=3,
    )


@pytest.fixture
def make_row() -> MakeRow:
    """Rows of any kind."""
    return row


@pytest.fixture
def logs() -> Invocation:
    """A log row: one event, one counted message, level and status tallies."""
    event = LogEvent(
        source="logs/billing.log",
        line=41,
        end_line=41,
        time=AT,
        level="ERROR",
        text="2026-05-04T09:30:12Z ERROR billing-api upstream ledger-db refused: "
        "connect ECONNREFUSED 10.7.0.9:5432 after 1250 ms",
    )
    pattern = PatternCount(
        source="logs/billing.log",
        pattern="billing-api upstream ledger-db refused: connect ECONNREFUSED <*> after <*> ms",
        level="ERROR",
        count=17,
        line=41,
        first=AT,
        last=AT.replace(minute=45),
        variants=(
            Variant(text="billing-api retry budget spent", count=17, line=41, first=AT, last=AT.replace(minute=45)),
        ),
    )
    tallies = (
        Tally(name="level", value="ERROR", count=17, line=41, source="logs/billing.log"),
        Tally(name="status", value="502", count=9, line=44, source="logs/billing.log"),
    )
    counted = Aggregates(scanned=1, matched=1, tallies=tallies, patterns=(pattern,))
    return row("inv-logs", "query_logs", (event,), aggregates=counted)


@pytest.fixture
def alerts() -> Invocation:
    """A metrics row: one firing and one pending alert."""
    firing = Alert(
        source="metrics/alerts.json",
        name="BillingErrorsHigh",
        state=AlertState.FIRING,
        labels={"alertname": "BillingErrorsHigh", "service": "billing-api"},
        annotations={"summary": "maybe the ledger is down"},
        active_at=AT,
        ends_at=None,
        value="0.42",
        text='{"labels": {"alertname": "BillingErrorsHigh", "service": "billing-api"}, '
        '"state": "firing", "value": "0.42"}',
    )
    pending = firing.model_copy(
        update={
            "name": "LedgerDown",
            "state": AlertState.PENDING,
            "labels": {"alertname": "LedgerDown", "service": "ledger-db"},
            "text": '{"labels": {"alertname": "LedgerDown", "service": "ledger-db"}, "state": "pending"}',
        }
    )
    return row("inv-alerts", "query_metrics", (firing, pending))


@pytest.fixture
def knowledge() -> Invocation:
    """A runbook passage that names a cause."""
    chunk = Chunk(
        source="runbooks/billing.md",
        line=3,
        heading="Refused connections",
        chunk_id="c0ffee",
        score=2.0,
        text="billing-api refuses when ledger-db is out of connections; max_connections is 200.",
    )
    return row("inv-know", "lookup_knowledge", (chunk,))


@pytest.fixture
def summary(logs: Invocation, alerts: Invocation, knowledge: Invocation) -> ToolTraceSummary:
    """A summary with one entry a row: T1 logs, T2 alerts, T3 knowledge."""
    entries = tuple(
        TraceEntry(
            trace_ref=TraceRef(f"T{number}"),
            source_invocation_ids=(one.invocation_id,),
            tool_name=one.tool_name,
            round=1,
            success=True,
            status=Status.OK,
            input_summary="",
            output_summary="",
            evidence_level=EvidenceLevel.DIRECT,
        )
        for number, one in enumerate((logs, alerts, knowledge), 1)
    )
    return ToolTraceSummary(entries=entries)


def claim(
    text: str,
    *ids: str,
    excerpt: str = "ledger-db refused",
    tool: str = "query_logs",
    level: SupportLevel = SupportLevel.DIRECT,
    kind: ClaimType = ClaimType.LOG_EVENT,
    name: str = "c1",
) -> Claim:
    """A claim bound to those invocations; without ids it has no binding."""
    binding = Binding(
        source_type=SourceType.LOG,
        tool_name=tool,
        source_invocation_ids=tuple(InvocationId(id) for id in ids),
        evidence_excerpt=excerpt,
    )
    return Claim(
        claim_id=ClaimId(name),
        claim_type=kind,
        claim_text=text,
        support_level=level,
        evidence_bindings=(binding,) if ids else (),
    )


@pytest.fixture
def make_claim() -> MakeClaim:
    """Claims with one binding."""
    return claim


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
