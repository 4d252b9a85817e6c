"""The stretch of time that a question names: dates, clock times and "the last n", in Chinese and English.

Only a hint for where to look: days are taken wide, since a person's "evening" has no zone.
"""

import re
from datetime import UTC, datetime, timedelta

from superbiz.graph.domain.plan import Window

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?(Z|[+-]\d{2}:?\d{2})?)?")
_CHINESE_DATE = re.compile(r"(?:(\d{4})\s*年\s*)?(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ENGLISH_DATE = re.compile(
    r"\b(?:(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(MONTH)|(MONTH)\s+(\d{1,2})(?:st|nd|rd|th)?)\b(?:,?\s+(\d{4}))?".replace(
        "MONTH", "|".join(month + "[a-z]*" for month in _MONTHS)
    ),
    re.IGNORECASE,
)
_LAST = re.compile(
    r"(?:最近|过去|近|前|last|past|previous)\s*(\d+|半|一|两|二|三|五|十)?\s*个?\s*"
    r"(分钟|小时|天|周|minutes?|mins?|hours?|days?|weeks?)",
    re.IGNORECASE,
)
_UNITS = {"分": 60, "m": 60, "小": 3600, "h": 3600, "天": 86400, "d": 86400, "周": 604800, "w": 604800}
_NUMERALS = {None: 1.0, "": 1.0, "半": 0.5, "一": 1.0, "两": 2.0, "二": 2.0, "三": 3.0, "五": 5.0, "十": 10.0}
_DAYS_AGO = {"今天": 0, "today": 0, "昨天": 1, "昨晚": 1, "yesterday": 1, "前天": 2}
_OPEN_END = re.compile(r"起|以来|开始|之后|since|after|from", re.IGNORECASE)
_ZONE_MARGIN = timedelta(hours=14)
"""No zone is further from UTC."""


def names_a_stretch(question: str) -> bool:
    """Whether the question names a moment or a length of time: then there is something to look at."""
    return _LAST.search(question) is not None or any(match.group(4) for match in _ISO.finditer(question))


def window_of(question: str, as_of: datetime) -> Window:
    """The window that the question names, or an open one. A date without a year is the latest one before `as_of`."""
    try:
        return _window(question, as_of)
    except OverflowError:  # Beyond what dates can say: no hint.
        return Window()


def _window(question: str, as_of: datetime) -> Window:
    if match := _LAST.search(question):
        seconds = _UNITS[match.group(2)[0].lower()] * (_NUMERALS.get(match.group(1)) or float(match.group(1)))
        return Window(since=as_of - timedelta(seconds=seconds), until=as_of)
    moments = [*_dates(question, as_of)]
    if not moments:
        return Window()
    first, last = min(moments)[0], max(end for _, end in moments)
    open_end = len(moments) == 1 and _OPEN_END.search(question) is not None
    return Window(since=first, until=None if open_end else last)


def _dates(question: str, as_of: datetime) -> list[tuple[datetime, datetime]]:
    """Each date or moment named, as (start, end) in UTC; impossible ones are passed over."""
    found = [_moment(match) for match in _ISO.finditer(question)]
    found += [_day(match.group(1), match.group(2), match.group(3), as_of) for match in _CHINESE_DATE.finditer(question)]
    for match in _ENGLISH_DATE.finditer(question):
        day, month = match.group(1) or match.group(4), match.group(2) or match.group(3)
        number = _MONTHS.index(month.lower()[:3]) + 1
        found.append(_day(match.group(5), str(number), day, as_of))
    lowered = question.lower()
    for word, days in _DAYS_AGO.items():
        if word in lowered:
            start = as_of.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days)
            found.append(_wide(start))
    return [span for span in found if span is not None]


def _moment(match: re.Match[str]) -> tuple[datetime, datetime] | None:
    year, month, day, hour, minute, second, zone = match.groups()
    if hour is None:
        return _day(year, month, day, datetime.max)
    zone = {"Z": "+00:00", None: "+00:00"}.get(zone, zone)
    try:
        text = f"{year}-{int(month):02}-{int(day):02}T{int(hour):02}:{minute}:{second or '00'}{zone}"
        moment = datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        return None
    return moment, moment


def _day(year: str | None, month: str, day: str, as_of: datetime) -> tuple[datetime, datetime] | None:
    try:
        start = datetime(int(year) if year else as_of.year, int(month), int(day), tzinfo=UTC)
        if year is None and start > as_of:
            start = start.replace(year=start.year - 1)
    except ValueError:
        return None
    return _wide(start)


def _wide(start: datetime) -> tuple[datetime, datetime]:
    return start - _ZONE_MARGIN, start + timedelta(days=1) + _ZONE_MARGIN
