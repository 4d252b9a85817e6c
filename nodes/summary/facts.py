"""What a group of calls brought, as lines ranked by what they are worth (T6, T7)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from superbiz.graph.domain.evidence import Alert, AlertState, Chunk, LogEvent, Record, Status, ToolOutput
from superbiz.graph.domain.ids import InvocationId, TraceRef
from superbiz.graph.domain.record import Invocation
from superbiz.nodes.summary import ranking, render
from superbiz.nodes.summary.groups import Group
from superbiz.nodes.summary.quoting import one_line, quote
from superbiz.nodes.summary.ranking import Rank
from superbiz.nodes.summary.standing import is_hit, status_of

Place = tuple[str, str]
"""What tells a record from others: its source, and its line in a log or its text."""

SHORT_CHARS = 160
"""What is shown of a line that does not fit whole."""

NAMED_GAPS = 3
"""Gaps of an entry that rank as such; the rest must not push out what was found."""


class Kind(StrEnum):
    """What a line stands for, in the words that count what was left out."""

    RECORD = "records"
    PATTERN = "patterns"
    TALLY = "tallies"
    GAP = "gaps"


@dataclass(frozen=True)
class Fact:
    """One line of an entry."""

    kind: Kind
    rank: Rank
    order: tuple[int, int]
    """Within the rank: lower first."""
    forms: tuple[str, ...]
    """The line, then shorter forms of it for when there is less room."""
    place: Place | None = None


def facts_of(group: Group, question: str, refs: Mapping[InvocationId, TraceRef]) -> tuple[Fact, ...]:
    """All lines of a group, best first, equal lines once. What only an excerpt asks for is not among them."""
    terms = ranking.terms_of(group.rows, question)
    outputs = tuple(row.output for row in group.rows if row.output is not None and not row.deduped)
    found = [*_outcomes(group, refs), *_gaps(outputs), *_alerts(outputs, terms)]
    for output in outputs:
        found += [*_records(output, terms), *_patterns(output, terms), *_tallies(output)]
    return in_order(found)


def in_order(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Best first; of equal lines the best stays."""
    unique: dict[str, Fact] = {}
    for fact in sorted(facts, key=lambda fact: (fact.rank, fact.order)):
        unique.setdefault(fact.forms[0], fact)
    return tuple(unique.values())


def line_of(kind: Kind, rank: Rank, order: tuple[int, int], *forms: str, place: Place | None = None) -> Fact:
    """A fact on one line, whatever line ends its words hold; its last form is the beginning of the one before."""
    return Fact(kind, rank, order, tuple(map(one_line, (*forms, quote(forms[-1], SHORT_CHARS)))), place)


def _outcomes(group: Group, refs: Mapping[InvocationId, TraceRef]) -> Iterator[Fact]:
    """How calls ended that brought nothing: failures always, empty answers where the entry has no hit (T4, T5)."""
    for index, row in enumerate(group.rows):
        failed = status_of(row) is Status.FAILED
        if failed or (row is group.lead and not is_hit(row)):
            yield line_of(Kind.GAP, Rank.GAP, (0, index), _outcome(row, refs))


def _outcome(row: Invocation, refs: Mapping[InvocationId, TraceRef]) -> str:
    if row.deduped_of is not None:
        return f"duplicate of {refs.get(row.deduped_of, row.deduped_of)}: nothing new"
    match status_of(row):
        case Status.FAILED:
            return f"call failed: {row.error.type}: {row.error.message}" if row.error else "call failed: it never ended"
        case Status.NO_DATA:
            return "no data: the query brought nothing, which is neither zero nor healthy"
        case Status.PARTIAL:
            return "partial: nothing found in the part that could be read"
        case Status.OK | Status.ZERO:
            return "nothing matched"
        case status:
            assert_never(status)


def _gaps(outputs: tuple[ToolOutput, ...]) -> Iterator[Fact]:
    gaps = dict.fromkeys(gap for output in outputs for gap in output.scope.gaps)
    for index, gap in enumerate(gaps):
        rank = Rank.GAP if index < NAMED_GAPS else Rank.PLAIN
        yield line_of(Kind.GAP, rank, (1, index), render.gap_line(gap))


def _alerts(outputs: tuple[ToolOutput, ...], terms: tuple[str, ...]) -> Iterator[Fact]:
    """Alerts of all calls: one line for one name with one full label set in one state (T5)."""
    alike: dict[tuple[str, AlertState, tuple[tuple[str, str], ...]], list[Alert]] = {}
    for output in outputs:
        for record in output.records:
            if isinstance(record, Alert):
                key = (record.name, record.state, tuple(sorted(record.labels.items())))
                alike.setdefault(key, []).append(record)
    for index, alerts in enumerate(alike.values()):
        line = render.alert_line(alerts)
        rank, weight = ranking.alert_standing(alerts[0], ranking.distance(line, terms))
        place = (alerts[0].source, alerts[0].text) if len(alerts) == 1 else None
        yield line_of(Kind.RECORD, rank, (weight, index), line, place=place)


def _records(output: ToolOutput, terms: tuple[str, ...]) -> Iterator[Fact]:
    """Records but alerts, in the tool's own order: it has ranked them by rarity, level and names already."""
    for index, record in enumerate(output.records):
        if (fact := _record(record, 2 * index, terms)) is not None:
            yield fact


def _record(record: Record, index: int, terms: tuple[str, ...]) -> Fact | None:
    match record:
        case LogEvent():
            line = render.log_line(record)
            rank, weight = ranking.log_standing(record.level, ranking.distance(line, terms))
            return line_of(Kind.RECORD, rank, (weight, index), line, place=(record.source, str(record.line)))
        case Chunk():
            return line_of(Kind.RECORD, Rank.NOTABLE, (0, index), render.chunk_line(record))
        case Alert():
            return None
        case _:
            line = render.series_line(record)
            rank, weight = ranking.series_standing(record, ranking.distance(line, terms))
            return line_of(Kind.RECORD, rank, (weight, index), line)


def _patterns(output: ToolOutput, terms: tuple[str, ...]) -> Iterator[Fact]:
    """Message counts, rare ones first, in turn with the records. What occurred once and is a record is said once."""
    shown = {(record.source, record.line) for record in output.records if isinstance(record, LogEvent)}
    counted = [p for p in output.aggregates.patterns if p.count > 1 or (p.source, p.line) not in shown]
    for index, pattern in enumerate(sorted(counted, key=lambda pattern: pattern.count)):
        line = render.pattern_line(pattern)
        rank, weight = ranking.log_standing(pattern.level, ranking.distance(line, terms))
        yield line_of(Kind.PATTERN, rank, (weight, 2 * index + 1), line, render.pattern_line(pattern, variants=0))


def _tallies(output: ToolOutput) -> Iterator[Fact]:
    for index, tally in enumerate(output.aggregates.tallies):
        rank, weight = ranking.tally_standing(tally)
        yield line_of(Kind.TALLY, rank, (weight, index), render.tally_line(tally))
