"""What can carry a statement: one record, or one aggregate over everything scanned, with its own hard parts.

A statement is direct only when one carrier holds all of it: a value must meet its subject (DESIGN decision 2).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property

from superbiz.graph.domain.evidence import (
    Aggregates,
    Alert,
    AlertState,
    Chunk,
    LogEvent,
    PatternCount,
    Record,
    Series,
    Tally,
    Variant,
)
from superbiz.graph.domain.ids import InvocationId
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.text import fold
from superbiz.nodes.verify.atoms import Atoms, Quantity, QuantityKind, numbers_in

_EDGE = r"[A-Za-z0-9_]"
_ONE = frozenset((Decimal(1),))
"""What a single record counts."""


@dataclass(frozen=True)
class Carrier:
    """One record or aggregate of one invocation."""

    invocation_id: InvocationId
    text: str
    """Verbatim: what a reference quotes."""
    source: str
    also: str = ""
    """Other words that belong to it: labels, block names."""
    moments: frozenset[datetime] = frozenset()
    counts: frozenset[Decimal] = frozenset()
    lines: frozenset[Decimal] = frozenset()
    state: AlertState | None = None
    subject: str = ""
    """Name of the alert, folded."""
    knowledge: bool = False
    values: frozenset[Decimal] = field(default=frozenset())
    """Numbers beside those in the text."""

    @cached_property
    def folded(self) -> str:
        """Everything a name or quote may match in."""
        return fold(f"{self.text} {self.also} {self.source}")

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        """Numbers that may be a measured value."""
        return numbers_in(self.text) | self.values

    def missing(self, atoms: Atoms) -> Iterator[str]:
        """The hard parts that this carrier does not hold, each with its kind."""
        yield from (f"quote_not_found: {quote[:80]}" for quote in atoms.quotes if quote not in self.folded)
        yield from (f"label_not_found: {label}" for label in atoms.labels if not self.labelled(label))
        yield from (f"name_not_found: {name}" for name in atoms.names if not self.names(name))
        yield from (f"time_not_found: {moment.isoformat()}" for moment in atoms.moments if moment not in self.moments)
        yield from (f"value_not_found: {q.value:f}{q.unit}" for q in atoms.quantities if not self.holds(q))
        yield from (f"state_differs: {state}" for state in atoms.states if state is not self.state)

    def names(self, name: str) -> bool:
        """Whether the folded name stands here as a whole token, not inside a longer one."""
        return name in self.folded and re.search(rf"(?<!{_EDGE}){re.escape(name)}(?!{_EDGE})", self.folded) is not None

    def labelled(self, label: str) -> bool:
        """Whether the folded `name=value` stands here with nothing more of the value behind it."""
        return re.search(rf"(?<!{_EDGE}){re.escape(label)}(?![A-Za-z0-9_.:-])", self.folded) is not None

    def holds(self, quantity: Quantity) -> bool:
        """Whether the number stands here in its kind: a line number is no count, a count no value."""
        match quantity.kind:
            case QuantityKind.LINE:
                return quantity.value in self.lines
            case QuantityKind.COUNT:
                return quantity.value in (self.counts or _ONE) or self._says(quantity)
            case _:
                return quantity.value in self.numbers

    def _says(self, quantity: Quantity) -> bool:
        """Whether the text itself counts: "3 times", with the number and its unit side by side."""
        return re.search(rf"(?<![\w.:-]){quantity.value:f}\s?{re.escape(quantity.unit)}", self.folded) is not None


def carriers_of(row: Invocation) -> Iterator[Carrier]:
    """Every record and aggregate of a row's output."""
    if row.output is None:
        return
    yield from (_of_record(row.invocation_id, record) for record in row.output.records)
    window = _moments(row.output.scope.since, row.output.scope.until)
    # What was counted over a window may say so.
    for carrier in _of_aggregates(row.invocation_id, row.output.aggregates):
        yield replace(carrier, moments=carrier.moments | window) if window else carrier


def _of_record(invocation: InvocationId, record: Record) -> Carrier:
    match record:
        case LogEvent():
            return Carrier(
                invocation,
                record.text,
                record.source,
                " ".join(filter(None, [*record.context, record.level, record.message])),
                _moments(record.time),
                lines=frozenset((Decimal(record.line),)),
            )
        case Series():
            samples = (record.first, record.last, record.minimum, record.maximum)
            return Carrier(
                invocation,
                record.text,
                record.source,
                " ".join([record.metric or "", *(f"{name}={value}" for name, value in sorted(record.labels.items()))]),
                _moments(*(sample.time for sample in samples if sample is not None)),
                counts=frozenset((Decimal(record.count),)),
            )
        case Alert():
            return Carrier(
                invocation,
                record.text,
                record.source,
                " ".join([record.name, *(f"{name}={value}" for name, value in sorted(record.labels.items()))]),
                _moments(record.active_at, record.ends_at),
                state=record.state,
                subject=fold(record.name),
            )
        case Chunk():
            lines = frozenset((Decimal(record.line),))
            return Carrier(invocation, record.text, record.source, record.heading, lines=lines, knowledge=True)


def _of_aggregates(invocation: InvocationId, aggregates: Aggregates) -> Iterator[Carrier]:
    for pattern in aggregates.patterns:
        yield _of_count(invocation, pattern, pattern.source, pattern.pattern, _range_values(pattern))
        for variant in pattern.variants:
            yield _of_count(invocation, variant, pattern.source, variant.text, frozenset())
    for tally in aggregates.tallies:
        yield _of_tally(invocation, tally)


def _of_count(
    invocation: InvocationId, counted: PatternCount | Variant, source: str, text: str, values: frozenset[Decimal]
) -> Carrier:
    return Carrier(
        invocation,
        text,
        source,
        moments=_moments(counted.first, counted.last),
        counts=frozenset((Decimal(counted.count),)),
        lines=frozenset((Decimal(counted.line),)),
        values=values,
    )


def _of_tally(invocation: InvocationId, tally: Tally) -> Carrier:
    return Carrier(
        invocation,
        tally.example or f"{tally.name}={tally.value}",
        tally.source or "",
        f"{tally.name}={tally.value}",
        counts=frozenset((Decimal(tally.count),)),
    )


def _range_values(pattern: PatternCount) -> frozenset[Decimal]:
    texts = [text for value in pattern.values for text in (value.minimum, value.maximum)]
    return numbers_in(" ".join(texts))


def _moments(*moments: datetime | None) -> frozenset[datetime]:
    return frozenset(moment for moment in moments if moment is not None)
