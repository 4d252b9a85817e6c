"""What a tool returned: records, aggregates over everything scanned, and the scope of the look.

Texts here have passed the boundary: normalised, NUL and ANSI gone, secrets masked. Times are UTC.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from superbiz.graph.domain.base import Frozen


class Status(StrEnum):
    """How a call ended (T4). `zero` is a real 0, `no_data` is nothing at all; neither is the other."""

    OK = "ok"
    ZERO = "zero"
    NO_DATA = "no_data"
    PARTIAL = "partial"
    FAILED = "failed"


class AlertState(StrEnum):
    """State of an alert as judged at `as_of`. Pending is not firing; suppressed and resolved are not firing either."""

    FIRING = "firing"
    PENDING = "pending"
    SUPPRESSED = "suppressed"
    RESOLVED = "resolved"
    INACTIVE = "inactive"


class LogEvent(Frozen):
    """One event of a log: a line with its continuation lines, a JSON object, or a small block of a document."""

    kind: Literal["log"] = "log"
    source: str
    """File, relative to the evidence directory, e.g. `logs/payment.log`."""
    line: int
    """First line of the event, from 1."""
    end_line: int
    time: datetime | None = None
    level: str | None = None
    """FATAL, ERROR, WARN, INFO or DEBUG, when the event states one."""
    context: tuple[str, ...] = ()
    """Names of the enclosing blocks, outermost first: the nearest marked ancestors only."""
    message: str = ""
    """The message of a JSON event, where it has one of its own; else empty."""
    text: str
    """The event as written, lines joined by LF."""


class Sample(Frozen):
    """One value of a series. `value` is the text that was returned, so NaN and +Inf stay what they are."""

    time: datetime
    value: str


class Series(Frozen):
    """One series of a metric: instant (count 1) or a range, summarised by its ends and extremes."""

    kind: Literal["series"] = "series"
    source: str
    metric: str | None
    """`__name__`, when the body gives one."""
    labels: dict[str, str]
    """All labels but `__name__`."""
    count: int
    """Samples in the body, special ones included."""
    special: int
    """Samples that are no finite number (NaN, ±Inf, null)."""
    first: Sample | None
    last: Sample | None
    minimum: Sample | None
    """Least finite sample; None when there is none."""
    maximum: Sample | None
    text: str
    """The series as JSON, as in the body; long ranges keep the samples named above."""


class Alert(Frozen):
    """One alert instance: its full label set identifies it (T5)."""

    kind: Literal["alert"] = "alert"
    source: str
    name: str
    state: AlertState
    labels: dict[str, str]
    annotations: dict[str, str]
    active_at: datetime | None
    ends_at: datetime | None
    value: str | None
    text: str
    """The alert as JSON, as in the body."""


class Chunk(Frozen):
    """One passage of a runbook. Knowledge: it shapes advice and never proves an incident fact (V10, E4)."""

    kind: Literal["chunk"] = "chunk"
    source: str
    line: int
    heading: str
    chunk_id: str
    score: float
    text: str


Record = Annotated[LogEvent | Series | Alert | Chunk, Field(discriminator="kind")]


class ValueRange(Frozen):
    """Least and greatest number that stood at one place of a message pattern, over all its events."""

    slot: int
    """Which of the measured numbers of the message, from 0."""
    name: str | None = None
    """Word or key before the number (`took`, `responseTime`), when there is one that all events share."""
    unit: str | None = None
    """Unit after the number as written (`ms`, `seconds`, `%`), or implied by the key (`elapsed_ms`)."""
    minimum: str
    maximum: str
    minimum_line: int
    maximum_line: int


class Variant(Frozen):
    """One exact message under a pattern (its text without time stamp) and how often it occurred."""

    text: str
    count: int
    line: int
    """Line of its first occurrence."""
    first: datetime | None = None
    last: datetime | None = None


class PatternCount(Frozen):
    """Events of one source that differ only in numbers and identifiers, over everything that matched."""

    source: str
    pattern: str
    """The message with `<*>` for what varies."""
    level: str | None
    count: int
    line: int
    """Line of the first occurrence in the file."""
    first: datetime | None = None
    """Earliest time, not the first in the file."""
    last: datetime | None = None
    variants: tuple[Variant, ...] = ()
    """Most frequent first; empty when there are too many to be told apart."""
    variants_complete: bool = True
    values: tuple[ValueRange, ...] = ()


class Tally(Frozen):
    """A count of events or series by one value: `level=ERROR`, `status=404`, `state=firing`."""

    name: str
    value: str
    count: int
    line: int | None = None
    """Line of a first example, for logs."""
    example: str = ""
    """The words of that line that were counted, verbatim."""
    source: str | None = None


class Aggregates(Frozen):
    """Computed over everything scanned, whatever the limit on records (field bug 45)."""

    scanned: int = 0
    """Events, series, alerts or chunks that were looked at."""
    matched: int = 0
    """How many of them met the query."""
    tallies: tuple[Tally, ...] = ()
    patterns: tuple[PatternCount, ...] = ()
    patterns_left_out: int = 0


class SourceFile(Frozen):
    """A file that was read for a call."""

    path: str
    bytes: int
    sha256: str
    encoding: str | None = None
    events: int = 0


class Gap(Frozen):
    """A part of the scope that could not be used, and why: one bad file never hides the others."""

    source: str
    reason: str
    """Machine word: `unreadable`, `empty`, `not_json`, `truncated`, `outside`, `query_error`, `special_value` …"""
    detail: str = ""


class Scope(Frozen):
    """What was looked at. Absence can be claimed only where `complete` is true (V9)."""

    sources: tuple[SourceFile, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    complete: bool = True
    gaps: tuple[Gap, ...] = ()


class ToolOutput(Frozen):
    """What one call returned."""

    status: Status
    records: tuple[Record, ...] = ()
    """The best matching records, best first; `aggregates.matched` says how many there were."""
    aggregates: Aggregates = Aggregates()
    scope: Scope = Scope()
