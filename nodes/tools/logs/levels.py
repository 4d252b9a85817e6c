"""The level that an event states: a token of its own, never part of a word."""

import re

LEVELS = ("FATAL", "ERROR", "WARN", "INFO", "DEBUG")
"""Most severe first."""

_NAMES = {
    "FATAL": "FATAL CRITICAL CRIT EMERG EMERGENCY PANIC ALERT",
    "ERROR": "ERROR ERR SEVERE FAILURE",
    "WARN": "WARN WARNING",
    "INFO": "INFO NOTICE INFORMATION",
    "DEBUG": "DEBUG TRACE FINE VERBOSE",
}
_BY_NAME = {name: level for level, names in _NAMES.items() for name in names.split()}
_UPPER = re.compile(r"(?<![\w.$-])[A-Z]{3,11}(?![\w.$-])")
"""Any word in capitals, looked up after: four times as fast as the names as alternatives."""

_MARKED = re.compile(
    rf"\[(?:\w+:)?({'|'.join(_BY_NAME)})\]|\blevel=\"?({'|'.join(_BY_NAME)})\b|^\s*(warning|error)\s{{2,}}",
    re.IGNORECASE,
)
_KLOG = re.compile(r"^([IWEF])\d{4} ")
_KLOG_LEVELS = {"I": "INFO", "W": "WARN", "E": "ERROR", "F": "FATAL"}
_PINO = ((60, "FATAL"), (50, "ERROR"), (40, "WARN"), (30, "INFO"), (0, "DEBUG"))
_HEAD = 240


def level_of(line: str) -> str | None:
    """The level in the head of a line, or None."""
    # Two of the marks hold one of these; the third is told by its first letter.
    if ("[" in line or "evel" in line or "EVEL" in line or line.lstrip()[:1] in "wWeE") and (
        match := _MARKED.search(line, 0, _HEAD)
    ):
        return _named(next(filter(None, match.groups())))
    for word in _UPPER.findall(line, 0, _HEAD):
        if level := _BY_NAME.get(word):
            return level
    match = _KLOG.match(line)
    return _KLOG_LEVELS[match.group(1)] if match else None


def level_of_value(value: object) -> str | None:
    """The level that a JSON field gives: a word, or a number as pino writes it."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return next((level for least, level in _PINO if value >= least), None)
    return _named(str(value))


def _named(word: str) -> str | None:
    # Java in a Turkish locale writes İNFO, which is INFO for a pattern that ignores case.
    return _BY_NAME.get(word.upper().replace("İ", "I"))


def at_least(level: str) -> frozenset[str]:
    """The levels that are as severe or more. Raises KeyError for a word that is no level."""
    return frozenset(LEVELS[: LEVELS.index(_BY_NAME[level.upper()]) + 1])
