"""The laws of `merge_evaluations`: writes may come in any order, together or apart, once or again (P4)."""

import copy
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.reducers import STAMPS, merge_evaluations, stamped
from support.any_writes import CHANNELS, FIELDS, FOREIGN, VALUES, writes

pytestmark = pytest.mark.requirement("P4")


def merged(*parts: JsonObject) -> JsonObject:
    """Left to right, from nothing."""
    found: JsonObject | None = None
    for part in parts:
        found = merge_evaluations(found, part)
    return found or {}


def shown(evaluation: JsonObject, channel: str) -> JsonObject:
    """A channel's fields without their stamps."""
    value = evaluation.get(channel, {})
    assert isinstance(value, dict)
    return {name: field for name, field in value.items() if name != STAMPS}


@given(writes(), writes())
def test_commutative(a: JsonObject, b: JsonObject) -> None:
    assert merge_evaluations(a, b) == merge_evaluations(b, a)


@given(writes(), writes(), writes())
def test_associative(a: JsonObject, b: JsonObject, c: JsonObject) -> None:
    assert merge_evaluations(merge_evaluations(a, b), c) == merge_evaluations(a, merge_evaluations(b, c))


@given(writes(), writes())
def test_idempotent(a: JsonObject, b: JsonObject) -> None:
    """A write alone, a merge of two, and a write that a merge holds already."""
    both = merge_evaluations(a, b)
    assert merge_evaluations(a, a) == a
    assert merge_evaluations(both, both) == both
    assert merge_evaluations(both, a) == merge_evaluations(both, b) == both


@given(st.lists(writes(), min_size=3, max_size=3))
def test_any_order_ends_the_same(parts: list[JsonObject]) -> None:
    right = merged(*parts)
    assert all(merged(*order) == right for order in permutations(parts))
    assert merged(*parts, *parts) == right


@given(writes(), writes())
def test_inputs_are_not_mutated(a: JsonObject, b: JsonObject) -> None:
    before = copy.deepcopy((a, b))
    merge_evaluations(a, b)
    assert (a, b) == before


@given(writes())
def test_nothing_is_neutral(a: JsonObject) -> None:
    assert merge_evaluations(None, a) == merge_evaluations(a, None) == merge_evaluations({}, a) == a
    assert merge_evaluations(None, None) == {}


@given(writes(), writes())
def test_unknown_channels_are_kept(a: JsonObject, b: JsonObject) -> None:
    """Whatever the turns of the others; where only one side has it, unchanged."""
    found = merge_evaluations(a, b)
    for name in FOREIGN:
        sides = [side[name] for side in (a, b) if name in side]
        assert (name in found) == bool(sides)
        if len(sides) == 1:
            assert found[name] == sides[0]


@given(writes((1,)), writes((2,)))
def test_a_later_turn_drops_what_earlier_ones_left(old: JsonObject, new: JsonObject) -> None:
    found = merge_evaluations(old, new)
    winner = new if any(name in new for name in CHANNELS) else old
    assert [found.get(name) for name in CHANNELS] == [winner.get(name) for name in CHANNELS]


@pytest.mark.parametrize(
    ("earlier", "later"), [((1, 1, 0), (1, 1, 1)), ((1, 1, 1), (1, 2, 0)), ((9, 9, 9), (10, 0, 0))]
)
def test_the_later_write_of_a_field_wins(earlier: tuple[int, int, int], later: tuple[int, int, int]) -> None:
    """Stage within a round, round within a turn, turns by number and not as text."""
    a: JsonObject = {"rule_evaluation": stamped(*earlier, {"score": 2})}
    b: JsonObject = {"rule_evaluation": stamped(*later, {"score": 1})}
    assert merge_evaluations(a, b) == merge_evaluations(b, a) == b


def test_fields_of_one_turn_meet_in_a_channel() -> None:
    """The composed answer adds to what the verdict left."""
    verdict: JsonObject = {"verifier_evaluation": stamped(1, 1, 0, {"verdict": "PASS", "form": None})}
    composed: JsonObject = {"verifier_evaluation": stamped(1, 1, 1, {"form": "pass"})}
    found = merge_evaluations(verdict, composed)
    assert shown(found, "verifier_evaluation") == {"verdict": "PASS", "form": "pass"}


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(FIELDS, VALUES)), min_size=2, max_size=3))
def test_writes_of_one_moment_never_mix(versions: list[JsonObject]) -> None:
    """Two forks that end at the same moment: one of them wins whole."""
    parts: list[JsonObject] = [{"rule_evaluation": stamped(1, 1, 0, fields)} for fields in versions]
    found = merged(*parts)
    assert shown(found, "rule_evaluation") in versions


def test_a_field_of_this_version_wins_over_one_without_a_stamp() -> None:
    old: JsonObject = {"rule_evaluation": {"score": 9, "mood": "good"}}
    new: JsonObject = {"rule_evaluation": stamped(1, 1, 0, {"score": 1})}
    for found in (merge_evaluations(old, new), merge_evaluations(new, old)):
        assert shown(found, "rule_evaluation") == {"score": 1, "mood": "good"}


def test_fields_without_a_stamp_outlive_a_turn() -> None:
    first: JsonObject = {"rule_evaluation": {**stamped(1, 1, 0, {"score": 1}), "mood": "good"}}
    second: JsonObject = {"verifier_evaluation": stamped(2, 1, 0, {"verdict": "PASS"})}
    assert merge_evaluations(first, second) == {"rule_evaluation": {"mood": "good"}, **second}


def test_a_channel_that_is_null_survives() -> None:
    new: JsonObject = {"y": stamped(2, 1, 0, {"g": 1}), "z": None}
    assert merge_evaluations(None, new) == merge_evaluations(new, {"z": None}) == new
