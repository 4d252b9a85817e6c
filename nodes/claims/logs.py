"""What logs show: how often a message stands there, from when to when, and the single events that matter."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from superbiz.graph.domain.contract import ClaimType, SourceType
from superbiz.graph.domain.evidence import LogEvent, PatternCount, Tally, ValueRange, Variant
from superbiz.graph.domain.plan import Language
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.times import show_time
from superbiz.nodes.claims.draft import EXCERPT_CHARS, Draft, quote, quotes, stretch
from superbiz.nodes.tools.logs.levels import LEVELS, at_least
from superbiz.nodes.tools.logs.times import TimeFinder
from superbiz.prompts.phrases import phrase

VARIANTS = 3
"""Variants of one message that get a claim each; with more the pattern is stated instead."""

TALLIES = 2

WITH_EXAMPLES = 2
"""Patterns of a log that are shown with events of theirs; the rest only with their greatest value."""

MANY = 20
"""Events of a log that make a message that occurs once a rare one."""

_GRAVE = at_least("WARN")
_NO_NAME = frozenset(
    ("after", "and", "at", "by", "for", "in", "is", "of", "on", "over", "per", "than", "to", "was", "with")
)
"""Words before a number that do not say what it is."""


class LogClaims:
    """Claims of one query_logs row, best first, never two about the same line."""

    def __init__(self, row: Invocation, language: Language, terms: tuple[str, ...]) -> None:
        self._row = row
        self._language = language
        self._terms = terms
        output = row.output
        events = [record for record in output.records if isinstance(record, LogEvent)] if output else []
        self._aggregates = output.aggregates if output else None
        self._by_line = {(event.source, event.line): event for event in events}

    @cached_property
    def telling(self) -> tuple[PatternCount, ...]:
        """The message patterns that are grave, rare or have a word of the question, in the tool's order.

        A log in which no pattern is either says what its first one holds.
        """
        patterns = self._aggregates.patterns if self._aggregates else ()
        return tuple(one for one in patterns if self._tells(one)) or patterns[:1]

    def drafts(self, patterns: int) -> Iterator[Draft]:
        """Claims of the first `patterns` telling patterns, then of the HTTP status codes."""
        for place, pattern in enumerate(self.telling[:patterns]):
            yield from self._counts(pattern)
            yield from self._examples(pattern, full=place < WITH_EXAMPLES)
        yield from self._statuses()

    def _statuses(self) -> Iterator[Draft]:
        """Counts of HTTP status codes that are errors, server errors first."""
        tallies = self._aggregates.tallies if self._aggregates else ()
        statuses = [tally for tally in tallies if tally.name == "status" and tally.value[:1] in ("4", "5")]
        for tally in sorted(statuses, key=_status_rank)[:TALLIES]:
            yield self._status(tally)

    def _tells(self, pattern: PatternCount) -> bool:
        matched = self._aggregates.matched if self._aggregates else 0
        if pattern.level in _GRAVE or (pattern.count == 1 and pattern.first is not None and matched >= MANY):
            return True
        text = " ".join([pattern.pattern, *(variant.text for variant in pattern.variants)]).lower()
        return any(term.lower() in text for term in self._terms)

    def _counts(self, pattern: PatternCount) -> Iterator[Draft]:
        if _has_few_variants(pattern):
            yield from (self._variant(pattern, variant) for variant in pattern.variants[:VARIANTS])
        else:
            yield self._shape(pattern)

    def _examples(self, pattern: PatternCount, full: bool) -> Iterator[Draft]:
        """Events behind a shape: the one with its greatest value, and in full that with the least, or any."""
        if _has_few_variants(pattern):
            return
        spread = next((value for value in pattern.values if value.minimum != value.maximum), None)
        lines = (spread.maximum_line, spread.minimum_line) if spread else ()
        found = [event for line in lines if (event := self._by_line.get((pattern.source, line)))]
        found = found or [event for event in self._by_line.values() if full and _is_of(event, pattern)]
        yield from map(self._event, found[: 2 if full and spread else 1])

    def _variant(self, pattern: PatternCount, variant: Variant) -> Draft:
        event = self._by_line.get((pattern.source, variant.line))
        if variant.count == 1 and event is not None:
            return self._event(event)
        said = quotes(variant.text, self._terms)
        text = self._many("claims.many", said, pattern.source, variant)
        return self._draft(text, event.text if event is not None else variant.text)

    def _shape(self, pattern: PatternCount) -> Draft:
        said = quote(_message(pattern.pattern), self._terms)
        values = next((value for value in pattern.values if value.minimum != value.maximum), None)
        text = self._many("claims.shape", said, pattern.source, pattern, self._values(values))
        return self._draft(text, pattern.pattern)

    def _values(self, value: ValueRange | None) -> str:
        if value is None or not (value.unit or value.name):
            return ""
        most = f"{value.maximum} {value.unit}" if value.unit else value.maximum
        if value.name is None or value.name.lower() in _NO_NAME:
            return phrase(self._language, "claims.unnamed_values", least=value.minimum, most=most)
        return phrase(self._language, "claims.values", name=value.name, least=value.minimum, most=most)

    def _many(self, key: str, said: str, source: str, counted: PatternCount | Variant, end: str = "") -> str:
        text = phrase(self._language, key, source=source, said=said, count=counted.count)
        if counted.first is not None and counted.last is not None:
            first, last = show_time(counted.first), show_time(counted.last)
            text += phrase(self._language, "claims.from_to", first=first, last=last)
        return text + end + self._window + self._stop

    def _event(self, event: LogEvent) -> Draft:
        said = quotes(_parts(event), self._terms, fill=event.time is None and not event.message)
        text = phrase(self._language, "claims.line", source=event.source, line=event.line, said=said)
        if event.context:
            text += phrase(self._language, "claims.within", context=" / ".join(event.context))
        if event.time is not None:
            text += phrase(self._language, "claims.at", time=show_time(event.time))
        return self._draft(text + self._stop, event.text)

    def _status(self, tally: Tally) -> Draft:
        text = phrase(self._language, "claims.status", source=tally.source, status=tally.value, count=tally.count)
        return self._draft(text + self._window + self._stop, tally.example or f"{tally.name}={tally.value}")

    @property
    def _window(self) -> str:
        """A count over a window is no count of the whole log."""
        scope = self._row.output.scope if self._row.output else None
        if scope is None or (scope.since is None and scope.until is None):
            return ""
        ends = (show_time(end) if end is not None else "…" for end in (scope.since, scope.until))
        return phrase(self._language, "claims.window", window=" / ".join(ends))

    @property
    def _stop(self) -> str:
        return phrase(self._language, "claims.stop")

    def _draft(self, text: str, excerpt: str) -> Draft:
        return Draft(
            claim_type=ClaimType.LOG_EVENT,
            source_type=SourceType.LOG,
            text=text,
            tool_name=self._row.tool_name,
            invocation_id=self._row.invocation_id,
            excerpt=stretch(excerpt, self._terms, EXCERPT_CHARS),
        )


def _has_few_variants(pattern: PatternCount) -> bool:
    """Whether its exact messages can be stated one by one."""
    variants = pattern.variants
    few = len(variants) <= VARIANTS or pattern.count > 2 * len(variants)
    return bool(variants) and pattern.variants_complete and few


def _is_of(event: LogEvent, pattern: PatternCount) -> bool:
    """Whether the fixed parts of the pattern stand in the event, in their order; by `find`, for a regex may not end."""
    text, place = " ".join(event.text.split()), 0
    for part in pattern.pattern.split("<*>"):
        found = text.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return event.source == pattern.source


def _parts(event: LogEvent) -> str:
    """What can be quoted, a line each: the message of a JSON event and its fields, or the lines of any other."""
    if not event.message:
        return _unstamped(event)
    fields = re.split(r",\s*(?=\")", event.text.strip().strip("{}"))
    return "\n".join([event.message, *(field for field in fields if event.message not in field)])


def _unstamped(event: LogEvent) -> str:
    """The event from behind its time stamp on, where most of the line stands behind it: the claim tells the time."""
    head, *rest = event.text.splitlines() or [""]
    stamp = TimeFinder(event.time).find(head) if event.time is not None else None
    if stamp is not None and len(head) - stamp[2] > stamp[1]:
        head = head[stamp[2] :]
    return "\n".join([head, *rest])


def _message(pattern: str) -> str:
    """The pattern from its level, or its first two words, on, where what stands before is mostly `<*>`."""
    for word, following in pairwise(re.finditer(r"\S+", pattern)):
        if word.group().strip("[]:") in _LEVEL_WORDS or (_is_word(word.group()) and _is_word(following.group())):
            head = pattern[: word.start()]
            return pattern[word.start() :] if head.count("<*>") > 1 or not any(map(str.isalpha, head)) else pattern
    return pattern


_LEVEL_WORDS = frozenset((*LEVELS, "WARNING"))


def _is_word(token: str) -> bool:
    return "<*>" not in token and any(char.isalpha() for char in token)


def _status_rank(tally: Tally) -> tuple[bool, int, str]:
    """Server errors first; the more frequent first."""
    return (not tally.value.startswith("5"), -tally.count, tally.value)
