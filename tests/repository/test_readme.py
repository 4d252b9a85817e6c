"""The READMEs show the graph's own drawing and what the command really prints (`--rewrite` brings them up to date)."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from superbiz.graph.build import build_graph
from superbiz.graph.entry.shell import main

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/checkout-incident"
LANGUAGES = {"README.md": "en", "README.zh-CN.md": "zh"}
SHOWN = 3
"""Findings of the transcript."""


def _check(path: Path, name: str, block: str, rewrite: bool) -> None:
    """Compare what stands between the marks `name` with the block, or write it there."""
    text = path.read_text("utf-8")
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)", re.DOTALL)
    assert pattern.search(text), f"{path.name} has no marks for {name}"
    wanted = pattern.sub(lambda match: f"{match[1]}{block}{match[2]}", text)
    if rewrite:
        path.write_text(wanted, "utf-8")
    assert path.read_text("utf-8") == wanted, f"make docs writes the {name} of {path.name} anew"


@pytest.fixture
def check(request: pytest.FixtureRequest) -> Callable[[str, str, str], None]:
    rewrite = bool(request.config.getoption("--rewrite"))
    return lambda readme, name, block: _check(ROOT / readme, name, block, rewrite)


@pytest.mark.requirement("R6")
@pytest.mark.parametrize("readme", LANGUAGES)
def test_the_drawing_is_the_graphs_own(readme: str, check: Callable[[str, str, str], None]) -> None:
    drawing = build_graph().compile().get_graph().draw_mermaid().strip()
    for label in ("PASS", "LOW_CONFID", "REJECT", "RETRY"):
        assert f"&nbsp;{label}&nbsp;" in drawing
    check(readme, "drawing", f"```mermaid\n{drawing}\n```")


@pytest.mark.parametrize("readme", LANGUAGES)
def test_the_transcript_is_what_the_command_prints(
    readme: str, check: Callable[[str, str, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    question = (EXAMPLE / "question.txt").read_text("utf-8").splitlines()[0 if LANGUAGES[readme] == "zh" else 1]
    options = ["--evidence", str(EXAMPLE), "--store", "memory:", "--lang", LANGUAGES[readme]]
    main(["diagnose", question, *options])
    answer = capsys.readouterr().out.rstrip("\n")
    check(
        readme,
        "transcript",
        f"```\n$ superbiz diagnose --evidence {EXAMPLE.relative_to(ROOT)} {question!r}\n{_shortened(answer)}\n```",
    )


def _shortened(answer: str) -> str:
    """The head, the first findings, then one line of each other part."""
    head, *parts = re.split(r"\n(?=## )", answer)
    shown = [head]
    for number, part in enumerate(parts):
        lines = part.splitlines()
        keep = 2 + (2 * SHOWN if number == 0 else 2)
        shown.append("\n".join([*(line[:160] + ("[…]" if len(line) > 160 else "") for line in lines[:keep]), "[…]"]))
    return "\n".join(shown)
