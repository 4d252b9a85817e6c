"""Quotes: cut on characters, centred, never through the words that matter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.text import fold, normalise
from superbiz.nodes.summary.quoting import locate, one_line, quote


def test_a_short_text_is_quoted_whole() -> None:
    assert quote("订单 17 failed", 40) == "订单 17 failed"


def test_a_long_text_is_cut_around_the_words_asked_for() -> None:
    text = "a" * 300 + "NEEDLE" + "b" * 300
    assert quote(text, 16, (300, 306)) == "…aaaaaNEEDLEbbbbb…"


def test_words_longer_than_the_limit_are_never_cut() -> None:
    assert quote("xxNEEDLEyy", 2, (2, 8)) == "…NEEDLE…"


@pytest.mark.parametrize(("span", "cut"), [((0, 2), "0123…"), ((8, 10), "…6789")])
def test_near_an_end_the_room_goes_to_the_other_side(span: tuple[int, int], cut: str) -> None:
    assert quote("0123456789", 4, span) == cut


def test_a_line_feed_becomes_a_space_and_other_white_space_stays() -> None:
    """`Exit Code:    137` must stay findable as it is written."""
    assert one_line("Exit Code:    137\n\tReason") == "Exit Code:    137 \tReason"


@given(st.text(), st.text(), st.text(min_size=1))
def test_what_folds_to_an_excerpt_is_found_and_folds_back(before: str, after: str, middle: str) -> None:
    """`ß`, ligatures, full-width letters, runs of spaces: the place found in the text folds to the excerpt."""
    text, wanted = normalise(before + middle + after), fold(middle)
    if wanted and wanted in fold(text):
        span = locate(text, wanted)
        assert span is not None
        assert wanted in fold(text[span[0] : span[1]])


def test_a_text_without_the_words_has_no_place_for_them() -> None:
    assert locate("cart is fine", "order") is None


def test_white_space_and_case_do_not_hide_a_place() -> None:
    text = "at X:  Read\n\ttimed OUT after"
    assert locate(text, "read timed out") == (7, 22)


@given(st.text())
def test_a_normalised_text_stays_as_it_is(text: str) -> None:
    """Else an excerpt cut from the record would not be found in the summary again."""
    assert normalise(normalise(text)) == normalise(text)


def test_a_joiner_between_a_letter_and_its_accent_does_not_matter() -> None:
    assert normalise("caf\u0065\u200d\u0301") == normalise("caf\u0065\u0301") == "caf\u00e9"
