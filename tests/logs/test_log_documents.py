"""Untimed text with structure: blocks with the names above them."""

from hypothesis import given
from hypothesis import strategies as st

from superbiz.nodes.tools.logs.document import BLOCK_LINES, MAX_DEPTH, WHOLE_LINES, document_events, is_document
from superbiz.nodes.tools.logs.events import RawEvent

HARBOUR = """\
cranes:
  c7:
    state: jammed
    loads: 3
  c8:
    state: idle
    loads: 0

gates:
  - north: open
  - south: shut
"""


def events(text: str) -> list[RawEvent]:
    return list(document_events(text.splitlines()))


def test_a_short_flat_document_is_one_event() -> None:
    text = "Crane: c7\n\nState:\n  now: jammed  \n  before: idle\n"
    (found,) = events(text)

    assert found.text == "Crane: c7\nState:\n  now: jammed\n  before: idle"
    assert (found.line, found.end_line, found.time, found.context) == (1, 5, None, ())


def test_a_block_has_the_names_above_it_and_no_others() -> None:
    """A value may only meet the subject of its own block: c8 is idle, not c7."""
    found = {event.text: event.context for event in events(HARBOUR)}

    assert found == {
        "cranes:": (),
        "  c7:\n    state: jammed\n    loads: 3": ("cranes",),
        "  c8:\n    state: idle\n    loads: 0": ("cranes",),
        "gates:\n  - north: open\n  - south: shut": (),
    }


def test_a_long_list_has_an_event_for_each_line() -> None:
    text = "gates:\n" + "".join(f"  - gate{number}: open\n" for number in range(WHOLE_LINES))
    found = events(text)

    assert len(found) == WHOLE_LINES + 1
    assert {event.context for event in found[1:]} == {("gates",)}


def test_many_sections_are_not_one_event() -> None:
    text = "".join(f"crane{number}:\n  state: idle\n" for number in range(BLOCK_LINES + 1))

    assert len(events(text)) == BLOCK_LINES + 1


def test_the_level_of_a_block_is_that_of_its_words() -> None:
    text = HARBOUR.replace("state: jammed", "state: ERROR")

    assert [event.level for event in events(text)] == [None, "ERROR", None, None]


def test_what_is_indented_without_end_is_read() -> None:
    text = "\n".join(" " * depth + "deeper: x" for depth in range(2_500))
    found = events(text)

    assert max(len(event.context) for event in found) <= MAX_DEPTH
    assert sum(len(event.text.splitlines()) for event in found) == 2_500


def test_a_document_is_mostly_keys_and_partly_indented() -> None:
    assert is_document(HARBOUR.splitlines())
    assert not is_document([])
    assert not is_document(["", "  "])
    assert not is_document(["crane: c7", "state: jammed"])
    assert not is_document(["crane moved", "  crane idle", "crane jammed"])
    assert not is_document(["# note: one", "  # note: two", "  // note: three"])


@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from(["a:", "b: 1", "- c", "", "d: ERROR x"])), min_size=1))
def test_every_filled_line_is_in_exactly_one_block(shape: list[tuple[int, str]]) -> None:
    lines = [" " * indent + text for indent, text in shape]
    filled = [line.rstrip() for line in lines if line.strip()]

    if filled:
        written = [line for event in document_events(lines) for line in event.text.split("\n")]
        assert written == filled
