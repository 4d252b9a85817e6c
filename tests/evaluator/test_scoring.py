"""The rule score: its parts from rows alone, each in [0, 1], weighted to one (P3)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from superbiz.graph.domain.evidence import Chunk, Status
from superbiz.graph.domain.record import Invocation
from superbiz.nodes.scoring import ENOUGH_SOURCES, RuleEvaluation, score_rows
from support.any_rows import many_rows
from support.rows import make_event, make_output, make_row

FOUND = make_output(make_event(1, "x"))
PASSAGE = make_output(Chunk(source="runbooks/a.md", line=1, heading="h", chunk_id="c", score=1.0, text="t"))


def _values(*rows: Invocation) -> dict[str, float]:
    return {part.name: part.value for part in score_rows(rows).parts}


@pytest.mark.requirement("P3")
def test_without_calls_there_is_no_evidence() -> None:
    assert score_rows(()).score == 0.0
    assert set(_values().values()) == {0.0}


@pytest.mark.requirement("P3")
def test_everything_asked_found_and_different_is_worth_all_but_advice() -> None:
    """Knowledge is indirect by nature, so the levels do not reach one."""
    rows = (
        make_row(1, FOUND, labels=("logs/a.log", "logs/b.log")),
        make_row(2, FOUND, tool="query_metrics", labels=("metrics/a.json",)),
        make_row(3, PASSAGE, tool="lookup_knowledge", labels=("runbooks/a.md",)),
    )
    assert _values(*rows) == {
        "coverage": 1.0,
        "success": 1.0,
        "fresh_hits": 1.0,
        "evidence_levels": 0.8333,
        "diversity": 1.0,
    }
    assert score_rows(rows).score == 0.9583


@pytest.mark.requirement("P3")
def test_the_weights_make_one_and_the_score_is_the_weighted_sum() -> None:
    evaluation = score_rows((make_row(1, FOUND), make_row(2, None, status=Status.FAILED)))
    assert sum(part.weight for part in evaluation.parts) == pytest.approx(1.0)
    assert evaluation.score == pytest.approx(sum(part.value * part.weight for part in evaluation.parts), abs=1e-4)


@pytest.mark.requirement("P3")
def test_coverage_counts_the_kinds_of_tools_that_answered() -> None:
    failed = make_row(2, None, tool="query_metrics", status=Status.FAILED)
    assert _values(make_row(1, FOUND), make_row(3, FOUND), failed)["coverage"] == 0.3333


@pytest.mark.requirement("P3")
def test_a_failed_or_unfinished_call_lowers_success_an_empty_answer_does_not() -> None:
    empty = make_row(2, make_output(status=Status.NO_DATA), status=Status.NO_DATA)
    failed, dead = make_row(3, None, status=Status.FAILED), make_row(4, None, status=None)
    assert _values(make_row(1, FOUND), empty)["success"] == 1.0
    assert _values(make_row(1, FOUND), empty, failed, dead)["success"] == 0.5


@pytest.mark.requirement("P3")
def test_empty_answers_and_duplicates_are_no_fresh_hits() -> None:
    """A real zero is one: it answers the question."""
    empty = make_row(2, make_output(status=Status.NO_DATA), status=Status.NO_DATA)
    again = make_row(3, FOUND, deduped_of="inv-000000000001")
    zero = make_row(4, make_output(status=Status.ZERO), status=Status.ZERO)
    assert _values(make_row(1, FOUND), empty, again, zero)["fresh_hits"] == 0.5


@pytest.mark.requirement("P3")
def test_advice_alone_is_worth_half_of_the_levels() -> None:
    assert _values(make_row(1, PASSAGE, tool="lookup_knowledge"))["evidence_levels"] == 0.5


@pytest.mark.requirement("P3")
def test_many_sources_of_one_call_count_up_to_enough() -> None:
    labels = tuple(f"logs/{n}.log" for n in range(9))
    assert _values(make_row(1, FOUND, labels=labels[:2]))["diversity"] == 2 / ENOUGH_SOURCES
    assert _values(make_row(1, FOUND, labels=labels))["diversity"] == 1.0
    nothing = make_row(1, make_output(status=Status.NO_DATA), status=Status.NO_DATA, labels=labels)
    assert _values(nothing)["diversity"] == 0.0


@pytest.mark.requirement("P3")
def test_helper_tools_do_not_count() -> None:
    helper = make_row(2, FOUND, tool="current_time", evidence_bearing=False)
    assert score_rows((make_row(1, FOUND), helper)) == score_rows((make_row(1, FOUND),))


@pytest.mark.requirement("P3")
@settings(max_examples=50)
@given(many_rows, st.randoms(use_true_random=False))
def test_any_rows_in_any_order_give_one_score_within_bounds(many: tuple[Invocation, ...], random: Random) -> None:
    evaluation = score_rows(many)
    assert all(0 <= part.value <= 1 for part in evaluation.parts)
    assert 0 <= evaluation.score <= 1
    turned = list(many)
    random.shuffle(turned)
    assert score_rows(tuple(turned)) == evaluation
    assert RuleEvaluation.model_validate_json(evaluation.model_dump_json()) == evaluation
