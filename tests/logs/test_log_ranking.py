"""Which patterns matter: by level, rarity and the question's words, never by frequency."""

import pytest

from superbiz.nodes.tools.logs.events import RawEvent
from superbiz.nodes.tools.logs.levels import level_of
from superbiz.nodes.tools.logs.patterns import Pattern, Patterns
from superbiz.nodes.tools.logs.rank import rank


def found(*messages: tuple[str, int]) -> list[tuple[str, Pattern]]:
    patterns = Patterns()
    line = 0
    for message, count in messages:
        for _ in range(count):
            line += 1
            patterns.add(RawEvent(line, line, message, None, level_of(message), message))
    return [("logs/quay.log", pattern) for pattern in patterns.found.values()]


def order(*messages: tuple[str, int], entities: tuple[str, ...] = (), terms: tuple[str, ...] = ()) -> list[str]:
    return [one.pattern.text for one in rank(found(*messages), entities, terms)]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (("ERROR crane moved", 1), ("INFO crane moved", 1)),
        (("FATAL crane moved", 1), ("ERROR crane moved", 1)),
        (("WARN crane moved", 1), ("crane moved", 1)),
        (("crane moved", 1), ("DEBUG crane moved", 1)),
        (("ERROR lift jammed", 2), ("ERROR gate jammed", 5000)),
        (("INFO lift refused", 1), ("INFO lift granted", 1)),
        (("INFO 起吊失败", 1), ("INFO 起吊完成", 1)),
        (("INFO lift took 30s", 1), ("INFO lift made 30t", 1)),
        (("INFO lift took 9000ms", 1), ("INFO gate took 9ms", 1)),
    ],
)
def test_the_more_telling_comes_first(better: tuple[str, int], worse: tuple[str, int]) -> None:
    first = order(worse, better)[0]

    assert first == order((better[0], 1))[0]


def test_a_word_of_the_question_lifts_what_has_it() -> None:
    noise = [(f"INFO {name} moved", 1) for name in ("gate", "yard", "dock")]

    assert order(*noise, ("INFO winch moved", 1), terms=("winch",))[0] == "INFO winch moved"
    assert order(*noise, ("INFO winch moved", 1), entities=("winch",))[0] == "INFO winch moved"


def test_a_word_that_all_have_tells_none_apart() -> None:
    messages = (("INFO quay gate moved", 1), ("ERROR quay winch moved", 1))

    assert order(*messages, entities=("quay",), terms=("quay",)) == order(*messages)


def test_a_word_that_none_has_changes_nothing() -> None:
    messages = (("INFO gate moved", 1), ("ERROR winch moved", 1))

    assert order(*messages, entities=("buoy",), terms=("buoy",)) == order(*messages)


def test_two_names_are_worth_more_than_one() -> None:
    messages = (("INFO winch moved", 1), ("INFO winch moved gate", 1), ("INFO yard moved", 1))

    assert order(*messages, entities=("winch", "gate"))[0] == "INFO winch moved gate"


def test_a_name_in_a_later_event_counts() -> None:
    patterns = found(("INFO gate 1 moved", 1), ("INFO yard 1 moved", 1))
    patterns[1][1].named_event = RawEvent(9, 9, "yard 7", None, None, "yard 7")

    assert rank(patterns, ("7",), ())[0].pattern is patterns[1][1]


def test_ties_are_in_the_order_of_the_file() -> None:
    assert order(("INFO yard moved", 1), ("INFO gate moved", 1)) == ["INFO yard moved", "INFO gate moved"]


def test_no_pattern_is_no_rank() -> None:
    assert rank([], ("winch",), ("winch",)) == []
