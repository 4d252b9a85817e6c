"""An event as segmentation finds it, before it is counted or chosen."""

from dataclasses import dataclass
from datetime import datetime

from superbiz.graph.domain.evidence import LogEvent
from superbiz.graph.domain.text import shorten

MAX_EVENT = 8_000
"""Characters kept of one event; a longer one is cut around what the query is about."""

CUT = "…"


@dataclass(slots=True)
class RawEvent:
    """All its texts are in the normal form of `graph.domain.text`."""

    line: int
    end_line: int
    text: str
    time: datetime | None
    level: str | None
    message: str
    """What the event says, without its time stamp: the text that patterns are made of."""
    context: tuple[str, ...] = ()
    said: str = ""
    """The message field of a JSON event, alone."""

    def record(self, source: str, wanted: tuple[str, ...]) -> LogEvent:
        """The event as a record, within `MAX_EVENT`."""
        return LogEvent(
            source=source,
            line=self.line,
            end_line=self.end_line,
            time=self.time,
            level=self.level,
            context=self.context,
            message=shorten(self.said, MAX_EVENT),
            text=_bounded(self.text, wanted),
        )


def _bounded(text: str, wanted: tuple[str, ...]) -> str:
    """The text, or the stretch of it around the first wanted word."""
    if len(text) <= MAX_EVENT:
        return text
    lowered = text.lower()
    hits = [place for word in wanted if (place := lowered.find(word)) >= 0]
    start = max(0, min(hits, default=0) - MAX_EVENT // 4)
    piece = text[start : start + MAX_EVENT]
    return (CUT if start else "") + piece + (CUT if start + MAX_EVENT < len(text) else "")
