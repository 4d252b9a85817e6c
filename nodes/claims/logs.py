"""What logs show: how often a message stands there, from when to when, and the single events that matter."""

from collections.abc import Iterator
from datetime import datetime

from superbiz.graph.domain.contract import ClaimType, SourceType
from superbiz.graph.domain.evidence import LogEvent, PatternCount, Tally, ValueRange, Variant
from superbiz.graph.domain.plan import Language
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.times import show_time
from superbiz.nodes.claims.draft import Draft, quote, quotes
from superbiz.prompts.phrases import phrase

VARIANTS = 3
"""Variants of one message that get a claim each; with more the pattern is stated instead."""

TALLIES = 2


class LogClaims:
    """Claims of one query_logs row, best first, never two about the same line."""

    def __init__(self, row: Invocation, language: Language, terms: tuple[str, ...]) -> None:
        self._row = row
        self._language = language
        self._terms = terms
        output = row.output
        self._events = [record for record in output.records if isinstance(record, LogEvent)] if output else []
        self._aggregates = output.aggregates if output else None
        self._by_line = {(event.source, event.line): event for event in self._events}

    def drafts(self, patterns: int, events: int) -> Iterator[Draft]:
        """Claims of the best `patterns` message patterns, the best `events` other events, and status counts."""
        if self._aggregates is None:
            return
        used: set[tuple[str, int]] = set()
        for pattern in self._aggregates.patterns[:patterns]:
            for line, draft in self._pattern(pattern):
                used.add((pattern.source, line))
                yield draft
        fresh = [event for event in self._events if (event.source, event.line) not in used]
        for event in fresh[:events]:
            yield self._draft(self._event_text(event), event.text)
        statuses = [tally for tally in self._aggregates.tallies if tally.name == "status" and tally.line is not None]
        for tally in sorted(statuses, key=_status_rank)[:TALLIES]:
            yield self._status(tally)

    def _pattern(self, pattern: PatternCount) -> Iterator[tuple[int, Draft]]:
        variants = pattern.variants
        if pattern.variants_complete and variants and (len(variants) <= VARIANTS or pattern.count > 2 * len(variants)):
            for variant in variants[:VARIANTS]:
                yield variant.line, self._variant(pattern, variant)
        else:
            yield pattern.line, self._shape(pattern)

    def _variant(self, pattern: PatternCount, variant: Variant) -> Draft:
        event = self._by_line.get((pattern.source, variant.line))
        if variant.count == 1 and event is not None:
            return self._draft(self._event_text(event), event.text)
        said = quotes(variant.text, self._terms)
        text = self._many("claims.many", pattern.source, said, variant.count, (variant.first, variant.last))
        return self._draft(text, event.text if event is not None else variant.text)

    def _shape(self, pattern: PatternCount) -> Draft:
        times = (pattern.first, pattern.last)
        text = self._many("claims.shape", pattern.source, quote(pattern.pattern), pattern.count, times)
        named = next((value for value in pattern.values if value.name and value.unit), None)
        if named is not None:
            text = text[: -len(self._stop)] + self._values(named) + self._stop
        return self._draft(text, pattern.pattern)

    def _values(self, value: ValueRange) -> str:
        return phrase(
            self._language, "claims.values", name=value.name, least=value.minimum, most=value.maximum, unit=value.unit
        )

    def _many(
        self, key: str, source: str, said: str, count: int, times: tuple[datetime | None, datetime | None]
    ) -> str:
        text = phrase(self._language, key, source=source, said=said, count=count)
        first, last = times
        if first is not None and last is not None:
            text += phrase(self._language, "claims.from_to", first=show_time(first), last=show_time(last))
        return text + self._stop

    def _event_text(self, event: LogEvent) -> str:
        said = quotes(event.text, self._terms)
        text = phrase(self._language, "claims.line", source=event.source, line=event.line, said=said)
        if event.context:
            text += phrase(self._language, "claims.within", context=" / ".join(event.context))
        if event.time is not None:
            text += phrase(self._language, "claims.at", time=show_time(event.time))
        return text + self._stop

    def _status(self, tally: Tally) -> Draft:
        event = self._by_line.get((tally.source or "", tally.line or 0))
        text = phrase(self._language, "claims.status", source=tally.source, status=tally.value, count=tally.count)
        return self._draft(text + self._stop, event.text if event is not None else f"{tally.name}={tally.value}")

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
            excerpt=excerpt,
        )


def _status_rank(tally: Tally) -> tuple[int, int, str]:
    """Server errors, client errors, then the rest; the more frequent first."""
    return ("5432".find(tally.value[:1]) % 9, -tally.count, tally.value)
