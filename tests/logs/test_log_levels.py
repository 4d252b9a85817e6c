"""The level that an event states, and what is at least as severe."""

import pytest

from superbiz.nodes.tools.logs.levels import LEVELS, at_least, level_of, level_of_value


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("2026-05-04T09:30:12Z ERROR crane jammed", "ERROR"),
        ("2026-05-04 09:30:12 [main] WARN  o.q.Crane - slow", "WARN"),
        ("CRITICAL: crane down", "FATAL"),
        ("quay3 PANIC: hoist lost", "FATAL"),
        ("EMERG hoist lost", "FATAL"),
        ("SEVERE [hoist] jammed", "ERROR"),
        ("NOTICE hoist moved", "INFO"),
        ("TRACE hoist moved", "DEBUG"),
        ("[error] 7#7: upstream closed", "ERROR"),
        ("[core:warn] slow", "WARN"),
        ('time=09:30 level=warning msg="slow"', "WARN"),
        ('time=09:30 level="error" msg="jammed"', "ERROR"),
        ("LEVEL=ERROR jammed", "ERROR"),
        ("warning  unused crane", "WARN"),
        ("  error  jammed", "ERROR"),
        ("E0504 09:30:12 7 crane.go:3] jammed", "ERROR"),
        ("W0504 09:30:12 7 crane.go:3] slow", "WARN"),
        ("F0504 09:30:12 7 crane.go:3] gone", "FATAL"),
        ("I0504 09:30:12 7 crane.go:3] moved", "INFO"),
        ("INFO retried after ERROR", "INFO"),
    ],
)
def test_a_level_is_read_in_every_spelling(line: str, level: str) -> None:
    assert level_of(line) == level


@pytest.mark.parametrize(
    "line",
    [
        "crane moved",
        "",
        "no errors found",
        "error: jammed",
        "CRANE_ERROR_COUNT 7",
        "ERROR_CODE=7",
        "quay.ERROR.total",
        "MY-ERROR seen",
        "ERRORS 7",
        "[cargo] moved",
        "level=high",
        "x" * 240 + " ERROR",
    ],
)
def test_a_word_that_only_holds_a_level_is_none(line: str) -> None:
    assert level_of(line) is None


@pytest.mark.parametrize(
    ("value", "level"),
    [
        ("error", "ERROR"),
        ("Warning", "WARN"),
        (60, "FATAL"),
        (50, "ERROR"),
        (40, "WARN"),
        (30, "INFO"),
        (20, "DEBUG"),
        (35.0, "INFO"),
        (True, None),
        ("loud", None),
        (None, None),
        (-1, None),
        (float("nan"), None),
    ],
)
def test_a_json_value_gives_its_level(value: object, level: str | None) -> None:
    assert level_of_value(value) == level


def test_a_level_takes_the_more_severe_ones_along() -> None:
    assert [at_least(level) for level in LEVELS] == [frozenset(LEVELS[: place + 1]) for place in range(len(LEVELS))]
    assert at_least("warning") == at_least("WARN")


def test_a_word_that_is_no_level_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        at_least("loud")
