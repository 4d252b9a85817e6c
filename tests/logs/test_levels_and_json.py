"""Levels as Java writes them in a Turkish locale, in lines and in JSON."""

from datetime import UTC, datetime

import pytest

from superbiz.nodes.tools.logs.jsonlines import json_event
from superbiz.nodes.tools.logs.levels import level_of, level_of_value

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("[İNFO] crane moved", "INFO"),
        ("[ınfo] crane moved", "INFO"),
        ("level=CRİTİCAL crane lost", "FATAL"),
        ("warnİng  crane slow", "WARN"),
        ("[İD] crane moved", None),
    ],
)
def test_a_turkish_i_does_not_hide_a_level(line: str, level: str | None) -> None:
    assert level_of(line) == level


@pytest.mark.parametrize(("word", "level"), [("İNFO", "INFO"), ("ınfo", "INFO"), ("WARNİNG", "WARN"), ("İ", None)])
def test_a_turkish_i_does_not_hide_the_level_of_a_json_field(word: str, level: str | None) -> None:
    event = json_event(f'{{"level":"{word}","msg":"crane moved"}}', 7, AS_OF)

    assert level_of_value(word) == level
    assert event is not None
    assert event.level == level
