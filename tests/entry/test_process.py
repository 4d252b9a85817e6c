"""The command as a process of its own: signals, pipes, terminals."""

import io
import json
import os
import pty
import signal
import sqlite3
import subprocess
import sysconfig
import time
from pathlib import Path

import pytest

from superbiz.graph.entry.console import coloured
from support.shell import Superbiz

COMMAND = Path(sysconfig.get_path("scripts")) / "superbiz"
QUESTION = "账单服务为什么报错？"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SUPERBIZ_", "COV_"))}
    return {**kept, "SUPERBIZ_HOME": str(tmp_path / "home")}


@pytest.fixture
def large(evidence: Path) -> Path:
    """Enough to read that a signal comes in the middle."""
    line = "2026-05-04T09:30:{:02d}Z INFO billing-api request {:08x} took {} ms\n"
    lines = (line.format(number % 60, number * 2_654_435_761 % 2**32, number % 900) for number in range(20_000))
    (evidence / "logs/large.log").write_text("".join(lines))
    return evidence


@pytest.mark.requirement("P4", "P5")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_at_the_next_step_and_the_session_goes_on_to_the_same_answer(
    superbiz: Superbiz, environment: dict[str, str], large: Path, tmp_path: Path, number: signal.Signals
) -> None:
    straight = superbiz("diagnose", QUESTION, "--evidence", large, "--store", "memory:")
    session = ("--session", "s-stopped")
    process = subprocess.Popen(
        [COMMAND, "diagnose", QUESTION, "--evidence", large, *session], env=environment, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    _wait_for_a_call(tmp_path / "home/superbiz.db")
    process.send_signal(number)
    told = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) == 130
    assert "superbiz diagnose --session s-stopped" in told
    assert superbiz("diagnose", *session) == straight


def _wait_for_a_call(path: Path) -> None:
    """Until a row of a call stands in the store: then the executor is at work."""
    for _ in range(600):
        try:
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
                if connection.execute("SELECT count(*) FROM tool_invocation").fetchone()[0]:
                    return
        except sqlite3.OperationalError:
            pass  # Not made yet.
        time.sleep(0.05)
    raise AssertionError("no call was made")


def test_a_reader_that_goes_away_gives_no_traceback(environment: dict[str, str], evidence: Path) -> None:
    command = f"'{COMMAND}' diagnose '{QUESTION}' --evidence '{evidence}' | head -1"
    ran = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert (ran.stdout.count("\n"), ran.stderr) == (1, "")


def test_question_and_answer_are_utf_8_whatever_the_locale(environment: dict[str, str], evidence: Path) -> None:
    """Field bug 55: the platform's encoding is never used."""
    environment = {**environment, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "gbk"}
    ran = subprocess.run(
        [COMMAND, "diagnose", QUESTION, "--evidence", evidence], env=environment, capture_output=True, check=False
    )
    assert ran.returncode == 0
    assert "已确认" in ran.stdout.decode("utf-8")


def _on_a_terminal(environment: dict[str, str], *arguments: object) -> tuple[str, str]:
    """Stdout, and what a person sees on stderr."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([COMMAND, *map(str, arguments)], env=environment, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    out = process.communicate(timeout=60)[0].decode()
    seen = b""
    try:
        while piece := os.read(ours, 4096):
            seen += piece
    except OSError:
        pass  # Linux says EIO where the other end of a terminal was closed.
    os.close(ours)
    return out, seen.decode()


def test_progress_and_colour_show_on_a_terminal_only(environment: dict[str, str], evidence: Path) -> None:
    arguments = ("diagnose", QUESTION, "--evidence", evidence)
    out, seen = _on_a_terminal(environment, *arguments, "--json")
    assert json.loads(out)["status"] == "answered"
    assert [step for step in ("规划查询", "查询证据", "逐条核验", "组织答案") if step not in seen] == []
    assert "\x1b[2m" in seen
    assert "superbiz trace s-" in seen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variable", "value", "wanted"), [("TERM", "xterm", True), ("TERM", "dumb", False), ("NO_COLOR", "1", False)]
)
def test_colour_is_left_out_where_it_is_not_wanted(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, wanted: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(variable, value)
    assert coloured(Terminal()) is wanted
    assert not coloured(io.StringIO())
