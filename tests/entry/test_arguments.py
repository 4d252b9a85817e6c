"""Arguments and variables at their edges: empty, out of range, of strange bytes; what is asked of whom."""

import sqlite3
from pathlib import Path

import pytest

from superbiz.graph.entry.shell import main
from support.shell import Superbiz

QUESTION = "账单服务为什么报错？"
BYTES = "s-\udcff\udce4\udcbd"
"""What Python makes of an argument that is no UTF-8."""


def _rows(home: Path) -> int:
    with sqlite3.connect(home / "superbiz.db") as connection:
        count: int = connection.execute("SELECT count(*) FROM tool_invocation").fetchone()[0]
    return count


def test_a_greeting_calls_no_tool(superbiz: Superbiz, evidence: Path, tmp_path: Path) -> None:
    assert superbiz("diagnose", "你好", "--evidence", evidence).code == 6
    assert _rows(tmp_path / "home") == 0
    assert superbiz("diagnose", QUESTION, "--evidence", evidence).code == 0
    assert _rows(tmp_path / "home") > 0


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("2026-05-04T09:35:00Z", "2026-05-04T09:35:00Z"),
        ("2026-05-04T17:35:00+08:00", "2026-05-04T09:35:00Z"),
        ("2026-05-04T09:35:00", "2026-05-04T09:35:00Z"),
        ("2026-05-04 09:35:00.5+00:00", "2026-05-04T09:35:00.500000Z"),
    ],
)
def test_as_of_is_a_moment_in_any_zone_and_utc_without_one(
    superbiz: Superbiz, evidence: Path, given: str, meant: str
) -> None:
    session = superbiz("diagnose", QUESTION, "--evidence", evidence, "--as-of", given, "--json").json["session_id"]
    assert superbiz("trace", session, "--json").json["turn"]["inquiry"]["as_of"] == meant


def test_a_window_is_kept_with_the_turn(superbiz: Superbiz, evidence: Path) -> None:
    window = ("--since", "2026-05-04T17:30:00+08:00", "--until", "2026-05-04T09:30:13Z")
    session = superbiz("diagnose", QUESTION, "--evidence", evidence, *window, "--json").json["session_id"]
    found = superbiz("trace", session, "--json").json["turn"]["inquiry"]["window"]
    assert found == {"since": "2026-05-04T09:30:00Z", "until": "2026-05-04T09:30:13Z"}


@pytest.mark.parametrize("option", ["--as-of", "--since", "--until"])
@pytest.mark.parametrize(
    "time", ["", "now", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "NaN"]
)
def test_what_is_no_moment_is_refused(superbiz: Superbiz, evidence: Path, option: str, time: str) -> None:
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, f"{option}={time}")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f"{option} {time!r} 不是 RFC 3339 时间" in ran.err


@pytest.mark.parametrize("number", ["0", "-1", "2", "99999999999999999999", "-99999999999999999999"])
def test_a_turn_that_cannot_be_is_not_found(superbiz: Superbiz, evidence: Path, number: str) -> None:
    session = superbiz("diagnose", QUESTION, "--evidence", evidence, "--json").json["session_id"]
    ran = superbiz("trace", session, f"--turn={number}")
    assert (ran.code, ran.out) == (2, "")
    assert f"会话 {session} 的第 {number} 问" in ran.err


def test_a_session_may_have_any_name(superbiz: Superbiz, evidence: Path) -> None:
    """Also one that the locale could not read."""
    for name in ("值班 #7", "../../etc", "'; DROP TABLE diagnosis_turn; --", BYTES):
        ran = superbiz("diagnose", QUESTION, "--evidence", evidence, f"--session={name}")
        assert ran.code == 0
        assert superbiz("diagnose", f"--session={name}") == ran
        assert superbiz("trace", "--", name).code == 0


def test_a_question_of_strange_bytes_is_still_a_question(superbiz: Superbiz, evidence: Path) -> None:
    assert superbiz("diagnose", "billing-api \udcff errors?", "--evidence", evidence).code == 0


def test_a_question_in_another_locales_bytes_is_read_as_utf_8(superbiz: Superbiz, evidence: Path) -> None:
    """A C locale hands over each byte of Chinese as a surrogate."""
    broken = QUESTION.encode().decode("ascii", "surrogateescape")
    session = superbiz("diagnose", broken, "--evidence", evidence, "--json").json["session_id"]
    assert superbiz("trace", session, "--json").json["turn"]["inquiry"]["original_query"] == QUESTION


@pytest.mark.parametrize("name", ["HOME", "EVIDENCE", "LANG", "DATABASE_URL", "MODEL"])
def test_an_empty_variable_is_an_unset_one(
    superbiz: Superbiz, evidence: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """An empty path is the working directory: evidence was read from it, and a store made in it."""
    (tmp_path / "here/logs").mkdir(parents=True)
    (tmp_path / "here/logs/a.log").write_text("2026-05-04T09:30:12Z ERROR billing-api found by chance\n")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv(f"SUPERBIZ_{name}", "")
    assert superbiz("diagnose", QUESTION, "--evidence", evidence).code == 0
    assert superbiz("diagnose", QUESTION).code == 2
    assert [path.name for path in (tmp_path / "here").iterdir()] == ["logs"]


def test_an_empty_option_is_one_not_given(
    superbiz: Superbiz, evidence: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script's unset variable: `--evidence "$DIR"`."""
    (tmp_path / "here/logs").mkdir(parents=True)
    (tmp_path / "here/logs/a.log").write_text("2026-05-04T09:30:12Z ERROR billing-api found by chance\n")
    monkeypatch.chdir(tmp_path / "here")
    ran = superbiz("diagnose", QUESTION, "--evidence", "")
    assert (ran.code, "没有证据" in ran.err) == (2, True)
    ran = superbiz("diagnose", "--session", "", "--evidence", evidence, stdin=QUESTION.encode())
    assert ran.code == 0


def test_the_store_and_the_evidence_may_come_from_the_environment(
    superbiz: Superbiz, evidence: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUPERBIZ_DATABASE_URL", f"sqlite:///{tmp_path}/other/kept.db")
    monkeypatch.setenv("SUPERBIZ_EVIDENCE", str(evidence))
    session = superbiz("diagnose", QUESTION, "--json").json["session_id"]
    assert (tmp_path / "other/kept.db").stat().st_mode & 0o077 == 0
    assert not (tmp_path / "home").exists()
    assert superbiz("trace", session, "--store", f"sqlite:///{tmp_path}/other/kept.db").code == 0


def test_a_home_that_is_a_file_is_said_in_one_line(
    superbiz: Superbiz, evidence: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SUPERBIZ_HOME", str(tmp_path / "file"))
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence)
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert "打不开" in ran.err


def test_without_arguments_it_says_how_it_is_used(superbiz: Superbiz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["superbiz"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2


@pytest.mark.parametrize("command", ["diagnose", "trace", "doctor"])
def test_every_command_explains_itself(superbiz: Superbiz, command: str) -> None:
    ran = superbiz(command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert "--json" in ran.out
    assert "--store" in ran.out


def test_an_option_is_never_guessed_from_its_beginning(superbiz: Superbiz, evidence: Path) -> None:
    """`--evid` would become ambiguous, or another option, in a later version."""
    assert superbiz("diagnose", QUESTION, "--evid", evidence).code == 2
