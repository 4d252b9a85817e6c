"""`superbiz trace`, `superbiz doctor`, and what the command says of itself."""

import json
import sqlite3
from pathlib import Path

import pytest

from superbiz.graph.entry.shell import LATER
from support.shell import Superbiz

QUESTION = "账单服务为什么报错？"


@pytest.mark.requirement("P2", "C6")
def test_a_trace_tells_the_whole_story(superbiz: Superbiz, evidence: Path) -> None:
    session = superbiz("diagnose", QUESTION, "--evidence", evidence, "--json").json["session_id"]
    ran = superbiz("trace", session)
    assert (ran.code, ran.err) == (0, "")
    parts = ["会话 s-", QUESTION, "── 第 1 轮", "── 计划", "billing-api · error", "── 调用", "query_logs ok 4/4"]
    parts += ["── 论断与标签", "c1 direct_evidence", "carried_by_one_record [direct_evidence … direct_evidence]"]
    parts += ["→ PASS 1", "── 证据摘要", "── 守门改动（评审：absent）", "── 裁决", "── 答案", "[template, pass:"]
    places = [ran.out.find(part) for part in parts]
    assert [part for part, place in zip(parts, places, strict=True) if place < 0] == []
    assert places == sorted(places)


def test_a_trace_for_machines_holds_the_record(superbiz: Superbiz, evidence: Path) -> None:
    session = superbiz("diagnose", QUESTION, "--evidence", evidence, "--json").json["session_id"]
    found = superbiz("trace", session, "--json").json
    assert set(found) == {"turn", "invocations"}
    assert [row["tool_name"] for row in found["invocations"]][:2] == ["query_metrics", "query_metrics"]
    assert all(len(row["output_sha256"]) == 64 for row in found["invocations"])


def test_a_trace_of_a_clarification_has_no_calls(superbiz: Superbiz, evidence: Path) -> None:
    session = superbiz("diagnose", "你好", "--evidence", evidence, "--json").json["session_id"]
    ran = superbiz("trace", session)
    assert (ran.code, "query_" in ran.out, "请补充" in ran.out) == (0, False, True)


@pytest.mark.parametrize(("arguments", "says"), [(["s-none"], "s-none"), (["{}", "--turn", "7"], "第 7 问")])
def test_an_unknown_session_or_turn_is_named(
    superbiz: Superbiz, evidence: Path, arguments: list[str], says: str
) -> None:
    session = superbiz("diagnose", QUESTION, "--evidence", evidence, "--json").json["session_id"]
    ran = superbiz("trace", *(text.format(session) for text in arguments))
    assert (ran.code, ran.out, says in ran.err) == (2, "", True)


def test_the_doctor_says_what_would_be_used(superbiz: Superbiz, evidence: Path, tmp_path: Path) -> None:
    ran = superbiz("doctor", "--evidence", evidence)
    assert ran.code == 0
    assert "superbiz 0." in ran.out
    assert "1 logs, 1 metrics, 1 runbooks; as_of 2026-05-04T09:40:00+00:00" in ran.out
    assert str(tmp_path / "home/superbiz.db") in ran.out
    found = json.loads(superbiz("doctor", "--json").out)
    assert [one["part"] for one in found] == ["version", "store", "evidence", "roles", "language"]
    assert all(set(one) == {"part", "ok", "says"} for one in found)


def test_the_doctor_names_a_model_that_is_not_used(superbiz: Superbiz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPERBIZ_MODEL", "some-model")
    assert "'some-model' is set and not used" in superbiz("doctor").out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("--store", "sqlite:///{tmp}/no.db"),
            "the store {tmp}/no.db cannot be used: file is not a database",
        ),
        (("--store", "sqlite:///{tmp}/no.db/deeper/x.db"), "cannot be made: {tmp}/no.db is no directory to write in"),
        (("--store", "sqlite:///"), "BAD store: a store starting with 'sqlite'"),
        (("--store", "postgresql://u:hunter2@db/x"), "BAD store: this version keeps sessions in SQLite only"),
        (("--evidence", "{tmp}/nowhere"), "BAD evidence: no such evidence directory"),
        (("--evidence", "{tmp}/no.db"), "BAD evidence: the evidence {tmp}/no.db is a file"),
    ],
)
def test_the_doctor_exits_1_and_names_what_is_broken(
    superbiz: Superbiz, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    (tmp_path / "no.db").write_text("this is no database, and long enough to be read as one " * 40)
    ran = superbiz("doctor", *(text.format(tmp=tmp_path) for text in arguments))
    assert (ran.code, ran.err) == (1, "")
    assert says.format(tmp=tmp_path) in ran.out
    assert ran.out.count("BAD") == 1
    assert "hunter2" not in ran.out


def test_asking_the_doctor_changes_nothing(superbiz: Superbiz, evidence: Path, tmp_path: Path) -> None:
    ran = superbiz("doctor", "--evidence", evidence)
    assert (ran.code, "is made by the first diagnosis" in ran.out) == (0, True)
    assert not (tmp_path / "home").exists()
    superbiz("diagnose", QUESTION, "--evidence", evidence)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    ran = superbiz("doctor", "--evidence", evidence)
    assert (ran.code, "superbiz.db opens" in ran.out) == (0, True)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_the_doctor_looks_where_a_diagnosis_would(
    superbiz: Superbiz, evidence: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUPERBIZ_EVIDENCE", str(evidence))
    monkeypatch.setenv("SUPERBIZ_LANG", "en")
    ran = superbiz("doctor", "--store", "memory:")
    assert (ran.code, "memory: opens" in ran.out, "answers in en" in ran.out) == (0, True, True)
    assert f"{evidence}: 1 logs" in ran.out


def test_a_store_of_a_newer_version_is_refused(superbiz: Superbiz, evidence: Path, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "new.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, "--store", f"sqlite:///{tmp_path}/new.db")
    assert (ran.code, "99" in ran.err, ran.out) == (1, True, "")


def test_version_and_help(superbiz: Superbiz) -> None:
    assert superbiz("--version").out.startswith("superbiz 0.")
    ran = superbiz("--help")
    assert ran.code == 0
    assert all(command in ran.out for command in ("diagnose", "trace", "doctor", *LATER))


@pytest.mark.parametrize("command", sorted(LATER))
def test_commands_of_later_versions_say_so(superbiz: Superbiz, command: str) -> None:
    ran = superbiz(command, "--anything", "x")
    assert (ran.code, command in ran.err, "还没有" in ran.err) == (2, True, True)


@pytest.mark.parametrize("arguments", [["frobnicate"], ["diagnose", "--nonsense"], ["diagnose", "q", "--lang", "fr"]])
def test_usage_errors_exit_2(superbiz: Superbiz, arguments: list[str]) -> None:
    ran = superbiz(*arguments)
    assert (ran.code, ran.out, "usage:" in ran.err) == (2, "", True)


def test_a_fault_of_ours_is_one_line(superbiz: Superbiz, evidence: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr("superbiz.graph.entry.diagnose.directory_ports", broken)
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence)
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert "内部出错（ZeroDivisionError: boom）" in ran.err
    monkeypatch.setenv("SUPERBIZ_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        superbiz("diagnose", QUESTION, "--evidence", evidence)


def test_a_fault_of_many_lines_is_told_in_one(superbiz: Superbiz, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("first\n  second\r\n\tthird")

    monkeypatch.setattr("superbiz.graph.entry.doctor.load_settings", broken)
    ran = superbiz("doctor")
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert "RuntimeError: first second third" in ran.err
