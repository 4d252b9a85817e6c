"""A line that holds a JSON object: its time, level, message and facts."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.text import normalise
from superbiz.nodes.tools.logs.events import RawEvent
from superbiz.nodes.tools.logs.jsonlines import json_event

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
MOMENT = datetime(2026, 5, 4, 9, 30, 12, tzinfo=UTC)

values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(["time", "ts", "level", "msg", "message", "status"]) | st.text(max_size=6)


def event(line: str) -> RawEvent:
    found = json_event(line, 7, AS_OF)
    assert found is not None
    return found


@pytest.mark.parametrize("key", ["@timestamp", "timestamp", "time", "ts", "datetime", "date", "t", "Time"])
def test_the_time_is_read_under_every_name(key: str) -> None:
    assert event(json.dumps({"msg": "moved", key: "2026-05-04T09:30:12Z"})).time == MOMENT
    assert event(json.dumps({"msg": "moved", key: 1777887012000})).time == MOMENT


@pytest.mark.parametrize(
    ("key", "value"),
    [("level", "error"), ("severity", "ERROR"), ("lvl", 50), ("log.level", "Err")],
)
def test_the_level_is_read_under_every_name(key: str, value: object) -> None:
    assert event(json.dumps({key: value, "msg": "INFO moved"})).level == "ERROR"


def test_an_object_without_level_has_that_of_its_message() -> None:
    """Container runtimes wrap whole lines."""
    assert event('{"log":"09:30:12 ERROR crane jammed\\n","stream":"stderr"}').level == "ERROR"
    assert event('{"stream":"ERROR"}').level is None


@pytest.mark.parametrize("key", ["message", "msg", "log", "event", "text", "body", "Message"])
def test_what_is_said_stands_alone(key: str) -> None:
    found = event(json.dumps({"level": "warn", key: "crane  slow\x1b[0m\x00 ＡＢ", "crane": "c7"}))

    assert found.said == "crane  slow\u2400 AB"
    assert found.message == "crane  slow\u2400 AB crane=c7"
    assert found.record("logs/quay.jsonl", ()).message == found.said


def test_facts_are_in_the_message_and_what_only_tells_events_apart_is_not() -> None:
    line = json.dumps(
        {
            "msg": "moved",
            "crane": {"kind": "gantry", "loads": 3, "id": "c-7", "parts": [1, 2], "none": None},
            "traceId": "ab12",
            "pid": 77,
            "span_id": "9",
            "ok": True,
            "host": "quay3",
        }
    )

    assert event(line).message == "moved crane.kind=gantry crane.loads=3 ok=True"
    assert event(line).text == line


def test_an_object_without_message_is_its_facts() -> None:
    found = event('{"crane":"gantry","loads":3}')

    assert found.said == ""
    assert found.message == "crane=gantry loads=3"


def test_many_fields_are_cut_and_the_record_keeps_them() -> None:
    line = json.dumps({f"crane_{number}": number for number in range(60)})

    assert len(event(line).message.split()) == 24
    assert event(line).text == line


@pytest.mark.parametrize(
    "line",
    [
        '{"msg":"moved"}',
        'quay3 craned: {"msg":"moved"}',
        '2026-05-04T09:30:12Z stdout F {"msg":"moved"}  ',
        '  {"msg":"moved"}',
    ],
)
def test_an_object_is_read_behind_a_prefix(line: str) -> None:
    assert event(line).said == "moved"
    assert (event(line).line, event(line).end_line, event(line).text) == (7, 7, line)


@pytest.mark.parametrize(
    "line",
    [
        "crane moved",
        '{"msg":"moved"',
        '{"msg":"moved"} and more',
        "{crane: moved}",
        "crane{id} moved {ok}",
        '["msg"]',
        "",
        '{"a":' * 20_000 + "1" + "}" * 20_000,
        '{"n":' + "9" * 5000 + "}",
        "x" * 300 + ' {"msg":"moved"}',
    ],
)
def test_what_is_no_object_is_left_to_the_others(line: str) -> None:
    assert json_event(line, 7, AS_OF) is None


@given(st.dictionaries(keys, values, max_size=6), st.booleans())
def test_any_object_is_an_event_in_normal_form(content: dict[str, object], ascii_only: bool) -> None:
    line = normalise(json.dumps(content, ensure_ascii=ascii_only).replace("\n", " "))
    found = json_event(line, 7, AS_OF)

    if found is not None:
        assert found.said == normalise(found.said)
        assert found.message == normalise(found.message)
        assert found.time is None or found.time.tzinfo is UTC
