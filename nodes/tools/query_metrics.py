"""The tool `query_metrics`: alerts, or series, of the evidence directory's metrics files."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from superbiz.graph.domain.evidence import (
    Aggregates,
    Alert,
    AlertState,
    Gap,
    Scope,
    Series,
    SourceFile,
    Status,
    Tally,
    ToolOutput,
)
from superbiz.graph.domain.text import fold
from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.metrics.body import Body, BodyKind, Unusable, read_body
from superbiz.nodes.tools.metrics.records import alerts_of, series_of, unread_of

_STATES = list(AlertState)


class MetricQuery(BaseModel):
    """What to look for. `name` and `source` filter; `entities` and `terms` only rank."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["alerts", "series"]
    name: str | None = Field(default=None, description="part of a metric's or an alert's name")
    source: str | None = Field(default=None, description="one file, e.g. metrics/up.json")
    entities: tuple[str, ...] = Field(default=(), description="names that matter most")
    terms: tuple[str, ...] = Field(default=(), description="words that matter")
    limit: int = Field(default=40, ge=1, le=200)


@dataclass
class _Found:
    """What the files gave."""

    records: list[Alert | Series] = field(default_factory=list)
    sources: list[SourceFile] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    errors: list[Gap] = field(default_factory=list)
    """What stands in the place of a body, of a kind that nobody knows."""
    bad: int = 0
    fit: int = 0


class QueryMetrics:
    """Implements `Tool` of `graph.ports`."""

    name = "query_metrics"
    description = "Alerts with their states, or series with their ends and extremes, from Prometheus and Alertmanager."
    evidence_bearing = True
    arguments = MetricQuery

    def __init__(self, directory: EvidenceDirectory) -> None:
        self._directory = directory

    async def run(self, arguments: MetricQuery, as_of: datetime) -> ToolOutput:
        """Answer the query. Raises ToolError when no file could be used, or the source does not exist."""
        return await asyncio.to_thread(self._run, arguments, as_of)

    def _run(self, query: MetricQuery, as_of: datetime) -> ToolOutput:
        files, outside = self._directory.files("metrics")
        if query.source is not None:
            files = tuple(file for file in files if file.name == query.source)
            outside = tuple(gap for gap in outside if gap.source == query.source)
            if not files and not outside:
                raise ToolError("unknown_source", f"there is no metrics file {query.source!r}")
        found = _Found(gaps=list(outside), bad=len(outside))
        for file in files:
            _take(read_body(file), query, as_of, found)
        # An error body does not say what it would have been: a gap of the series, where queries are made, and of the
        # alerts when nothing else can be them.
        if query.kind == "series" or not found.fit:
            found.gaps += found.errors
            found.bad += len(found.errors)
        if found.bad and not found.fit:
            first = next(gap for gap in found.gaps if gap.reason != "warning")
            raise ToolError(
                first.reason, f"no metrics file could be used; {first.source}: {first.reason} {first.detail}"
            )
        return _output(query, found)


def _take(read: Body | Unusable, query: MetricQuery, as_of: datetime, found: _Found) -> None:
    if read.file is not None:
        found.sources.append(read.file)
    if isinstance(read, Unusable):
        found.gaps.append(read.gap)
        found.bad += 1
        return
    if read.kind is BodyKind.ERROR:
        found.errors += read.gaps
        return
    if read.kind.value != query.kind:
        return
    found.fit += 1
    found.gaps += read.gaps
    found.bad += sum(gap.reason != "warning" for gap in read.gaps)
    try:
        _take_records(read, as_of, found)
    except RecursionError:  # Nested so deep that it could just be read, and not be written again.
        found.gaps.append(Gap(source=read.file.path, reason="unknown_body", detail="nested too deep"))
        found.bad += 1


def _take_records(body: Body, as_of: datetime, found: _Found) -> None:
    unread = list(unread_of(body, as_of))
    found.gaps += unread
    found.bad += len(unread)
    if not body.items and not unread:
        found.gaps.append(Gap(source=body.file.path, reason="empty_result"))
    if body.kind is BodyKind.ALERTS:
        found.records += alerts_of(body, as_of)
        return
    for series, gaps in series_of(body):
        found.records.append(series)
        found.gaps += gaps


def _output(query: MetricQuery, found: _Found) -> ToolOutput:
    wanted = fold(query.name) if query.name else ""
    matched = [record for record in found.records if wanted in fold(_name(record))]
    ranked = sorted(matched, key=lambda record: _rank(record, query))
    aggregates = Aggregates(scanned=len(found.records), matched=len(matched), tallies=_tallies(matched))
    scope = Scope(sources=tuple(found.sources), complete=not found.bad, gaps=tuple(found.gaps))
    return ToolOutput(
        status=_status(matched, found), records=tuple(ranked[: query.limit]), aggregates=aggregates, scope=scope
    )


def _status(matched: Sequence[Alert | Series], found: _Found) -> Status:
    if found.bad:
        return Status.PARTIAL
    if not matched:
        return Status.NO_DATA
    series = [record for record in matched if isinstance(record, Series)]
    if series and all(_all_zero(record) for record in series):
        return Status.ZERO
    return Status.OK


def _all_zero(series: Series) -> bool:
    ends = (series.minimum, series.maximum)
    return not series.special and all(sample is not None and float(sample.value) == 0 for sample in ends)


def _name(record: Alert | Series) -> str:
    return record.name if isinstance(record, Alert) else record.metric or ""


def _rank(record: Alert | Series, query: MetricQuery) -> tuple[int, int, int, str, str]:
    """Asked-for names first, then what is not normal, then words; the rest in a fixed order."""
    text = fold(record.text)
    named = sum(fold(entity) in text for entity in query.entities)
    worded = sum(fold(term) in text for term in query.terms)
    return -named, _oddness(record), -worded, _name(record), record.text


def _oddness(record: Alert | Series) -> int:
    if isinstance(record, Alert):
        return _STATES.index(record.state)
    return 0 if _all_zero(record) and _name(record).endswith("up") else 1


def _tallies(records: Sequence[Alert | Series]) -> tuple[Tally, ...]:
    """Alerts by state; one that several services tell of, with the same labels and state, counts once."""
    alerts = {(record.state.value, tuple(record.labels.items())) for record in records if isinstance(record, Alert)}
    states = Counter(state for state, _ in alerts)
    return tuple(Tally(name="state", value=state, count=count) for state, count in sorted(states.items()))
