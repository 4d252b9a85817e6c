"""What a question is about: names, complaints, and whether there is anything to diagnose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.tasks import Catalog
from superbiz.nodes.planning.lexicon import CONCEPTS
from superbiz.nodes.planning.question import read_question

CATALOG = Catalog(
    logs=("logs/ledger.jsonl",),
    names=("ledger-db", "10.7.0.9:5432"),
    aliases={"账务服务": "billing-api"},
    depends_on={"billing-api": ("ledger-db",)},
)


@pytest.mark.parametrize(
    ("question", "entities"),
    [
        ("账务服务为什么报错？", ("billing-api",)),
        ("why does ledger fail?", ("ledger",)),
        ("order_42 failed on node-7 with TaskRunner", ("order_42", "node-7", "TaskRunner")),
        ("网关 edge 很慢", ("edge",)),
        ("is 10.7.0.9:5432 slow for 30s or 512Mi?", ("10.7.0.9:5432",)),
        ("why is it slow now", ()),
    ],
)
def test_names_are_found_by_alias_shape_and_what_the_evidence_holds(question: str, entities: tuple[str, ...]) -> None:
    assert read_question(question, CATALOG).entities == entities


@pytest.mark.parametrize(
    ("question", "symptoms"),
    [
        ("下单很慢", {"slow"}),
        ("the pod keeps restarting", {"restart"}),
        ("DNS 解析失败", {"dns", "failure"}),
        ("connection refused by the database", {"connect", "database"}),
    ],
)
def test_complaints_are_found_in_both_languages(question: str, symptoms: set[str]) -> None:
    assert symptoms <= set(read_question(question, CATALOG).symptoms)


@pytest.mark.parametrize(
    "question", ["你好", "hello there", "谢谢", "为什么？", "多少次", "今天天气怎么样", "!!!", "42"]
)
def test_a_question_that_names_nothing_says_so(question: str) -> None:
    assert not read_question(question, CATALOG).names_something


def test_the_words_to_rank_by_hold_what_systems_write_about_the_complaint() -> None:
    assert "timed out" in read_question("接口超时", CATALOG).terms


def test_concepts_have_different_names_and_lower_case_words() -> None:
    assert len({concept.name for concept in CONCEPTS}) == len(CONCEPTS)
    for concept in CONCEPTS:
        assert all(word == word.lower() for word in (*concept.asked, *concept.written))


@given(st.text())
def test_any_question_is_read(question: str) -> None:
    reading = read_question(question, CATALOG)
    assert reading.names_something or not reading.entities
