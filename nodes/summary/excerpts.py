"""Lifts what the claims quote: every valid excerpt stands in its entry's summary, the first of all to get room (T7)."""

from superbiz.graph.domain.text import fold, normalise
from superbiz.graph.domain.times import show_time
from superbiz.nodes.summary.facts import Fact, Kind, Place, in_order, line_of
from superbiz.nodes.summary.groups import Group
from superbiz.nodes.summary.quoting import locate, quote
from superbiz.nodes.summary.ranking import Rank
from superbiz.nodes.verify.carriers import Carrier, carriers_of

WINDOW_CHARS = 320
"""Characters shown around an excerpt; a longer excerpt is shown whole when there is room."""


def with_excerpts(group: Group, facts: tuple[Fact, ...], excerpts: tuple[str, ...]) -> tuple[Fact, ...]:
    """The facts, led by a line for each excerpt that the group's output holds, in the excerpts' order.

    What holds an excerpt is what the binding check looks through: the same carriers. A line that shows the excerpt
    already is promoted; else the words around it become a line, in place of the record that was shown shortened.
    """
    wanted = [folded for folded in map(fold, dict.fromkeys(excerpts)) if folded]
    rows = [row for row in group.rows if wanted and not row.deduped]
    carriers = [carrier for row in rows for carrier in carriers_of(row)]
    flat = [(_flat(fact.forms[0]), fact) for fact in facts] if wanted else []
    lifted: list[Fact] = []
    for number, folded in enumerate(wanted):
        carrier = next((carrier for carrier in carriers if folded in carrier.folded), None)
        if carrier is not None and not any(folded in fold(fact.forms[0]) for fact in lifted):
            shown = next((fact for text, fact in flat if folded in text), None)
            lifted.append(_lift(carrier, folded, number, shown))
    places = {fact.place for fact in lifted if fact.place is not None}
    return in_order([*lifted, *(fact for fact in facts if fact.place not in places)])


def _lift(carrier: Carrier, folded: str, number: int, shown: Fact | None) -> Fact:
    """Lines that hold the whole excerpt, each shorter than the one before; the last is the excerpt alone."""
    words, (start, end) = _words_with(carrier, folded)
    excerpt, order = words[start:end], (number, 0)
    if shown is None:
        window, head = quote(words, WINDOW_CHARS, (start, end)), _head(carrier)
        kind, place = _kind_and_place(carrier, window == words)
        return line_of(kind, Rank.EXCERPT, order, f"{head} {window}", f"{head} {excerpt}", excerpt, place=place)
    forms = [form for form in shown.forms[:-1] if folded in _flat(form)]
    if shown.kind is not Kind.TALLY:  # A tally without its count would say nothing.
        forms.append(excerpt)
    return line_of(shown.kind, Rank.EXCERPT, order, *forms, place=shown.place)


def _words_with(carrier: Carrier, folded: str) -> tuple[str, tuple[int, int]]:
    """The carrier's own text when the excerpt stands in it, else all that belongs to it; and where it stands."""
    for text in (carrier.text, f"{carrier.text} {carrier.also} {carrier.source}"):
        words = normalise(text)
        if (span := locate(words, folded)) is not None:
            return words, span
    raise AssertionError(f"{folded!r} was found in a carrier and cannot be located in it")


def _kind_and_place(carrier: Carrier, whole: bool) -> tuple[Kind, Place | None]:
    """What the line stands for, and the record whose own line it replaces.

    The line of an alert goes only when its whole body is shown: it names labels that a part may not. That of a series
    never does: its body has seconds since 1970 where the line has times.
    """
    if carrier.lines:
        line = str(min(carrier.lines))
        return (Kind.PATTERN, None) if carrier.counts else (Kind.RECORD, (carrier.source, line))
    return Kind.RECORD, (carrier.source, carrier.text) if whole else None


def _head(carrier: Carrier) -> str:
    """Where the words stand: source, and for logs line, count and times; for an alert its state at `as_of`."""
    parts = [carrier.source, *(f"L{line}" for line in sorted(carrier.lines))]
    if carrier.lines:
        parts += [*(f"×{count}" for count in sorted(carrier.counts)), *map(show_time, sorted(carrier.moments))]
    if carrier.state is not None:
        parts.append(carrier.state.value)
    return f"[{' '.join(parts)}]"


def _flat(text: str) -> str:
    """Like `fold`, for texts that are normalised already: some thousand lines are compared for each call."""
    return " ".join(text.casefold().split())
