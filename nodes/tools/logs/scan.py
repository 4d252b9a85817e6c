"""One pass over the logs: counts everything, keeps what matters, says what it could not read."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from superbiz.graph.domain.evidence import Aggregates, Gap, LogEvent, PatternCount, SourceFile, Tally
from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.directory import EvidenceFile
from superbiz.nodes.tools.logs.decode import LogLines
from superbiz.nodes.tools.logs.events import RawEvent
from superbiz.nodes.tools.logs.patterns import Pattern, Patterns
from superbiz.nodes.tools.logs.rank import rank
from superbiz.nodes.tools.logs.segment import events_of

MAX_PATTERNS_SHOWN = 60

_STATUS = re.compile(
    r"\bstatus(?:[ _.-]?code)?\"?\s*[=:]\s*\"?([1-5]\d\d)\b|\bHTTP/\d(?:\.\d)?\"\s+([1-5]\d\d)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Filter:
    """Which events count, and what they are ranked by; texts in lower case."""

    text: str | None
    levels: frozenset[str] | None
    since: datetime | None
    until: datetime | None
    entities: tuple[str, ...]
    terms: tuple[str, ...]

    def matches(self, event: RawEvent) -> bool:
        """Whether an event counts; an event without a time is outside no window."""
        if self.levels is not None and event.level not in self.levels:
            return False
        if event.time is not None and (
            (self.since is not None and event.time < self.since) or (self.until is not None and event.time > self.until)
        ):
            return False
        return self.text is None or self.text in event.text.lower()


@dataclass
class Scan:
    """What a pass over files gave."""

    asked: Filter
    as_of: datetime
    scanned: int = 0
    matched: int = 0
    sources: list[SourceFile] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    unread: int = 0
    """Files that could not be read, or not to their end."""
    _patterns: dict[str, Patterns] = field(default_factory=dict)
    _tallies: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    _examples: dict[tuple[str, str, str], tuple[int, str]] = field(default_factory=dict)

    def read(self, file: EvidenceFile) -> None:
        """Count one file. A file that cannot be read becomes a gap, whatever is wrong with it."""
        try:
            lines = LogLines(file.path)
        except ToolError as error:
            self._unreadable(file.name, error.type, str(error))
            return
        except OSError as error:
            self._unreadable(file.name, "unreadable", error.strerror or "")
            return
        before = self.scanned
        patterns = self._patterns.setdefault(file.name, Patterns())
        for event in events_of(lines, self.as_of):
            self.scanned += 1
            if self.asked.matches(event):
                self._count(file.name, event, patterns)
        self.sources.append(
            SourceFile(
                path=file.name,
                bytes=lines.bytes,
                sha256=lines.sha256,
                encoding=lines.encoding,
                events=self.scanned - before,
            )
        )
        if lines.truncated:
            self._unreadable(file.name, "truncated", f"readable up to event {self.scanned - before}")
        elif self.scanned == before:
            self.gaps.append(Gap(source=file.name, reason="empty", detail=f"{lines.bytes} bytes"))

    def result(self, limit: int) -> tuple[tuple[LogEvent, ...], Aggregates]:
        """The best records, at most `limit`, and the aggregates over everything."""
        found = [(source, one) for source, patterns in self._patterns.items() for one in patterns.found.values()]
        ranked = rank(found, self.asked.entities, self.asked.terms)
        wanted = (*self.asked.entities, *self.asked.terms, *((self.asked.text,) if self.asked.text else ()))
        chosen = _chosen([(one.source, one.pattern) for one in ranked], limit)
        shown = [one.pattern.counted(one.source) for one in ranked[:MAX_PATTERNS_SHOWN]]
        return tuple(event.record(source, wanted) for source, event in chosen), self._aggregates(shown, len(ranked))

    def _count(self, source: str, event: RawEvent, patterns: Patterns) -> None:
        self.matched += 1
        pattern = patterns.add(event)
        if event.level is not None:
            self._tally("level", event.level, source, event.line)
        if ("tatus" in event.text or "HTTP/" in event.text) and (match := _STATUS.search(event.text)):
            self._tally("status", match.group(1) or match.group(2), source, event.line, match.group())
        if self.asked.entities:
            self._count_mentions(source, event, pattern)

    def _count_mentions(self, source: str, event: RawEvent, pattern: Pattern | None) -> None:
        """How often each entity of the question is named, over everything: none at all is worth knowing too."""
        text = event.text.lower()
        named = [entity for entity in self.asked.entities if entity in text]
        for entity in named:
            self._tally("mention", entity, source, event.line)
        if named and pattern is not None and pattern.named_event is None:
            pattern.named_event = event

    def _tally(self, name: str, value: str, source: str, line: int, example: str = "") -> None:
        key = (name, value, source)
        self._tallies[key] += 1
        self._examples.setdefault(key, (line, example))

    def _unreadable(self, source: str, reason: str, detail: str) -> None:
        self.unread += 1
        self.gaps.append(Gap(source=source, reason=reason, detail=detail))

    def _aggregates(self, shown: list[PatternCount], patterns: int) -> Aggregates:
        hidden = sum(one.left_out for one in self._patterns.values())
        tallies = tuple(
            Tally(name=name, value=value, count=count, line=line, example=example, source=source)
            for (name, value, source), count in sorted(self._tallies.items())
            for line, example in (self._examples[name, value, source],)
        )
        return Aggregates(
            scanned=self.scanned,
            matched=self.matched,
            tallies=tallies,
            patterns=tuple(shown),
            patterns_left_out=patterns - len(shown) + (1 if hidden else 0),
        )


def _chosen(ranked: Sequence[tuple[str, Pattern]], limit: int) -> list[tuple[str, RawEvent]]:
    """Representatives: the better a pattern, the more of its events, and every good pattern has one."""
    offers = sorted(_offers(ranked[: limit * 2]), key=lambda offer: offer[0])
    chosen = {(source, event.line): (source, event) for _, source, event in reversed(offers)}
    order = dict.fromkeys((source, event.line) for _, source, event in offers)
    return [chosen[key] for key in list(order)[:limit]]


def _offers(ranked: Sequence[tuple[str, Pattern]]) -> Iterator[tuple[tuple[int, int], str, RawEvent]]:
    for place, (source, pattern) in enumerate(ranked):
        for number, event in enumerate(pattern.events()):
            yield (place + 4 * number, place), source, event
