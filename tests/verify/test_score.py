"""Score and verdict against an independent table."""

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.verdict import CheckedFact, Label, Verdict
from superbiz.nodes.verify.score import critical, groundedness, verdict

D, I, N, C = Label.DIRECT, Label.INDIRECT, Label.NONE, Label.CONTRADICTED  # noqa: E741


def fact(text: str, label: Label, is_critical: bool = True) -> CheckedFact:
    return CheckedFact(fact=text, is_critical=is_critical, verification=label, detail="", floor=label, ceiling=label)


@pytest.mark.requirement("V3")
def test_the_verdict_matrix_is_whole() -> None:
    """All combinations of up to five labels, by another way of asking."""
    for size in range(6):
        for labels in combinations_with_replacement(Label, size):
            counts = {label: labels.count(label) for label in Label}
            if counts[C]:
                expected = Verdict.REJECT
            elif counts[D] and not counts[N]:
                expected = Verdict.PASS
            else:
                expected = Verdict.LOW_CONFID
            assert verdict(labels) is expected, labels


@pytest.mark.requirement("V2")
def test_the_score_is_the_mean_of_the_mapped_labels() -> None:
    worth = {D: Fraction(1), I: Fraction(6, 10), N: Fraction(0)}
    for size in range(1, 6):
        for labels in combinations_with_replacement((D, I, N), size):
            assert groundedness(labels) == float(sum(worth[label] for label in labels) / size)


@pytest.mark.requirement("V2")
def test_half_is_exactly_half() -> None:
    assert groundedness((D, N)) == 0.5
    assert groundedness((I,) * 5 + (N,)) == 0.5


@pytest.mark.requirement("V2")
def test_a_contradiction_or_nothing_critical_scores_nothing() -> None:
    assert groundedness((D, D, C)) == 0.0
    assert groundedness(()) == 0.0


@pytest.mark.requirement("V2")
def test_equal_facts_count_once_by_their_weakest_label_and_only_critical_ones() -> None:
    facts = (fact("a", D), fact("a", N), fact("b", D), fact("c", C, is_critical=False))
    assert sorted(critical(facts)) == sorted([N, D])


@pytest.mark.requirement("V3")
@given(st.lists(st.sampled_from(list(Label)), max_size=8))
def test_one_more_contradiction_never_improves_anything(labels: list[Label]) -> None:
    assert verdict([*labels, C]) is Verdict.REJECT
    assert groundedness([*labels, C]) == 0.0


@given(st.lists(st.sampled_from(list(Label)), max_size=8))
def test_the_score_lies_between_0_and_1_and_a_pass_is_at_least_half(labels: list[Label]) -> None:
    assert 0.0 <= groundedness(labels) <= 1.0
    if verdict(labels) is Verdict.PASS:
        assert groundedness(labels) >= 0.5
