"""The stretch of time that a question names."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.plan import Window
from superbiz.nodes.planning.window import names_a_stretch, window_of

NOW = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "length"),
    [
        ("最近30分钟为什么慢", timedelta(minutes=30)),
        ("过去两小时", timedelta(hours=2)),
        ("近半小时", timedelta(minutes=30)),
        ("in the last 15 minutes", timedelta(minutes=15)),
        ("over the past day", timedelta(days=1)),
        ("过去十天", timedelta(days=10)),
    ],
)
def test_the_last_n_ends_now(question: str, length: timedelta) -> None:
    assert window_of(question, NOW) == Window(since=NOW - length, until=NOW)
    assert names_a_stretch(question)


def test_two_moments_are_the_ends() -> None:
    window = window_of("between 2026-03-01 10:00 and 2026-03-01T12:30:05+08:00?", NOW)
    assert window.since == datetime(2026, 3, 1, 4, 30, 5, tzinfo=UTC)
    assert window.until == datetime(2026, 3, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize("question", ["2月27日起一直失败", "since 27 February", "failing since Feb 27th, 2026"])
def test_since_a_day_is_open_at_its_end(question: str) -> None:
    window = window_of(question, NOW)
    assert window.until is None
    assert window.since is not None
    assert window.since <= datetime(2026, 2, 27, tzinfo=UTC) < window.since + timedelta(days=1)


@pytest.mark.parametrize("question", ["2026-02-27 那天", "昨天晚上", "2026年2月27日"])
def test_a_day_is_taken_wide(question: str) -> None:
    window = window_of(question, NOW)
    assert window.since is not None
    assert window.until is not None
    assert timedelta(days=2) <= window.until - window.since <= timedelta(days=3)
    assert not names_a_stretch(question)


def test_a_day_without_a_year_is_the_latest_one_before_now() -> None:
    window = window_of("12月31日失败", NOW)
    assert window.since is not None
    assert window.since.year == 2025


@pytest.mark.parametrize("question", ["为什么慢", "2026-13-45 坏了", "2026-02-30 10:61 坏了", "13月40日"])
def test_nothing_or_an_impossible_date_is_no_window(question: str) -> None:
    assert window_of(question, NOW) == Window()


@given(st.text())
def test_any_text_gives_a_window_in_order(question: str) -> None:
    window = window_of(question, NOW)
    assert window.since is None or window.until is None or window.since <= window.until


@pytest.mark.parametrize(
    ("question", "as_of"),
    [
        ("最近 99999999999999999999 天", NOW),
        ("最近 30 分钟", datetime(1, 1, 1, tzinfo=UTC)),
        ("昨天", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31", NOW),
        ("0001-01-01T00:00:00+14:00", NOW),
    ],
)
def test_a_stretch_beyond_what_dates_can_say_is_no_hint(question: str, as_of: datetime) -> None:
    assert window_of(question, as_of) == Window()
