"""How much a line matters: its level or state, its rarity, what the question names; never how often it stands there."""

from collections.abc import Iterator
from enum import IntEnum
from typing import assert_never

from superbiz.graph.domain.evidence import Alert, AlertState, Series, Tally
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.tasks import Catalog
from superbiz.nodes.planning.question import read_question

SHORTEST_TERM = 3
RELATED_MOST = 3


class Rank(IntEnum):
    """The order in which facts are given room."""

    EXCERPT = 0
    """A claim quotes it."""
    FIRING = 1
    GAP = 2
    """What could not be seen."""
    SEVERE = 3
    """Errors, pending alerts, targets that are down."""
    NOTABLE = 4
    """Warnings, changes, and what the question names."""
    PLAIN = 5
    BOILERPLATE = 6


Standing = tuple[Rank, int]
"""A rank, and the weight within it: lower first."""


def terms_of(rows: tuple[Invocation, ...], question: str) -> tuple[str, ...]:
    """Words that make a line relevant: the question's, and the names the calls asked for (their aliases resolved)."""
    reading = read_question(question, Catalog())
    named = [name for row in rows for name in _strings(row, "entities")]
    words = dict.fromkeys(word.casefold() for word in (*reading.entities, *reading.terms, *named))
    return tuple(word for word in words if len(word) >= SHORTEST_TERM)


def distance(line: str, terms: tuple[str, ...]) -> int:
    """0 for a line that holds three of the terms or more, up to 3 for one that holds none."""
    folded = line.casefold()
    return RELATED_MOST - min(sum(term in folded for term in terms), RELATED_MOST)


def log_standing(level: str | None, far: int) -> Standing:
    """An event or a message pattern, by its level and its distance from the question."""
    match level:
        case "FATAL":
            return Rank.SEVERE, 0
        case "ERROR":
            return Rank.SEVERE, 1
        case "WARN":
            return Rank.NOTABLE, far
        case _ if far < RELATED_MOST:
            return Rank.NOTABLE, far
        case None:
            return Rank.PLAIN, 0
        case _:
            return Rank.BOILERPLATE, 0


def alert_standing(alert: Alert, far: int) -> Standing:
    """A firing alert before everything else that no claim quotes; the urgent ones first."""
    match alert.state:
        case AlertState.FIRING:
            urgent = alert.labels.get("severity", "").casefold() in ("critical", "page")
            return Rank.FIRING, far if urgent else far + RELATED_MOST + 1
        case AlertState.PENDING:
            return Rank.SEVERE, 0
        case AlertState.SUPPRESSED | AlertState.RESOLVED:
            return Rank.NOTABLE, far
        case AlertState.INACTIVE:
            return Rank.BOILERPLATE, 0
        case state:
            assert_never(state)


def series_standing(series: Series, far: int) -> Standing:
    """A target that is down; then what changed, is not finite, or is asked for."""
    if series.metric == "up" and series.last is not None and series.last.value in ("0", "0.0"):
        return Rank.SEVERE, 0
    least, most = series.minimum, series.maximum
    changed = least is not None and most is not None and least.value != most.value
    return (Rank.NOTABLE, far) if changed or series.special or far < RELATED_MOST else (Rank.PLAIN, 0)


def tally_standing(tally: Tally) -> Standing:
    """A count of errors, by level or by status code, before other counts."""
    bad = tally.value.upper() in ("ERROR", "FATAL") or (tally.name == "status" and tally.value.startswith("5"))
    return (Rank.SEVERE if bad else Rank.PLAIN), 1


def _strings(row: Invocation, argument: str) -> Iterator[str]:
    value = row.arguments.get(argument)
    yield from (word for word in value if isinstance(word, str)) if isinstance(value, list) else ()
