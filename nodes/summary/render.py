"""One line of text for each thing that a call returned: values as they are, nothing that is not in the output (T7)."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from superbiz.graph.domain.evidence import (
    Alert,
    Chunk,
    Gap,
    LogEvent,
    PatternCount,
    Sample,
    Series,
    Tally,
    ValueRange,
    Variant,
)
from superbiz.graph.domain.times import show_time
from superbiz.nodes.summary.quoting import quote

LINE_CHARS = 320
"""Characters of one quoted text; a claim's excerpt may be longer."""
CHUNK_CHARS = 240
LABEL_CHARS = 400
ANNOTATION_CHARS = 160
NOTES = 2
"""Annotations shown of an alert."""
VARIANTS = 3
"""Exact messages shown for a pattern."""
VARIANT_CHARS = 120
VALUES = 3


def log_line(event: LogEvent) -> str:
    """Source, lines, time, enclosing blocks, and the event's own words."""
    lines = f"L{event.line}" if event.end_line <= event.line else f"L{event.line}-L{event.end_line}"
    within = f" in {' / '.join(event.context)}" if event.context else ""
    return f"[{event.source} {lines}{_at(event.time)}{quote(within, LABEL_CHARS)}] {quote(event.text, LINE_CHARS)}"


def pattern_line(pattern: PatternCount, variants: int = VARIANTS) -> str:
    """How often a message occurred, from when to when, some of its exact forms, and its value ranges."""
    head = f"[{pattern.source} L{pattern.line}] ×{pattern.count}{_span(pattern.first, pattern.last)}"
    level = f" {pattern.level}" if pattern.level else ""
    if len(pattern.variants) == 1 and pattern.variants_complete:
        return f"{head}{level}: {quote(pattern.variants[0].text, LINE_CHARS)}"
    shown = "; ".join(map(_variant, pattern.variants[:variants]))
    values = "; ".join(map(_values, pattern.values[:VALUES]))
    return f"{head}{level}: {quote(pattern.pattern, LINE_CHARS)}{_part(shown)}{_part(values)}"


def alert_line(alerts: Sequence[Alert]) -> str:
    """Alerts with one name, full label set and state: as the first gives it, and how many there were (T5)."""
    first = alerts[0]
    sources = ", ".join(dict.fromkeys(alert.source for alert in alerts))
    count = f" ×{len(alerts)}" if len(alerts) > 1 else ""
    since = f" since {show_time(first.active_at)}" if first.active_at else ""
    ends = f" ends {show_time(first.ends_at)}" if first.ends_at else ""
    value = f" value {first.value}" if first.value is not None else ""
    facts = f"alert {first.name} {first.state.value}{count}{since}{ends}{value} {label_set(first.labels)}"
    notes = (f"{name}: {quote(text, ANNOTATION_CHARS)}" for name, text in sorted(first.annotations.items())[:NOTES])
    return f"[{sources}] {facts}{_part('; '.join(notes))}"


def series_line(series: Series) -> str:
    """The value of an instant series; first, last, least and greatest of a range, each with its time."""
    name = f"[{series.source}] {series.metric or ''}{label_set(series.labels)}"
    if series.count == 1 and series.last is not None:
        return f"{name} = {_sample(series.last)}"
    ends = (("first", series.first), ("last", series.last), ("min", series.minimum), ("max", series.maximum))
    shown = ", ".join(f"{word} {_sample(sample)}" for word, sample in ends if sample is not None)
    special = f", {series.special} not finite" if series.special else ""
    return f"{name}: {series.count} samples{', ' if shown else ''}{shown}{special}"


def chunk_line(chunk: Chunk) -> str:
    """Source, heading and shortened text of a passage."""
    return f"[{chunk.source} L{chunk.line} {quote(chunk.heading, 80)}] {quote(chunk.text, CHUNK_CHARS)}"


def tally_line(tally: Tally) -> str:
    """A count of one value, with the line of an example."""
    place = f" L{tally.line}" if tally.line is not None else ""
    source = f" [{tally.source}{place}]" if tally.source else place
    example = f" {quote(tally.example, LABEL_CHARS)}" if tally.example else ""
    return f"{quote(tally.name, 80)}={quote(tally.value, LABEL_CHARS)}: {tally.count}{source}{example}"


def gap_line(gap: Gap) -> str:
    """What could not be used, and why."""
    detail = f": {quote(gap.detail, ANNOTATION_CHARS)}" if gap.detail else ""
    return f"gap: {gap.source}: {quote(gap.reason, 80)}{detail}"


def label_set(labels: Mapping[str, str]) -> str:
    """Labels by name, so that equal sets read the same whatever order they came in."""
    if not labels:
        return ""
    return "{" + quote(", ".join(f'{name}="{value}"' for name, value in sorted(labels.items())), LABEL_CHARS) + "}"


def _variant(variant: Variant) -> str:
    return f"×{variant.count} L{variant.line} {quote(variant.text, VARIANT_CHARS)}"


def _values(value: ValueRange) -> str:
    name, unit = value.name or f"slot {value.slot}", value.unit or ""
    return f"{name} {value.minimum}{unit} (L{value.minimum_line}) to {value.maximum}{unit} (L{value.maximum_line})"


def _sample(sample: Sample) -> str:
    return f"{sample.value} at {show_time(sample.time)}"


def _at(moment: datetime | None) -> str:
    return f" {show_time(moment)}" if moment else ""


def _span(first: datetime | None, last: datetime | None) -> str:
    if first is None or last is None:
        return ""
    return f" {show_time(first)}" if first == last else f" {show_time(first)} to {show_time(last)}"


def _part(text: str) -> str:
    return f" | {text}" if text else ""
