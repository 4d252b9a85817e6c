"""Reading the Executor's text: what is a contract, what is not, and why."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.contract import ParsedOutput, ParseOutcome
from superbiz.nodes.verify.contract import MAX_CHARS, answer_text, parse_contract

BINDING = {
    "source_type": "log",
    "tool_name": "query_logs",
    "source_invocation_ids": ["inv-1"],
    "evidence_excerpt": "refused",
}
CLAIM = {
    "claim_id": "c1",
    "claim_type": "log_event",
    "claim_text": "billing-api was refused",
    "support_level": "direct",
    "evidence_bindings": [BINDING],
}
CONTRACT = {
    "answer_version": "executor_evidence_v2",
    "claims": [CLAIM],
    "hypotheses": [],
    "recommended_actions": [],
    "missing_info": [],
}
GOOD = json.dumps(CONTRACT)


def reason(parsed: ParsedOutput) -> str:
    assert parsed.status.status is ParseOutcome.FAILED
    assert parsed.contract is None
    assert parsed.status.reason is not None
    return parsed.status.reason


@pytest.mark.requirement("E1", "E2", "E3")
def test_a_plain_contract_is_parsed_whole() -> None:
    parsed = parse_contract(GOOD)
    assert parsed.status.status is ParseOutcome.PARSED
    assert parsed.contract is not None
    (claim,) = parsed.contract.claims
    assert claim.model_dump(mode="json") == {**CLAIM, "evidence_bindings": [{**BINDING, "source_id": None}]}
    assert parsed.extra_text == ()


@pytest.mark.parametrize(
    "text",
    [
        f'<think>plan {{"verdict": 1}}</think>{GOOD}',
        f"先想一想……</think>\n{GOOD}",
        f"<think>a</think>{{}} <think>b</think>{GOOD}",
        f"```json\n{GOOD}\n```",
    ],
)
def test_reasoning_and_one_fence_are_removed_and_reported(text: str) -> None:
    parsed = parse_contract(text)
    assert parsed.status.status is ParseOutcome.REPAIRED
    assert parsed.contract == parse_contract(GOOD).contract
    assert parsed.extra_text == ()


def test_an_end_of_reasoning_inside_a_string_is_text() -> None:
    text = json.dumps({**CONTRACT, "missing_info": ["the log says </think> here"]})
    parsed = parse_contract(text)
    assert parsed.status.status is ParseOutcome.PARSED
    assert parsed.contract is not None
    assert parsed.contract.missing_info == ("the log says </think> here",)


@pytest.mark.requirement("E1", "V7")
def test_fields_meant_for_show_are_kept_aside_and_flagged() -> None:
    parsed = parse_contract(json.dumps({**CONTRACT, "user_facing_answer": "磁盘已满。", "diagnosis_summary": "x"}))
    assert parsed.status.status is ParseOutcome.REPAIRED
    assert parsed.status.reason is not None
    assert "forbidden_field: user_facing_answer" in parsed.status.reason
    assert parsed.extra_text == ("磁盘已满。", "x")


@pytest.mark.requirement("V7")
def test_prose_around_the_object_is_kept_aside() -> None:
    parsed = parse_contract(f"结论如下：\n{GOOD}\n数据库已宕机。")
    assert parsed.status.status is ParseOutcome.REPAIRED
    assert parsed.extra_text == ("结论如下：", "数据库已宕机。")


@pytest.mark.requirement("E5")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        ("数据库连接被拒绝。", "no_object"),
        (GOOD[: len(GOOD) // 2], "truncated"),
        (GOOD[:-1], "truncated"),
        ("{" + GOOD, "invalid_json"),
        ('{"claims": NaN}', "not_finite"),
        ('{"claims": [], "claims": [1]}', "duplicate_key"),
        ("x" * (MAX_CHARS + 1), "too_large"),
        ('{"a":' * 50_000, "too_deep"),
        (json.dumps({"verdict": "PASS"}), "schema"),
        (json.dumps({**CONTRACT, "answer_version": "v3"}), "schema"),
        (json.dumps({**CONTRACT, "claims": ["text"]}), "schema"),
        (json.dumps({**CONTRACT, "claims": [{**CLAIM, "evidence_bindings": ["inv-1"]}]}), "schema"),
        (json.dumps({**CONTRACT, "claims": [CLAIM, CLAIM]}), "duplicate_claim_id"),
    ],
)
def test_what_is_no_contract_fails_with_a_reason(text: str, expected: str) -> None:
    assert reason(parse_contract(text)).startswith(expected)


def test_unknown_fields_are_left_out_and_named() -> None:
    claim = {**CLAIM, "confidence": 0.9, "evidence_bindings": [{**BINDING, "page": 3}]}
    parsed = parse_contract(json.dumps({**CONTRACT, "claims": [claim], "mood": "sure"}))
    assert parsed.contract == parse_contract(GOOD).contract
    assert parsed.status.reason is not None
    for name in ("mood", "claims.confidence", "evidence_bindings.page"):
        assert f"unknown_field: {name}" in parsed.status.reason


def test_a_claim_without_binding_is_read() -> None:
    parsed = parse_contract(json.dumps({**CONTRACT, "claims": [{**CLAIM, "evidence_bindings": []}]}))
    assert parsed.contract is not None
    assert parsed.contract.claims[0].evidence_bindings == ()


@given(st.integers(min_value=1, max_value=len(GOOD) - 1))
def test_no_cut_contract_is_ever_a_shorter_valid_one(length: int) -> None:
    assert parse_contract(GOOD[:length]).contract is None


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    parsed = parse_contract(text)
    assert (parsed.contract is None) == (parsed.status.status is ParseOutcome.FAILED)


def test_the_answer_text_has_no_reasoning_and_no_fence() -> None:
    assert answer_text("<think>secret</think>\n```\n数据库拒绝连接。\n```") == "数据库拒绝连接。"
