"""Messages that differ only in numbers and identifiers, counted together, over everything that was scanned.

Two stages: a cheap key (all digits alike) finds the pattern of most lines; only a new key pays for masking.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from superbiz.graph.domain.evidence import PatternCount, ValueRange, Variant
from superbiz.graph.domain.text import normalise
from superbiz.nodes.tools.logs.events import RawEvent

MAX_VARIANTS = 20
MAX_PATTERNS = 20_000
MAX_KEYS = 100_000
PATTERN_CHARS = 400
"""Longer messages are compared and shown by their beginning."""

_SHAPE = str.maketrans("123456789", "0" * 9)
_MASK = re.compile(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|\b0x[0-9a-fA-F]+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{6,}\b|\d+(?:\.\d+)*"
)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")
_UNIT = re.compile(r"\s?(ms|us|µs|ns|s|sec|secs|seconds|minutes|min|hours|%|[KMGT]i?B|bytes)\b")
_NAME = re.compile(r"(?<![A-Za-z0-9_.])([A-Za-z_][\w.]*)\s*[=:]?\s*\Z")
_KEY = re.compile(
    r"(?<![A-Za-z_.])([A-Za-z_.]*(?:[tT]ime|[dD]uration|[lL]atency|[eE]lapsed|[tT]ook|[cC]ost|_ms|_seconds|_bytes))"
    r"\s*[=:]\s*\Z"
)
_ALONE = re.compile(r"(?![\w.:-])")
_BEFORE = 100
"""Characters before a number in which its name is looked for."""


@dataclass(slots=True)
class _Range:
    """Least and greatest number of one place, with the events that hold them."""

    name: str | None
    unit: str | None
    least: float
    most: float
    least_text: str
    most_text: str
    least_event: RawEvent
    most_event: RawEvent


@dataclass(slots=True)
class _Count:
    """An exact message."""

    event: RawEvent
    count: int = 0
    first: datetime | None = None
    last: datetime | None = None


@dataclass(slots=True)
class Pattern:
    """What was counted under one pattern."""

    text: str
    level: str | None
    event: RawEvent
    """The first of the file."""
    count: int = 0
    first: datetime | None = None
    last: datetime | None = None
    last_event: RawEvent | None = None
    named_event: RawEvent | None = None
    """The first that names an entity of the question."""
    variants: dict[str, _Count] = field(default_factory=dict)
    complete: bool = True
    measured: bool = False
    ranges: dict[tuple[int, str | None, str | None], _Range] = field(default_factory=dict)

    def add(self, event: RawEvent) -> None:
        """Count one more event."""
        self.count += 1
        self.last_event = event
        self.first, self.last = _widened(self.first, self.last, event.time)
        self._add_variant(event)
        if self.measured:
            self._add_values(event)

    def events(self) -> list[RawEvent]:
        """The events worth showing, the most telling first: named, greatest, first, variants, least, last."""
        most = [found.most_event for found in self.ranges.values()]
        least = [found.least_event for found in self.ranges.values()]
        common = sorted(self.variants.values(), key=lambda variant: (-variant.count, variant.event.line))
        chosen = [self.named_event, *most[:2], self.event, *(v.event for v in common[:4]), *least[:1], self.last_event]
        return list({event.line: event for event in chosen if event is not None}.values())

    def counted(self, source: str) -> PatternCount:
        """The pattern as an aggregate."""
        common = sorted(self.variants.values(), key=lambda variant: (-variant.count, variant.event.line))
        return PatternCount(
            source=source,
            pattern=normalise(self.text),
            level=self.level,
            count=self.count,
            line=self.event.line,
            first=self.first,
            last=self.last,
            variants=tuple(
                Variant(
                    text=_shown(variant.event.message),
                    count=variant.count,
                    line=variant.event.line,
                    first=variant.first,
                    last=variant.last,
                )
                for variant in common[:MAX_VARIANTS]
            ),
            variants_complete=self.complete,
            values=tuple(
                ValueRange(
                    slot=slot,
                    name=found.name,
                    unit=found.unit,
                    minimum=found.least_text,
                    maximum=found.most_text,
                    minimum_line=found.least_event.line,
                    maximum_line=found.most_event.line,
                )
                for (slot, _, _), found in sorted(self.ranges.items(), key=lambda item: item[0][0])
            ),
        )

    def _add_variant(self, event: RawEvent) -> None:
        known = self.variants.get(event.message)
        if known is None:
            if len(self.variants) >= MAX_VARIANTS:
                self.complete = False
                return
            known = self.variants[event.message] = _Count(event)
        known.count += 1
        known.first, known.last = _widened(known.first, known.last, event.time)

    def _add_values(self, event: RawEvent) -> None:
        for slot, (name, text, unit) in enumerate(_measured(event.message[:PATTERN_CHARS])):
            value = float(text)
            found = self.ranges.get((slot, name, unit))
            if found is None:
                self.ranges[slot, name, unit] = _Range(name, unit, value, value, text, text, event, event)
                continue
            if value < found.least:
                found.least, found.least_text, found.least_event = value, text, event
            if value > found.most:
                found.most, found.most_text, found.most_event = value, text, event


class Patterns:
    """Counts events by pattern. The order of patterns is that of their first events."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str | None], Pattern] = {}
        self.left_out = 0
        """Events whose pattern was one too many."""
        self._by_key: dict[tuple[str, str | None], Pattern] = {}

    def add(self, event: RawEvent) -> Pattern | None:
        """Count an event; None when there were too many patterns to tell its own."""
        key = (event.message[:PATTERN_CHARS].translate(_SHAPE), event.level)
        pattern = self._by_key.get(key)
        if pattern is None:
            pattern = self._masked(event)
            if pattern is None:
                self.left_out += 1
                return None
            if len(self._by_key) >= MAX_KEYS:
                self._by_key.clear()
            self._by_key[key] = pattern
        pattern.add(event)
        return pattern

    def _masked(self, event: RawEvent) -> Pattern | None:
        text = _MASK.sub("<*>", " ".join(event.message[:PATTERN_CHARS].split()))
        key = (text, event.level)
        if key not in self.found:
            if len(self.found) >= MAX_PATTERNS:
                return None
            measured = any(_measured(event.message[:PATTERN_CHARS]))
            self.found[key] = Pattern(text, event.level, event, measured=measured)
        return self.found[key]


def _measured(message: str) -> Iterator[tuple[str | None, str, str | None]]:
    """Name, number and unit of what was measured; found from the numbers, as most words have none behind them."""
    done = 0
    for number in _NUMBER.finditer(message):
        start, end = number.span()
        before = max(done, start - _BEFORE)
        if unit := _UNIT.match(message, end):
            name, end = _NAME.search(message, before, start), unit.end()
        elif not _ALONE.match(message, end) or not (name := _KEY.search(message, before, start)):
            continue
        done = end
        said = name.group(1) if name else None
        # A name with digits varies with the events, as `worker7` does.
        yield said if said and not any(map(str.isdigit, said)) else None, number.group(), unit and unit.group(1)


def _widened(
    first: datetime | None, last: datetime | None, moment: datetime | None
) -> tuple[datetime | None, datetime | None]:
    if moment is None:
        return first, last
    return (
        moment if first is None or moment < first else first,
        moment if last is None or moment > last else last,
    )


def _shown(message: str) -> str:
    return " ".join(message[: PATTERN_CHARS * 4].split())
