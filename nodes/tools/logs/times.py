"""Time stamps in log lines, as UTC with all their digits (to microseconds); a zone-less time counts as UTC."""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

from superbiz.graph.domain.times import to_utc

HEAD = 160
"""Characters of a line in which its stamp is looked for first."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZONE = r"(?P<zone>\s?(?:Z|[+-]\d{2}:?\d{2})\b(?![:-]\d)|[+-]\d{2}\b(?![:-]))?"
_CLOCK = r"(?P<h>\d{2}):(?P<m>\d{2}):(?P<s>\d{2})(?:[.,](?P<f>\d{1,9}))?"
_FORMS = (
    rf"(?<!\d)(?P<Y>\d{{4}})[-/](?P<M>\d{{2}})[-/](?P<D>\d{{2}})[T ]{_CLOCK}{_ZONE}",
    r"(?<!\d)(?P<Y>\d{4})-(?P<M>\d{2})-(?P<D>\d{2})-(?P<h>\d{2})\.(?P<m>\d{2})\.(?P<s>\d{2})(?:\.(?P<f>\d{1,9}))?",
    rf"(?P<D>\d{{1,2}})/(?P<B>[A-Z][a-z]{{2}})/(?P<Y>\d{{4}}):{_CLOCK}{_ZONE}",
    rf"[A-Z][a-z]{{2}},? (?P<B>[A-Z][a-z]{{2}}) +(?P<D>\d{{1,2}}) {_CLOCK} (?P<Y>\d{{4}})",
    rf"(?:[A-Z][a-z]{{2}}, )?(?P<D>\d{{1,2}}) (?P<B>[A-Z][a-z]{{2}}) (?P<Y>\d{{4}}) {_CLOCK}{_ZONE}",
    rf"^(?:<\d+>)?(?P<B>[A-Z][a-z]{{2}}) +(?P<D>\d{{1,2}}) {_CLOCK}(?=\s)",
    rf"^[IWEF](?P<M>\d{{2}})(?P<D>\d{{2}}) {_CLOCK}",
    r"^(?P<y>\d{2})(?P<M>\d{2})(?P<D>\d{2}) (?P<h>\d{2})(?P<m>\d{2})(?P<s>\d{2})(?=\s)",
    r"^\W{0,3}(?P<epoch>1\d{9}(?:\d{3}|\d{6}|\d{9})?(?:\.\d{1,9})?)(?=\s|$)",
)
_DIGITS = re.compile(r"[0-9]{1,40}")
_COMPILED = tuple(re.compile(form) for form in _FORMS)
_ISO = _COMPILED[0]

Stamp = tuple[datetime, int, int]
"""The moment, and where in the line it stands."""


class TimeFinder:
    """Finds the stamp of each line of one file; tries the form that fitted last time first."""

    def __init__(self, as_of: datetime) -> None:
        self._as_of = as_of
        self._forms = list(_COMPILED)

    def find(self, line: str) -> Stamp | None:
        """The line's stamp: the first in its head, else one at its end; None when it has none."""
        return self._search(line, 0, HEAD) or (
            self._search(line, len(line) - 40, len(line)) if len(line) > HEAD else None
        )

    def _search(self, line: str, start: int, end: int) -> Stamp | None:
        for number, form in enumerate(self._forms):
            match = form.search(line, start, end)
            if match is not None and match.end() == end < len(line):
                match = form.match(line, match.start())  # The end cut its last digits.
            if match is not None and (moment := self._moment(match)) is not None:
                if number:
                    self._forms.insert(0, self._forms.pop(number))
                return moment, match.start(), match.end()
        return None

    def _moment(self, match: re.Match[str]) -> datetime | None:
        if match.re is _ISO:
            with suppress(ValueError, OverflowError):
                return to_utc(datetime.fromisoformat(match.group()))  # Five times as fast, not for every spelling.
        parts = match.groupdict()
        if epoch := parts.get("epoch"):
            return from_epoch(epoch)
        if year := parts.get("Y") or parts.get("y"):
            return _moment(int(year) + (2000 if len(year) == 2 else 0), parts)
        return self._latest(parts)

    def _latest(self, parts: dict[str, str | None]) -> datetime | None:
        """Without a year: the last such day up to tomorrow; 29 February may be years ago."""
        for year in range(self._as_of.year + 1, self._as_of.year - 9, -1):
            moment = _moment(year, parts)
            if moment is not None and moment - self._as_of <= timedelta(days=1):
                return moment
        return None


def from_epoch(text: str) -> datetime | None:
    """Seconds, or milli-, micro-, nanoseconds as an integer since 1970, told apart by their number of digits."""
    whole, _, fraction = text.partition(".")
    if not _DIGITS.fullmatch(whole + fraction) or not 9 <= len(whole) <= 19:
        return None
    digits = max(0, (len(whole) - 10 + 2) // 3 * 3) + len(fraction)
    seconds, rest = divmod(int(whole + fraction), 10**digits)
    microseconds = rest * 10**6 // 10**digits
    return datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=microseconds)


def parse_time(value: object, as_of: datetime) -> datetime | None:
    """A time as a JSON field gives it: an ISO text or an epoch number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    text = f"{value:.6f}" if isinstance(value, float) else str(value)
    found = from_epoch(text)
    if found is None and isinstance(value, str) and (stamp := TimeFinder(as_of).find(value)):
        found = stamp[0]
    return found


def _moment(year: int, parts: dict[str, str | None]) -> datetime | None:
    try:
        return datetime(
            year,
            _month(parts),
            int(parts["D"] or 0),
            int(parts["h"] or 0),
            int(parts["m"] or 0),
            int(parts["s"] or 0),
            int(f"{parts.get('f') or '0':0<6}"[:6]),
            tzinfo=_zone(parts.get("zone")),
        ).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _month(parts: dict[str, str | None]) -> int:
    if name := parts.get("B"):
        return _MONTHS.index(name.lower()) + 1
    return int(parts.get("M") or 0)


def _zone(text: str | None) -> timezone:
    zone = (text or "").strip().replace(":", "")
    if not zone or zone == "Z":
        return UTC
    sign = -1 if zone[0] == "-" else 1
    return timezone(sign * timedelta(hours=int(zone[1:3]), minutes=int(zone[3:5] or 0)))
