"""Lines to events: every filled line in exactly one, and what belongs together in the same."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.nodes.tools.logs.events import MAX_EVENT, RawEvent
from superbiz.nodes.tools.logs.segment import MAX_CONTINUATION, events_of

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
MOMENT = datetime(2026, 5, 4, 9, 30, 12, tzinfo=UTC)

TRACE = """\
2026-05-04 09:30:12.000 ERROR [hoist] q.Crane - lift failed
quay.LiftException: cable slack
\tat quay.Crane.lift(Crane.java:71)
\tat quay.Main.run(Main.java:12)
Caused by: quay.SensorException: no reading
\tat quay.Sensor.read(Sensor.java:9)
\t... 2 more
2026-05-04 09:30:13.000 INFO [hoist] q.Crane - idle
"""

SPANS = """\
request a1 2026-05-04T09:30:12Z
├─ gate.check 12ms
├─ yard.assign 340ms
│    slot=44
│  ├─ yard.lookup 320ms ERROR
│  │    2026-05-04T09:30:13Z table locked
└─ gate.open 5ms
"""

lines = st.lists(
    st.sampled_from(
        [
            "2026-05-04T09:30:12Z INFO moved",
            "\tat quay.Crane.lift(Crane.java:71)",
            "May  4 09:30:12 quay3 craned: moved",
            '{"time":"2026-05-04T09:30:12Z","msg":"moved"}',
            '{"msg":"moved"',
            "├─ gate.check 12ms",
            "│    slot=44",
            "cranes:",
            "  c7:",
            "    loads: 3",
            "",
            "   ",
            "free words",
        ]
    )
    | st.text(alphabet=st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=30),
    max_size=60,
)


def split(text: str) -> list[RawEvent]:
    return list(events_of(text.splitlines(), AS_OF))


def test_a_stack_trace_is_one_event_with_its_header() -> None:
    """Field bug 51."""
    trace, idle = split(TRACE)

    assert trace.text == "\n".join(TRACE.splitlines()[:7])
    assert (trace.line, trace.end_line, trace.level, trace.time) == (1, 7, "ERROR", MOMENT)
    assert trace.message.split() == ["ERROR", "[hoist]", "q.Crane", "-", "lift", "failed"]
    assert (idle.line, idle.end_line) == (8, 8)


def test_an_endless_continuation_starts_a_new_event() -> None:
    head = [f"2026-05-04 09:30:{second:02d} INFO moved" for second in range(50)]
    found = list(events_of([*head, *["  more"] * (MAX_CONTINUATION + 5)], AS_OF))

    assert [(event.line, event.end_line) for event in found[49:]] == [(50, 450), (451, 455)]


def test_lines_before_the_first_stamp_are_kept() -> None:
    found = split("crane log\n2026-05-04 09:30:12 INFO moved\n2026-05-04 09:30:13 INFO idle\n")

    assert [event.line for event in found] == [1, 2, 3]


def test_json_lines_are_an_event_each_and_a_broken_one_stays_a_line() -> None:
    good, broken, prefixed = split(
        '{"time":"2026-05-04T09:30:12Z","level":"error","msg":"jammed"}\n'
        '{"level":"error","msg":"cut of\n'
        '2026-05-04T09:30:12Z {"level":"warn","msg":"slow"}\n'
    )

    assert (good.time, good.level, good.said) == (MOMENT, "ERROR", "jammed")
    assert (broken.text, broken.said, broken.time) == ('{"level":"error","msg":"cut of', "", None)
    assert (prefixed.time, prefixed.level, prefixed.said) == (MOMENT, "WARN", "slow")


def test_unstamped_lines_after_json_lines_do_not_join_them() -> None:
    assert len(split('{"msg":"moved"}\nfree words\nmore words\n{"msg":"idle"}\n')) == 4


def test_a_branch_of_spans_is_an_event_with_what_stands_on_its_bars() -> None:
    found = split(SPANS)

    assert [event.message for event in found] == [
        "request a1 2026-05-04T09:30:12Z",
        "gate.check 12ms",
        "yard.assign 340ms",
        "yard.lookup 320ms ERROR",
        "gate.open 5ms",
    ]
    assert [(event.line, event.end_line) for event in found] == [(1, 1), (2, 2), (3, 4), (5, 6), (7, 7)]
    assert found[3].level == "ERROR"
    assert found[3].time == MOMENT.replace(second=13)


def test_a_branch_without_end_is_cut() -> None:
    found = split("├─ gate.check\n├─ yard.assign\n" + "│  slot=44\n" * 1000)

    assert max(event.end_line - event.line for event in found) == MAX_CONTINUATION


def test_stamps_late_in_the_line_do_not_join_lines() -> None:
    late = "a crane moved a load of 12 crates from the yard to the ship number four at 2026-05-04T09:30:12Z"
    found = split(f"{late}\n{late}\nno stamp here\n{late}\n")

    assert [event.time for event in found] == [MOMENT, MOMENT, None, MOMENT]


def test_plain_lines_are_an_event_each() -> None:
    found = split("crane moved\n\nERROR crane jammed\n")

    assert [(event.line, event.text, event.level) for event in found] == [
        (1, "crane moved", None),
        (3, "ERROR crane jammed", "ERROR"),
    ]


def test_a_document_longer_than_one_is_read_line_by_line() -> None:
    assert len(split("cranes:\n" + "  loads: 3\n" * 3500)) == 3501


@pytest.mark.parametrize("text", ["", "\n\n", "  \n\t\n"])
def test_nothing_is_no_event(text: str) -> None:
    assert split(text) == []


@given(lines)
def test_every_filled_line_is_in_exactly_one_event(given: list[str]) -> None:
    found = list(events_of(given, AS_OF))
    covered = [line for event in found for line in range(event.line, event.end_line + 1)]
    filled = [number for number, line in enumerate(given, 1) if line.strip()]

    assert len(covered) == len(set(covered))
    assert set(filled) <= set(covered)
    for event in found:
        inside = [line for line in given[event.line - 1 : event.end_line] if line.strip()]
        assert [line.rstrip() for line in event.text.split("\n")] == [line.rstrip() for line in inside]


def test_a_record_is_bounded_around_what_is_wanted() -> None:
    event = RawEvent(3, 3, "a" * 50_000 + " Winch " + "b" * 50_000, None, None, "", said="c" * 50_000)
    record = event.record("logs/quay.log", ("winch", "nowhere"))

    assert "Winch" in record.text
    assert len(record.text) == MAX_EVENT + 2
    assert record.text[0] == record.text[-1] == "…"
    assert len(record.message) == MAX_EVENT
    assert len(event.record("logs/quay.log", ()).text) == MAX_EVENT + 1


def test_a_short_record_is_whole() -> None:
    record = RawEvent(3, 4, "crane\nmoved", MOMENT, "INFO", "", ("quay",)).record("logs/quay.log", ())

    assert (record.text, record.message, record.context, record.line, record.end_line) == (
        "crane\nmoved",
        "",
        ("quay",),
        3,
        4,
    )
