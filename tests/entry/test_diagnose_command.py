"""`superbiz diagnose`: options, JSON, exit codes as DESIGN.md promises them."""

from pathlib import Path

import pytest

from support.shell import Superbiz

QUESTION = "账单服务为什么报错？"
KEYS = {
    "session_id": str,
    "turn": int,
    "status": str,
    "verdict": str,
    "groundedness_score": float,
    "rounds": int,
    "language": str,
    "answer": str,
    "confirmed": list,
    "indirect": list,
    "directions": list,
    "gaps": list,
    "next_steps": list,
    "usage": dict,
}


@pytest.mark.requirement("C2", "C6", "C7", "C8")
def test_an_answer_in_chinese_with_citations(superbiz: Superbiz, evidence: Path) -> None:
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence)
    assert (ran.code, ran.err) == (0, "")
    assert "「ERROR billing-api upstream ledger-db refused」 共出现 2 次" in ran.out
    assert '来源：logs/billing.log L2 2026-05-04T09:30:12Z · 复查：query_logs(source="logs/billing.log")' in ran.out
    assert '{"' not in ran.out


@pytest.mark.requirement("C7")
def test_an_answer_in_english(superbiz: Superbiz, evidence: Path) -> None:
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, "--lang", "en")
    assert ran.code == 0
    assert "## Confirmed" in ran.out
    assert "「ERROR billing-api upstream ledger-db refused」 occurs 2 times" in ran.out


def test_json_is_one_object_on_one_line_with_the_promised_keys(superbiz: Superbiz, evidence: Path) -> None:
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, "--json")
    assert ran.out.count("\n") == 1
    assert {key: type(value) for key, value in ran.json.items()} == KEYS
    assert (ran.json["status"], ran.json["verdict"], ran.json["turn"]) == ("answered", "PASS", 1)
    for item in ran.json["confirmed"]:
        assert set(item) == {"claim_id", "text", "evidence_refs"}
        assert all(set(ref) == {"trace_ref", "source_invocation_ids", "excerpt"} for ref in item["evidence_refs"])


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_the_question_may_come_from_standard_input(superbiz: Superbiz, evidence: Path, arguments: list[str]) -> None:
    ran = superbiz("diagnose", *arguments, "--evidence", evidence, "--json", stdin=f"{QUESTION}\n".encode())
    assert (ran.code, ran.json["status"]) == (0, "answered")


def test_bytes_that_are_no_utf_8_are_read_as_well_as_they_can(superbiz: Superbiz, evidence: Path) -> None:
    assert superbiz("diagnose", "--evidence", evidence, stdin=b"billing-api \xff errors").code == 0


@pytest.mark.parametrize("question", ["你好", "hello", "谢谢！"])
def test_a_question_that_names_nothing_is_answered_by_asking(superbiz: Superbiz, evidence: Path, question: str) -> None:
    ran = superbiz("diagnose", question, "--evidence", evidence, "--json")
    assert (ran.code, ran.json["status"], ran.json["verdict"]) == (6, "clarify", None)
    assert ran.json["usage"]["tool_calls"] == 0
    assert "没有查询任何证据" in ran.json["answer"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([""], "问题是空的"),
        ([" \n\t"], "问题是空的"),
        (["慢" * 100_000], "问题有 100000 个字符，最多接受 8000 个"),
        ([QUESTION, "--as-of", "yesterday"], "--as-of 'yesterday' 不是 RFC 3339 时间"),
        ([QUESTION, "--since", "2026-05-04T10:00:00Z", "--until", "2026-05-04T09:00:00Z"], "晚于"),
        ([QUESTION, "--store", "mysql://x"], "不认识以 'mysql' 开头的存储"),
        ([QUESTION, "--store", "postgresql://u:hunter2@db/x"], "只用 SQLite"),
        (["--session", "s-000000000000"], "没有可继续的会话 s-000000000000"),
    ],
)
def test_bad_input_is_refused_with_a_reason(
    superbiz: Superbiz, evidence: Path, arguments: list[str], says: str
) -> None:
    ran = superbiz("diagnose", *arguments, "--evidence", evidence)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert "hunter2" not in ran.err
    assert ran.err.count("\n") == 1


def test_errors_are_in_the_users_language(superbiz: Superbiz, evidence: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "the question is empty" in superbiz("diagnose", "", "--evidence", evidence, "--lang", "en").err
    monkeypatch.setenv("SUPERBIZ_LANG", "en")
    assert "the question is empty" in superbiz("diagnose", "", "--evidence", evidence).err
    monkeypatch.setenv("SUPERBIZ_LANG", "xx")
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence)
    assert (ran.code, "SUPERBIZ_LANG" in ran.err) == (2, True)


def test_without_evidence_it_says_what_to_give(
    superbiz: Superbiz, evidence: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = superbiz("diagnose", QUESTION)
    assert (ran.code, "--evidence DIR" in ran.err) == (2, True)
    monkeypatch.setenv("SUPERBIZ_EVIDENCE", str(evidence))
    assert superbiz("diagnose", QUESTION).code == 0


def test_a_window_limits_what_is_looked_at(superbiz: Superbiz, evidence: Path) -> None:
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, "--since", "2026-05-04T09:30:13Z", "--json")
    said = " ".join(item["text"] for item in ran.json["confirmed"])
    assert "第 3 行" in said
    assert "09:30:12" not in said


def test_a_model_that_is_configured_is_said_to_be_unused(superbiz: Superbiz, evidence: Path) -> None:
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, "--model", "some-model")
    assert (ran.code, "some-model" in ran.err) == (0, True)


def test_the_same_question_gives_the_same_answer(superbiz: Superbiz, evidence: Path) -> None:
    first, second = (superbiz("diagnose", QUESTION, "--evidence", evidence) for _ in range(2))
    assert first.out == second.out


@pytest.mark.requirement("P1")
def test_a_session_prints_its_answer_again_and_takes_another_question(superbiz: Superbiz, evidence: Path) -> None:
    first = superbiz("diagnose", QUESTION, "--evidence", evidence, "--json").json
    again = superbiz("diagnose", "--session", first["session_id"], "--json")
    assert (again.code, again.json) == (0, first)
    second = superbiz("diagnose", "ledger-db 拒绝了谁？", "--session", first["session_id"], "--json").json
    assert (second["session_id"], second["turn"]) == (first["session_id"], 2)
    trace = superbiz("trace", first["session_id"], "--turn", "1", "--json").json
    assert trace["turn"]["answer"]["text"] == first["answer"]


def test_memory_keeps_nothing(superbiz: Superbiz, evidence: Path) -> None:
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, "--store", "memory:", "--json")
    assert ran.code == 0
    assert superbiz("trace", ran.json["session_id"], "--store", "memory:").code == 2


def test_json_output_is_the_same_object_as_text(superbiz: Superbiz, evidence: Path) -> None:
    text = superbiz("diagnose", QUESTION, "--evidence", evidence).out
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, "--json")
    assert ran.json["answer"] == text.rstrip("\n")
