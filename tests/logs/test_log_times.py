"""Time stamps: every form, any zone, no digit lost."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.nodes.tools.logs.times import HEAD, TimeFinder, from_epoch, parse_time

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
MOMENT = datetime(2026, 5, 4, 9, 30, 12, tzinfo=UTC)


def found(line: str, as_of: datetime = AS_OF) -> datetime | None:
    stamp = TimeFinder(as_of).find(line)
    return stamp[0] if stamp else None


@pytest.mark.parametrize(
    "line",
    [
        "2026-05-04T09:30:12Z crane started",
        "2026-05-04 09:30:12 crane started",
        "2026/05/04 09:30:12 crane started",
        "[2026-05-04T09:30:12+00:00] crane started",
        "2026-05-04-09.30.12 crane started",
        '10.2.0.9 - - [04/May/2026:09:30:12 +0000] "GET /crane HTTP/1.1" 200 12',
        "[Mon May  4 09:30:12 2026] crane started",
        "Mon, May 4 09:30:12 2026 crane started",
        "Mon, 04 May 2026 09:30:12 +0000 crane started",
        "4 May 2026 09:30:12 crane started",
        "May  4 09:30:12 quay3 craned[7]: crane started",
        "<34>May  4 09:30:12 quay3 craned: crane started",
        "I0504 09:30:12 7 crane.go:3] crane started",
        "260504 093012 7 INFO crane started",
        "1777887012 crane started",
        "[1777887012 crane started",
        "1777887012000 crane started",
        "1777887012",
        "crane started at 2026-05-04T09:30:12Z",
    ],
)
def test_every_form_is_read(line: str) -> None:
    assert found(line) == MOMENT


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("Z", 0),
        ("", 0),
        (" +0000", 0),
        ("+08:00", 8),
        ("+0800", 8),
        (" -05:30", -5.5),
        ("+08", 8),
        ("-03", -3),
        ("+08:00:", 8),
    ],
)
def test_a_zone_is_applied_and_none_means_utc(zone: str, hours: float) -> None:
    assert found(f"2026-05-04 09:30:12{zone} crane started") == MOMENT - timedelta(hours=hours)


@pytest.mark.parametrize("rest", ["-11:00:00 shift", " 12 crates", "-2026-05-05", " +crate"])
def test_what_only_looks_like_a_zone_is_none(rest: str) -> None:
    assert found(f"2026-05-04 09:30:12{rest}") == MOMENT


@pytest.mark.parametrize("mark", [".", ","])
@pytest.mark.parametrize(
    ("digits", "microseconds"),
    [("5", 500_000), ("05", 50_000), ("123", 123_000), ("123456", 123_456), ("123456789", 123_456)],
)
def test_no_digit_of_a_second_is_lost_to_microseconds(mark: str, digits: str, microseconds: int) -> None:
    expected = MOMENT.replace(microsecond=microseconds)

    assert found(f"2026-05-04T09:30:12{mark}{digits}Z crane") == expected
    assert found(f"I0504 09:30:12{mark}{digits} 7 crane.go:3]") == expected


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("1777887012", 0),
        ("1777887012.25", 250_000),
        ("1777887012.123456789", 123_456),
        ("1777887012123", 123_000),
        ("1777887012123.5", 123_500),
        ("1777887012123456", 123_456),
        ("1777887012123456789", 123_456),
    ],
)
def test_epochs_are_told_apart_by_their_digits(text: str, microseconds: int) -> None:
    """Seconds, milli-, micro-, nanoseconds; integers exactly, where a float would lose the last digits."""
    assert from_epoch(text) == MOMENT.replace(microsecond=microseconds)
    assert parse_time(text, AS_OF) == MOMENT.replace(microsecond=microseconds)
    if "." not in text:
        assert parse_time(int(text), AS_OF) == MOMENT.replace(microsecond=microseconds)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1777887012.25, MOMENT.replace(microsecond=250_000)),
        ("2026-05-04T09:30:12Z", MOMENT),
        ("04/May/2026:09:30:12 +0000", MOMENT),
        ("yesterday", None),
        (True, None),
        (None, None),
        (float("inf"), None),
        (float("nan"), None),
        (12, None),
        (-1777887012, None),
        (10**25, None),
        ("1777887012.x", None),
        ("²²²²²²²²²²", None),
        ("99999999999999999999999999", None),
    ],
)
def test_a_json_value_is_a_time_or_none(value: object, expected: datetime | None) -> None:
    assert parse_time(value, AS_OF) == expected


@pytest.mark.parametrize(
    ("stamp", "as_of", "expected"),
    [
        ("May  4 09:30:12", "2026-05-04T12:00:00Z", "2026-05-04T09:30:12Z"),
        ("May  4 23:30:12", "2026-05-04T12:00:00Z", "2026-05-04T23:30:12Z"),
        ("May  6 09:30:12", "2026-05-04T12:00:00Z", "2025-05-06T09:30:12Z"),
        ("Dec 31 23:59:59", "2026-01-01T00:10:00Z", "2025-12-31T23:59:59Z"),
        ("Jan  1 00:00:03", "2025-12-31T23:50:00Z", "2026-01-01T00:00:03Z"),
        ("Feb 29 08:00:00", "2026-05-04T12:00:00Z", "2024-02-29T08:00:00Z"),
        ("Feb 29 08:00:00", "2028-02-10T12:00:00Z", "2024-02-29T08:00:00Z"),
        ("Feb 29 08:00:00", "2028-03-01T12:00:00Z", "2028-02-29T08:00:00Z"),
    ],
)
def test_a_stamp_without_year_is_the_last_such_day(stamp: str, as_of: str, expected: str) -> None:
    assert found(f"{stamp} quay3 craned: x", datetime.fromisoformat(as_of)) == datetime.fromisoformat(expected)


@pytest.mark.parametrize(
    "line",
    [
        "crane started",
        "",
        "09:30:12 crane started",
        "2026-13-04T09:30:12Z crane",
        "2026-02-30T09:30:12Z crane",
        "2026-05-04T25:30:12Z crane",
        "2026-05-04T09:30:12+99:00 crane",
        "0001-01-01 00:00:00+05:00 crane",
        "9999-12-31 23:59:59-05:00 crane",
        "04/Foo/2026:09:30:12 +0000",
        "Foo 14 09:30:12 quay3 x",
        "Feb 30 09:30:12 quay3 x",
        "12345678901234567890 crane",
        "1777887012abc crane",
    ],
)
def test_what_is_no_moment_is_no_stamp(line: str) -> None:
    assert found(line) is None


def test_a_stamp_is_found_in_the_head_or_at_the_end_of_a_long_line() -> None:
    stamp = "2026-05-04T09:30:12Z"

    assert found(stamp + " x" * 500) == MOMENT
    assert found("x " * 500 + stamp) == MOMENT
    assert found("x " * 500 + stamp + " x" * 500) is None


def test_a_stamp_across_the_end_of_the_head_keeps_its_digits() -> None:
    line = "x" * (HEAD - 22) + " 2026-05-04T09:30:12.123456+08:00 " + "x " * 100

    assert found(line) == MOMENT.replace(microsecond=123_456) - timedelta(hours=8)


def test_the_place_of_the_stamp_is_told() -> None:
    stamp = TimeFinder(AS_OF).find("crane 2026-05-04T09:30:12.5+08:00 started")

    assert stamp is not None
    assert stamp[1:] == (6, len("crane 2026-05-04T09:30:12.5+08:00"))


def test_a_finder_goes_on_finding_when_the_form_changes() -> None:
    finder = TimeFinder(AS_OF)
    lines = ("2026-05-04T09:30:12Z a", "May  4 09:30:12 quay3 b", "2026-05-04T09:30:12Z c", "1777887012 d")

    assert [stamp[0] for line in lines if (stamp := finder.find(line))] == [MOMENT] * 4


@given(st.datetimes(min_value=datetime(1970, 1, 2), timezones=st.just(UTC)), st.integers(-14 * 60, 14 * 60))
def test_any_moment_written_in_any_zone_is_read_back(moment: datetime, minutes: int) -> None:
    moment = moment.replace(year=min(moment.year, 9000))
    written = moment.astimezone(timezone(timedelta(minutes=minutes))).isoformat()

    assert found(f"{written} crane") == moment


@given(st.text() | st.from_regex(r"[A-Z][a-z]{2} +\d{1,2} \d{2}:\d{2}:\d{2} x|\d{9,21}(\.\d{0,12})?", fullmatch=True))
def test_any_text_is_a_time_or_none(text: str) -> None:
    for moment in (parse_time(text, AS_OF), found(text)):
        assert moment is None or moment.tzinfo is UTC
