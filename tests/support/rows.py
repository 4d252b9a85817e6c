"""Rows as the ledger leaves them, made from what a test cares about."""

from collections.abc import Mapping
from datetime import UTC, datetime

from pydantic import JsonValue

from superbiz.graph.domain.evidence import (
    Aggregates,
    Alert,
    AlertState,
    LogEvent,
    PatternCount,
    Record,
    Scope,
    Status,
    Tally,
    ToolOutput,
    Variant,
)
from superbiz.graph.domain.ids import InvocationId, SessionId
from superbiz.graph.domain.record import ErrorInfo, Invocation

START = datetime(2026, 5, 4, 3, 0, tzinfo=UTC)


def make_row(
    number: int,
    output: ToolOutput | None = None,
    *,
    tool: str = "query_logs",
    round: int = 1,
    arguments: Mapping[str, JsonValue] | None = None,
    status: Status | None = Status.OK,
    deduped_of: str | None = None,
    evidence_bearing: bool = True,
    labels: tuple[str, ...] = (),
) -> Invocation:
    failed = status is Status.FAILED
    return Invocation(
        invocation_id=InvocationId(f"inv-{number:012x}"),
        session_id=SessionId("s1"),
        turn=1,
        round=round,
        attempt=1,
        branch=0,
        tool_name=tool,
        arguments={"source": f"logs/{number}.log"} if arguments is None else dict(arguments),
        evidence_bearing=evidence_bearing,
        status=status,
        success=None if status is None else not failed,
        error=ErrorInfo(type="timeout", message="no answer in 60 s") if failed else None,
        deduped_of=None if deduped_of is None else InvocationId(deduped_of),
        output=output,
        source_labels=labels,
        started_at=START,
    )


def make_output(
    *records: Record,
    patterns: tuple[PatternCount, ...] = (),
    tallies: tuple[Tally, ...] = (),
    scope: Scope | None = None,
    status: Status = Status.OK,
    matched: int | None = None,
) -> ToolOutput:
    found = max(len(records), sum(pattern.count for pattern in patterns)) if matched is None else matched
    return ToolOutput(
        status=status,
        records=records,
        aggregates=Aggregates(scanned=found, matched=found, patterns=patterns, tallies=tallies),
        scope=scope or Scope(),
    )


def make_event(line: int, text: str, level: str | None = None, source: str = "logs/app.log") -> LogEvent:
    return LogEvent(source=source, line=line, end_line=line, time=START, level=level, text=text)


def make_alert(
    name: str,
    state: AlertState = AlertState.FIRING,
    labels: dict[str, str] | None = None,
    source: str = "metrics/alerts.json",
    annotations: dict[str, str] | None = None,
) -> Alert:
    given = labels or {}
    return Alert(
        source=source,
        name=name,
        state=state,
        labels=given,
        annotations=annotations or {},
        active_at=START,
        ends_at=None,
        value="0.5",
        text=f'{{"labels": {{"alertname": "{name}"}}, "state": "{state.value}", "runbook": "rb-17"}}',
    )


def make_pattern(
    line: int, text: str, count: int, level: str | None = None, variants: tuple[Variant, ...] = ()
) -> PatternCount:
    return PatternCount(
        source="logs/app.log",
        pattern=text,
        level=level,
        count=count,
        line=line,
        first=START,
        last=START,
        variants=variants,
    )
