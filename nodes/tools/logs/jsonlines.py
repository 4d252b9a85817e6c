"""A line that is a JSON object: its time, level and message, and the scalar fields that are facts."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from pydantic import JsonValue

from superbiz.graph.domain.text import normalise
from superbiz.nodes.tools.logs.events import RawEvent
from superbiz.nodes.tools.logs.levels import level_of, level_of_value
from superbiz.nodes.tools.logs.times import parse_time

_TIME_KEYS = ("@timestamp", "timestamp", "time", "ts", "datetime", "date", "t")
_LEVEL_KEYS = ("level", "severity", "lvl", "loglevel", "log.level")
_MESSAGE_KEYS = ("message", "msg", "log", "event", "text", "body")
_NOT_FACTS = re.compile(
    r"(?:^|[._])(?:pid|tid|host|hostname|port|addr|address|ip|version|v|seq|offset|caller|logger|thread|time|ts)$"
    r"|(?:id|Id|ID|Port|Address|Addr|hostname|timestamp|span|trace|agent|Agent)$"
)
"""Fields that tell events apart without saying anything of them: left out of patterns, kept in the record."""

_MAX_FIELDS = 24


def json_event(line: str, number: int, as_of: datetime) -> RawEvent | None:
    """The event of a line that holds one JSON object, also behind a short prefix; None when it does not."""
    start = line.find("{")
    if start < 0 or start > 200 or not line.rstrip().endswith("}"):
        return None
    try:
        found = json.loads(line[start:])
    except (ValueError, RecursionError):
        return None
    fields = dict(_scalars(found, ""))
    time_key, level_key, message_key, facts = _roles(tuple(fields))
    said = normalise(str(fields[message_key])) if message_key else ""
    return RawEvent(
        line=number,
        end_line=number,
        text=line,
        time=parse_time(fields[time_key], as_of) if time_key else None,
        level=level_of_value(fields[level_key]) if level_key else level_of(said),
        message=normalise(" ".join([said, *(f"{name}={fields[name]}" for name in facts)]).strip()),
        said=said,
    )


@lru_cache(maxsize=512)
def _roles(names: tuple[str, ...]) -> tuple[str | None, str | None, str | None, tuple[str, ...]]:
    """Which field is the time, the level, the message, and which are facts; a file has few shapes of objects."""
    lowered = {name.lower(): name for name in reversed(names)}
    time_key, level_key, message_key = (
        next((lowered[key] for key in keys if key in lowered), None)
        for keys in (_TIME_KEYS, _LEVEL_KEYS, _MESSAGE_KEYS)
    )
    used = {time_key, level_key, message_key}
    facts = [name for name in names if name not in used and not _NOT_FACTS.search(name)]
    return time_key, level_key, message_key, tuple(facts[:_MAX_FIELDS])


def _scalars(found: dict[str, JsonValue], prefix: str) -> Iterator[tuple[str, JsonValue]]:
    for name, value in found.items():
        if isinstance(value, dict):
            yield from _scalars(value, f"{prefix}{name}.")
        elif isinstance(value, (str, int, float, bool)):
            yield f"{prefix}{name}", value
