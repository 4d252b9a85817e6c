"""What fits: one pass over all facts, best first, within the bytes of an entry and of the whole summary (T6)."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from superbiz.graph.domain.record import ToolTraceSummary, TraceEntry
from superbiz.graph.ports import Budgets
from superbiz.nodes.summary.facts import Fact
from superbiz.nodes.summary.ranking import Rank

COMMA = 1
OPENING = -1
"""Number that stands for the opening of an entry among the numbers of its facts."""

_Key = tuple[int, int, tuple[int, int]]


@dataclass(frozen=True)
class Draft:
    """An entry before it is known what fits."""

    entry: TraceEntry
    """All but its output."""
    facts: tuple[Fact, ...]
    """Best first; every entry has at least one."""
    looked_at: str

    @property
    def worth(self) -> tuple[Rank, tuple[int, int]]:
        """What its best line is worth."""
        return (self.facts[0].rank, self.facts[0].order) if self.facts else (Rank.BOILERPLATE, (0, 0))

    def filled(self, lines: dict[int, str]) -> TraceEntry:
        """The entry with these lines (by the number of their fact, in order), and the numbers of what was left out."""
        left_out = Counter(fact.kind.value for number, fact in enumerate(self.facts) if number not in lines)
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(left_out.items()))
        closing = "; ".join(part for part in (self.looked_at, counts and f"left out: {counts}") if part)
        text = "\n".join([*lines.values(), closing] if closing else lines.values())
        return self.entry.model_copy(update={"output_summary": text, "omitted": left_out.total()})


def fitted(drafts: tuple[Draft, ...], budgets: Budgets) -> ToolTraceSummary:
    """The summary that fits.

    An entry is opened (what was asked, how it ended, the closing numbers) and then gets lines. Half of the budget is
    first for opening entries, the most valuable first, so that failed calls and gaps stay visible (T4); then come
    excerpts and firing alerts of all entries, the openings that are left, each entry's first line, and the rest by
    rank. A line that does not fit is tried in its shorter forms, and then is left out.
    """
    drafts = tuple(_lean(draft, budgets.entry_bytes) for draft in drafts)
    room = _Room(drafts, budgets)
    for _, draft, fact in sorted(_turns(drafts, room.openings, budgets.summary_bytes // 2)):
        room.take(draft, fact)
    entries = tuple(draft.filled(room.lines[number]) for number, draft in enumerate(drafts) if number in room.lines)
    return ToolTraceSummary(entries=entries, omitted_entries=len(drafts) - len(entries))


def _lean(draft: Draft, entry_bytes: int) -> Draft:
    """The draft with its quotes in the longest form in which all fit the entry: no quote takes another one's room.

    A form of level n is the nth, or the last that holds the quote whole; all but a fact's last form do.
    """
    quotes = [fact.forms for fact in draft.facts if fact.rank is Rank.EXCERPT]
    room = entry_bytes - _opening(draft)
    shortest = max(map(len, quotes), default=2) - 2
    levels = (n for n in range(shortest) if sum(_line(forms[min(n, len(forms) - 2)]) for forms in quotes) <= room)
    level = next(levels, shortest)
    facts = (
        replace(fact, forms=fact.forms[min(level, len(fact.forms) - 2) :]) if fact.rank is Rank.EXCERPT else fact
        for fact in draft.facts
    )
    return replace(draft, facts=tuple(facts))


class _Stage(IntEnum):
    VISIBLE = 0
    FIRST_OF_ALL = 1
    LATE_OPENING = 2
    FIRST_LINE = 3
    BY_RANK = 4


def _turns(drafts: tuple[Draft, ...], openings: tuple[int, ...], half: int) -> Iterator[tuple[_Key, int, int]]:
    """Every opening (as fact OPENING) and every fact of every draft, with the key that orders them."""
    spent = 0
    for number in sorted(range(len(drafts)), key=lambda number: drafts[number].worth):
        spent += openings[number]
        stage = _Stage.VISIBLE if spent <= half else _Stage.LATE_OPENING
        yield (stage, *drafts[number].worth), number, OPENING
    for number, draft in enumerate(drafts):
        for place, fact in enumerate(draft.facts):
            yield (_stage(place, fact), fact.rank, fact.order), number, place


def _stage(place: int, fact: Fact) -> _Stage:
    if fact.rank <= Rank.FIRING:
        return _Stage.FIRST_OF_ALL
    return _Stage.FIRST_LINE if place == 0 else _Stage.BY_RANK


class _Room:
    """Bytes that are left, and what was taken. Sizes are upper bounds: the closing counts as if nothing fitted."""

    def __init__(self, drafts: tuple[Draft, ...], budgets: Budgets) -> None:
        self._drafts = drafts
        self.openings = tuple(_opening(draft) + COMMA for draft in drafts)
        self._left = budgets.summary_bytes - _size(ToolTraceSummary(omitted_entries=len(drafts)).model_dump_json())
        self._left_in = [budgets.entry_bytes - opening + COMMA for opening in self.openings]
        self.lines: dict[int, dict[int, str]] = {}
        """Draft, then fact, then the form that was taken."""

    def take(self, draft: int, fact: int) -> None:
        """Open the entry when it is not, and give it the longest form of the line that fits."""
        opening = 0 if draft in self.lines else self.openings[draft]
        for form in () if fact == OPENING else self._drafts[draft].facts[fact].forms:
            size = _line(form)
            if self._fits(draft, opening, size):
                self._spend(draft, opening, size)
                self.lines[draft][fact] = form
                return
        if fact == OPENING and self._fits(draft, opening, 0):
            self._spend(draft, opening, 0)

    def _fits(self, draft: int, opening: int, line: int) -> bool:
        return opening + line <= self._left and line <= self._left_in[draft]

    def _spend(self, draft: int, opening: int, line: int) -> None:
        self._left -= opening + line
        self._left_in[draft] -= line
        self.lines.setdefault(draft, {})


def _opening(draft: Draft) -> int:
    return _size(draft.filled({}).model_dump_json())


def _line(form: str) -> int:
    """Bytes of a line in the JSON of its entry, its line end included."""
    return _size(json.dumps(form, ensure_ascii=False)) - len('""') + len(r"\n")


def _size(text: str) -> int:
    return len(text.encode())
