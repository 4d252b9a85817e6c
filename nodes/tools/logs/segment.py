"""Lines to events: time-stamped lines with what continues them, JSON lines, trees of spans, documents, plain lines.

Which of these a file is shows in its first lines; a value may only meet the subject of its own event, so this is where
a checker succeeds or fails.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, islice

from superbiz.nodes.tools.logs.document import MAX_LINES, document_events, is_document
from superbiz.nodes.tools.logs.events import RawEvent
from superbiz.nodes.tools.logs.jsonlines import json_event
from superbiz.nodes.tools.logs.levels import level_of
from superbiz.nodes.tools.logs.times import Stamp, TimeFinder

SAMPLE = 400
MAX_CONTINUATION = 400
"""Lines joined to one event; a longer run starts a new one, so that a file without stamps cannot fill the memory."""

_BRANCH = re.compile(r"^[\s│|]*[├└+`][─-]")
_DEEPER = re.compile(r"^[\s│|]+\S")
_STAMP_AT = 64
"""A stamp that starts later in the line does not start an event: it belongs to a line of its own."""


def events_of(lines: Iterable[str], as_of: datetime) -> Iterator[RawEvent]:
    """The events of a file. Every filled line is in exactly one of them."""
    stream = iter(lines)
    head = list(islice(stream, SAMPLE))
    times = TimeFinder(as_of)
    stamps = [times.find(line) for line in head]
    filled = sum(bool(line.strip()) for line in head)
    if sum(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in head) * 3 >= filled > 0:
        return _lines(chain(head, stream), times, as_of)
    if sum(_BRANCH.match(line) is not None for line in head) >= 2:
        return _tree(chain(head, stream), as_of)
    stamped = [stamp for stamp in stamps if stamp is not None]
    if len(stamped) * 10 < filled:
        whole = head + list(islice(stream, MAX_LINES))
        if len(whole) <= MAX_LINES and is_document(whole):
            return document_events(whole)
        return _lines(chain(whole, stream), times, as_of)
    leading = sum(start < _STAMP_AT for _, start, _ in stamped)
    return (_joined if leading * 2 > len(stamped) else _lines)(chain(head, stream), times, as_of)


def _lines(lines: Iterable[str], times: TimeFinder, as_of: datetime) -> Iterator[RawEvent]:
    """Line by line."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            event = json_event(line, number, as_of) if "{" in line else None
            # A JSON event mostly has a time of its own: a stamp is looked for only when it has none.
            yield event if event is not None and event.time else _event(number, number, [line], times.find(line), event)


def _joined(lines: Iterable[str], times: TimeFinder, as_of: datetime) -> Iterator[RawEvent]:
    """An unstamped line continues the stamped one above it (stack traces)."""
    block: list[str] = []
    start = last = 0
    first: Stamp | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        stamp = times.find(line)
        if block and (stamp is not None or len(block) > MAX_CONTINUATION):
            yield _block(start, last, block, first, as_of)
            block = []
        if not block:
            start, first = number, stamp
        block.append(line)
        last = number
    yield _block(start, last, block, first, as_of)


def _block(start: int, last: int, block: list[str], stamp: Stamp | None, as_of: datetime) -> RawEvent:
    event = json_event(block[0], start, as_of) if len(block) == 1 and "{" in block[0] else None
    return _event(start, last, block, stamp, event)


def _event(start: int, last: int, block: list[str], stamp: Stamp | None, event: RawEvent | None) -> RawEvent:
    """The JSON event, with the stamp when it has no time; without one, the lines."""
    if event is not None:
        event.time = event.time or (stamp and stamp[0])
        return event
    head = block[0]
    message = head if stamp is None else f"{head[: stamp[1]]} {head[stamp[2] :]}"
    return RawEvent(start, last, "\n".join(block), stamp[0] if stamp else None, level_of(head), message)


def _tree(lines: Iterable[str], as_of: datetime) -> Iterator[RawEvent]:
    """One event a branch: what stands on the bars below it belongs to it, its own branches do not."""
    block: list[str] = []
    start = last = 1
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if block and (_BRANCH.match(line) or not _DEEPER.match(line) or len(block) > MAX_CONTINUATION):
            yield _branch(block, start, last, as_of)
            block = []
        if not block:
            start = number
        block.append(line)
        last = number
    yield _branch(block, start, last, as_of)


def _branch(block: list[str], start: int, last: int, as_of: datetime) -> RawEvent:
    text = "\n".join(block)
    stamp = TimeFinder(as_of).find(" ".join(block))
    message = re.sub(r"^[\s│|├└+`─-]+", "", block[0])
    return RawEvent(start, last, text, stamp[0] if stamp else None, level_of(block[0]), message)
