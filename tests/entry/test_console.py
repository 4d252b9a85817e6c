"""Streams: progress on a terminal, closed ones, readers that go away, a disk that is full."""

import io
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from superbiz.graph.build import build_graph
from superbiz.graph.domain.plan import Language
from superbiz.graph.entry.console import Progress, paint
from superbiz.graph.entry.shell import main
from superbiz.prompts.phrases import phrases
from support.shell import Superbiz

COMMAND = Path(sysconfig.get_path("scripts")) / "superbiz"
QUESTION = "账单服务为什么报错？"


class Terminal(io.TextIOWrapper):
    """Stands for a stream that is a terminal; what was written can be read."""

    def __init__(self, content: bytes = b"") -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")

    def isatty(self) -> bool:
        return True

    @property
    def seen(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        self.flush()
        return self.buffer.getvalue().decode()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal with colours. A test puts it in place itself: between set-up and call pytest sets stderr again."""
    stream = Terminal()
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_a_terminal_sees_each_step_and_how_to_go_on(
    superbiz: Superbiz, evidence: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence, "--lang", "en")
    steps = ["plan queries", "query evidence", "summarise evidence", "verify each claim", "compose the answer"]
    places = [terminal.seen.find(step) for step in steps]
    assert -1 not in places
    assert places == sorted(places)
    assert "superbiz trace s-" in terminal.seen
    assert "\x1b" not in ran.out


def test_an_error_is_red_on_a_terminal_only(
    superbiz: Superbiz, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    assert superbiz("diagnose", "").code == 2
    assert terminal.seen.startswith("\x1b[31msuperbiz:\x1b[0m ")


def test_without_colour_a_terminal_still_sees_the_steps(
    superbiz: Superbiz, evidence: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    superbiz("diagnose", QUESTION, "--evidence", evidence)
    assert "规划查询" in terminal.seen
    assert "\x1b" not in terminal.seen


def test_what_is_no_terminal_sees_nothing() -> None:
    stream = io.StringIO()
    progress = Progress(Language.ZH, stream)
    progress.step("planner", ended=True)
    assert stream.getvalue() == ""
    assert paint("plain", "red", stream) == "plain"


@pytest.mark.parametrize("language", list(Language))
def test_every_node_has_a_name_and_is_told_when_it_ends(terminal: Terminal, language: Language) -> None:
    progress = Progress(language, terminal)
    nodes = set(build_graph().nodes)
    for node in nodes:
        progress.step(node, ended=False)
        progress.step(node, ended=True)
    assert terminal.seen.count("✓") == len(nodes)
    assert {key.removeprefix("progress.") for key in phrases(language) if key.startswith("progress.")} == nodes


def test_at_a_terminal_a_question_is_asked_for_and_not_waited_for(
    evidence: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SUPERBIZ_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "stdin", Terminal(QUESTION.encode()))
    assert main(["diagnose", "--evidence", str(evidence)]) == 2
    assert "需要一个问题" in capsys.readouterr().err
    assert main(["diagnose", "-", "--evidence", str(evidence)]) == 0


def _shell(command: str, evidence: Path, home: Path) -> tuple[int, str, str]:
    """`$S` is the command, `$Q` a question, `$E` the evidence."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SUPERBIZ_", "COV_"))}
    given = {"SUPERBIZ_HOME": str(home), "S": str(COMMAND), "Q": QUESTION, "E": str(evidence)}
    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], env={**kept, **given}, capture_output=True, text=True, check=False
    )
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize(
    ("command", "code", "out", "err"),
    [
        ('"$S" diagnose "$Q" --evidence "$E" >&-', 0, "", ""),
        ('"$S" diagnose "$Q" --evidence "$E" <&- 2>&- | grep -c "## 已确认"', 0, "1\n", ""),
        ('"$S" diagnose --evidence "$E" --lang en <&-', 2, "", "superbiz: a question is needed"),
    ],
)
def test_a_closed_stream_is_no_fault(
    evidence: Path, tmp_path: Path, command: str, code: int, out: str, err: str
) -> None:
    ran = _shell(command, evidence, tmp_path / "home")
    assert (ran[0], ran[1], ran[2][: len(err) or None]) == (code, out, err)


def test_a_full_disk_is_one_line_and_exit_1(evidence: Path, tmp_path: Path) -> None:
    code, _, err = _shell('"$S" diagnose "$Q" --evidence "$E" > /dev/full', evidence, tmp_path / "home")
    assert (code, err.count("\n"), "No space left" in err) == (1, 1, True)
