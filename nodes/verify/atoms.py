"""The hard parts of a statement: quotes, moments, quantities, names, states; and the words that are left.

A statement is only as good as its hard parts; the words left over must be resolved too before it can be direct.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum

from superbiz.graph.domain.base import Frozen
from superbiz.graph.domain.evidence import AlertState
from superbiz.graph.domain.plan import Language
from superbiz.graph.domain.text import fold, normalise
from superbiz.nodes.verify.vocabulary import form_words, state_words


class QuantityKind(StrEnum):
    """What a number counts: a line number and a count are no measurement, even when the digits agree."""

    VALUE = "value"
    COUNT = "count"
    LINE = "line"


class Quantity(Frozen):
    """A number of a statement, exact, with the unit as written."""

    kind: QuantityKind
    value: Decimal
    unit: str = ""


class Atoms(Frozen):
    """What a statement says, taken apart. Texts are folded."""

    quotes: tuple[str, ...] = ()
    moments: tuple[datetime, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    labels: tuple[str, ...] = ()
    """`name=value` of each label in braces."""
    names: tuple[str, ...] = ()
    states: tuple[AlertState, ...] = ()
    words: tuple[str, ...] = ()
    """Content words beside all that."""

    @property
    def hard(self) -> bool:
        """Whether there is anything that a record could carry."""
        return bool(self.quotes or self.moments or self.quantities or self.labels or self.names or self.states)


_QUOTE = re.compile(r"「([^」]*)」|“([^”]*)”|`([^`]+)`|\"([^\"]+)\"")
LABEL_SET = re.compile(r"\{[^{}=]+=[^{}]*\}")
"""Labels as claims write them, `{a=1, b=2}`. Their words are values: `phase=Pending` states nothing of an alert."""

ASIDE = re.compile(rf"「[^」]*」|{LABEL_SET.pattern}")
"""Parts of a statement whose words are not its own: quotes and labels."""

_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)(Z|[+-]\d{2}:?\d{2})?")
_UNIT = (
    r"(?:毫秒|微秒|秒|分钟|小时|天|次|条|行|个样本|个|台|ms|us|µs|ns|s|sec|secs|seconds?|minutes?|min|hours?|h|%|"
    r"[KMGT]i?B?|bytes?|B|times|lines|events|records|entries)"
)
_NUMBER = rf"(?P<number>[-+]?\d+(?:,\d{{3}})*(?:\.\d+)?(?:[eE][-+]?\d{{1,3}})?)\s*(?P<unit>{_UNIT}(?![A-Za-z0-9]))?"
_ANY_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3}(?!\d))?")
"""An exponent has three digits at most: a hex id such as 6e99999999 is no number, and would overflow."""

_LINE = re.compile(r"第\s*(\d+)\s*行|\bline\s+(\d+)\b", re.IGNORECASE)
_QUANTITY = re.compile(rf"(?<![A-Za-z0-9_.:/@-]){_NUMBER}(?![A-Za-z0-9_/@-]|[.:]\d)")
_NAME = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9_/][A-Za-z0-9_./:@$\[\]-]*[A-Za-z0-9_\]]|\b[A-Za-z]\b")
_WORD = re.compile(r"[A-Za-z]{2,}|[\u4e00-\u9fff]+")
_COUNTING = frozenset(("次", "条", "行", "个", "个样本", "台", "times", "lines", "events", "records", "entries"))


def atoms_of(statement: str) -> Atoms:
    """Take a statement apart, in this order: quotes, moments, lines, quantities, states, names, words."""
    text = normalise(statement)
    quotes = tuple(fold(next(filter(None, match.groups()), "")) for match in _QUOTE.finditer(text))
    text = _QUOTE.sub(" ", text)
    labels = tuple(fold(pair) for match in LABEL_SET.finditer(text) for pair in match.group()[1:-1].split(", "))
    text = LABEL_SET.sub(" ", text)
    moments = tuple(moment for match in _MOMENT.finditer(text) if (moment := _moment(match)) is not None)
    text = _MOMENT.sub(" ", text)
    lines = tuple(_line(match) for match in _LINE.finditer(text))
    text = _LINE.sub(" ", text)
    quantities = tuple(map(_quantity, _QUANTITY.finditer(text)))
    text = _QUANTITY.sub(" ", text)
    names, text = _take_names(text)
    states, text = _take_states(fold(text))
    return Atoms(
        quotes=tuple(quote for quote in quotes if quote),
        moments=moments,
        quantities=(*lines, *quantities),
        labels=labels,
        names=names,
        states=states,
        words=tuple(_words(text)),
    )


def numbers_in(text: str) -> frozenset[Decimal]:
    """Every number that stands in a text, also those inside `key=12ms`."""
    return frozenset(Decimal(match.group()) for match in _ANY_NUMBER.finditer(text))


def is_identifier(name: str) -> bool:
    """Shaped like a name that a system gave: joined parts, or letters with digits (V4)."""
    letters = any(char.isalpha() for char in name)
    digits = any(char.isdigit() for char in name)
    joined = re.search(r"[a-z0-9][-_./:@$][a-z0-9]", name) is not None
    return letters and (joined or digits)


def _moment(match: re.Match[str]) -> datetime | None:
    day, clock, zone = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock.replace(',', '.')}{zone or '+00:00'}")
    except ValueError:
        return None
    return moment.astimezone(UTC)


def _line(match: re.Match[str]) -> Quantity:
    return Quantity(kind=QuantityKind.LINE, value=Decimal(match.group(1) or match.group(2)))


def _quantity(match: re.Match[str]) -> Quantity:
    value, unit = Decimal(match.group("number").replace(",", "")), match.group("unit") or ""
    return Quantity(kind=QuantityKind.COUNT if unit in _COUNTING else QuantityKind.VALUE, value=value, unit=unit)


def _take_states(text: str) -> tuple[tuple[AlertState, ...], str]:
    """The alert states named, longest words first so that "not firing" words cannot hide in others."""
    found: dict[AlertState, None] = {}
    for word, state in state_words():
        pattern = rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word)
        text, count = re.subn(pattern, " ", text)
        if count:
            found[state] = None
    return tuple(found), text


def _take_names(text: str) -> tuple[tuple[str, ...], str]:
    """Identifiers and CamelCase names; the case is gone after folding, so they are taken before."""
    found = dict.fromkeys(match.group() for match in _NAME.finditer(text) if _is_name(match.group()))
    for name in sorted(found, key=len, reverse=True):
        text = text.replace(name, " ")
    return tuple(dict.fromkeys(map(fold, found))), text


def _is_name(token: str) -> bool:
    return is_identifier(token.lower()) or re.search(r"[a-z][A-Z]", token) is not None


def _words(text: str) -> Iterator[str]:
    """Content words: the form words of our own sentences say nothing about the incident and are left out."""
    for language in Language:
        for word in form_words(language):
            text = text.replace(word, " ") if not word.isascii() else re.sub(rf"\b{re.escape(word)}\b", " ", text)
    yield from (match.group() for match in _WORD.finditer(text))
