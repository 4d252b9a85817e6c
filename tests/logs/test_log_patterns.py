"""Messages that differ only in numbers and identifiers are counted together, over everything."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.evidence import PatternCount
from superbiz.nodes.tools.logs import patterns
from superbiz.nodes.tools.logs.events import RawEvent
from superbiz.nodes.tools.logs.patterns import MAX_VARIANTS, PATTERN_CHARS, Patterns

START = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


def event(message: str, line: int = 1, seconds: int | None = None, level: str | None = "INFO") -> RawEvent:
    time = None if seconds is None else START + timedelta(seconds=seconds)
    return RawEvent(line, line, message, time, level, message)


def counted(events: list[RawEvent]) -> list[PatternCount]:
    found = Patterns()
    for one in events:
        found.add(one)
    return [pattern.counted("logs/quay.log") for pattern in found.found.values()]


def ranges(*messages: str) -> list[tuple[str | None, str | None, str, str, int, int]]:
    (pattern,) = counted([event(message, line) for line, message in enumerate(messages, 1)])
    return [
        (one.name, one.unit, one.minimum, one.maximum, one.minimum_line, one.maximum_line) for one in pattern.values
    ]


@pytest.mark.parametrize(
    ("one", "other", "pattern"),
    [
        ("crane 7 jammed", "crane 12 jammed", "crane <*> jammed"),
        ("load 1.5 t", "load 12.25 t", "load <*> t"),
        ("from 10.2.0.9", "from 10.2.0.10", "from <*>"),
        ("lift 0x1aF at", "lift 0x2b at", "lift <*> at"),
        ("lift ab12cd34 at", "lift 99fe00aa at", "lift <*> at"),
        (
            "lift 1b4e28ba-2fa1-11d2-883f-0016d3cca427 up",
            "lift 6fa459ea-ee8a-3ca4-894e-db77e160355e up",
            "lift <*> up",
        ),
        ("crane  7\tup", "crane 8 up", "crane <*> up"),
    ],
)
def test_numbers_and_identifiers_make_no_pattern_of_their_own(one: str, other: str, pattern: str) -> None:
    (found,) = counted([event(one), event(other)])

    assert (found.pattern, found.count) == (pattern, 2)


@pytest.mark.parametrize(
    ("one", "other"), [("crane up", "crane down"), ("decade", "facade"), ("a 1", "b 1"), ("crane up", "crane7 up")]
)
def test_words_make_a_pattern_of_their_own(one: str, other: str) -> None:
    assert [found.count for found in counted([event(one), event(other)])] == [1, 1]


def test_a_level_makes_a_pattern_of_its_own() -> None:
    found = counted([event("crane 1 up", level="INFO"), event("crane 2 up", level="ERROR"), event("crane 3 up")])

    assert [(one.level, one.count) for one in found] == [("INFO", 2), ("ERROR", 1)]


@pytest.mark.requirement("T7")
def test_a_pattern_has_its_count_and_its_earliest_and_latest_time() -> None:
    """Not the times of its first and last line: files are not always in order."""
    times = {1: 30, 2: 5, 3: 90, 4: 60}
    (found,) = counted([event(f"crane {line} up", line, seconds) for line, seconds in times.items()])

    assert (found.count, found.line) == (4, 1)
    assert found.first == START + timedelta(seconds=5)
    assert found.last == START + timedelta(seconds=90)


def test_a_pattern_without_times_has_none() -> None:
    (found,) = counted([event("crane up"), event("crane up")])

    assert (found.first, found.last) == (None, None)


def test_variants_are_counted_exactly_the_most_frequent_first() -> None:
    (found,) = counted([event(f"crane {crane} up", line, line) for line, crane in enumerate((7, 8, 8, 7, 8), 1)])

    assert [(one.text, one.count, one.line) for one in found.variants] == [("crane 8 up", 3, 2), ("crane 7 up", 2, 1)]
    assert found.variants[0].first == START + timedelta(seconds=2)
    assert found.variants[0].last == START + timedelta(seconds=5)
    assert found.variants_complete


def test_too_many_variants_are_said_to_be_incomplete() -> None:
    (found,) = counted([event(f"crane {number} up") for number in range(MAX_VARIANTS + 1)])

    assert len(found.variants) == MAX_VARIANTS
    assert not found.variants_complete
    assert found.count == MAX_VARIANTS + 1


@pytest.mark.parametrize(
    ("messages", "name", "unit", "least", "most"),
    [
        (("lift took 12ms", "lift took 340ms"), "took", "ms", "12", "340"),
        (("lift took 1.5 s", "lift took 0.25 s"), "took", "s", "0.25", "1.5"),
        (("fuel at 12%x", "fuel at 3%x"), "at", "%", "3", "12"),
        (("elapsed_ms=12", "elapsed_ms=9"), "elapsed_ms", None, "9", "12"),
        (("请求responseTime: 12", "请求responseTime: 30"), "responseTime", None, "12", "30"),
        (("shift -5ms", "shift -12ms"), "shift", "ms", "-12", "-5"),
        (("耗时 12ms", "耗时 30ms"), None, "ms", "12", "30"),
        (("worker7 5ms", "worker12 900ms"), None, "ms", "5", "900"),
    ],
)
def test_a_measured_number_has_its_least_and_its_greatest(
    messages: tuple[str, str], name: str | None, unit: str | None, least: str, most: str
) -> None:
    ((found_name, found_unit, minimum, maximum, *_),) = ranges(*messages)

    assert (found_name, found_unit, minimum, maximum) == (name, unit, least, most)


def test_the_lines_of_the_extremes_are_told() -> None:
    assert ranges("took 5ms", "took 2ms", "took 9ms", "took 9ms") == [("took", "ms", "2", "9", 2, 3)]


def test_each_place_has_a_range_of_its_own() -> None:
    assert ranges("wait 1ms lift 20s", "wait 4ms lift 10s") == [
        ("wait", "ms", "1", "4", 1, 2),
        ("lift", "s", "10", "20", 2, 1),
    ]


def test_an_identifier_that_looks_like_a_number_moves_no_range() -> None:
    assert ranges("lift_time=1a2b3c took 5ms", "lift_time=123456 took 7ms") == [
        ("took", "ms", "5", "5", 1, 1),
        ("lift_time", None, "123456", "123456", 2, 2),
        ("took", "ms", "7", "7", 2, 2),
    ]


@pytest.mark.parametrize("message", ["crane 7 up", "timeout=30", "port 8080", "at 10.2.0.9", "load 5 mstones"])
def test_what_is_not_measured_has_no_range(message: str) -> None:
    assert ranges(message) == []


def test_the_events_worth_showing_are_the_named_the_extremes_and_the_ends() -> None:
    found = Patterns()
    events = [event(f"lift {number} took {took}ms", number) for number, took in enumerate((50, 3, 70, 900, 40), 1)]
    for one in events:
        pattern = found.add(one)
    assert pattern is not None
    pattern.named_event = events[2]

    shown = [one.line for one in pattern.events()]
    assert shown[:3] == [3, 4, 1]
    assert sorted(shown) == [1, 2, 3, 4, 5]


def test_what_a_pattern_keeps_is_bounded() -> None:
    (found,) = counted([event("crane " + "x" * 50_000 + " jammed")])

    assert len(found.pattern) <= PATTERN_CHARS
    assert len(found.variants[0].text) <= PATTERN_CHARS * 4


@pytest.mark.requirement("T6")
def test_patterns_beyond_the_limit_are_counted_as_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MAX_PATTERNS", 3)
    found = Patterns()
    added = [found.add(event(f"{word} up")) for word in ("crane", "gate", "yard", "dock", "crane", "buoy")]

    assert [pattern is not None for pattern in added] == [True, True, True, False, True, False]
    assert found.left_out == 2


def test_a_full_table_of_keys_changes_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MAX_KEYS", 2)

    events = [event(f"{word} up") for word in ("crane", "gate", "yard", "crane", "yard")]
    assert [(one.pattern, one.count) for one in counted(events)] == [("crane up", 2), ("gate up", 1), ("yard up", 2)]


messages = st.text(max_size=40) | st.sampled_from(["took 5ms", "took 9ms"])


@given(st.lists(st.tuples(messages, st.none() | st.integers(0, 99))))
def test_every_event_is_counted_once_and_no_time_is_outside(said: list[tuple[str, int | None]]) -> None:
    found = counted([event(message, line, seconds) for line, (message, seconds) in enumerate(said, 1)])

    assert sum(one.count for one in found) == len(said)
    for one in found:
        assert sum(variant.count for variant in one.variants) <= one.count
        assert not one.variants_complete or sum(variant.count for variant in one.variants) == one.count
        assert (one.first is None) == (one.last is None)
        assert one.first is None or one.last is None or one.first <= one.last
        assert all(float(value.minimum) <= float(value.maximum) for value in one.values)
