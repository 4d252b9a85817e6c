"""The import layers of pyproject.toml cover every module and really refuse an import that goes up."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

LINT = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"

UPWARD = {
    "graph/domain/plan.py": "superbiz.graph.errors",
    "graph/errors.py": "superbiz.prompts.text",
    "prompts/text.py": "superbiz.store.sessions",
    "store/sessions.py": "superbiz.nodes.planner",
    "nodes/executor.py": "superbiz.store.sessions",
    "nodes/planner.py": "superbiz.graph.build",
    "graph/build.py": "superbiz.graph.entry",
}
DOWNWARD = {
    "graph/errors.py": "superbiz.graph.domain.plan",
    "graph/state.py": "superbiz.graph.errors",
    "prompts/text.py": "superbiz.graph.state",
    "store/sessions.py": "superbiz.graph.ports",
    "nodes/planner.py": "superbiz.prompts.text",
    "graph/build.py": "superbiz.nodes.planner",
    "graph/entry/__init__.py": "superbiz.store.sessions",
}


@pytest.fixture(scope="module")
def layered(root: Path) -> set[str]:
    """The modules that the layers name."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return {name.strip(" ()") for layer in layers for part in layer.split("|") for name in part.split(":")}


def _lint(root: Path, folder: Path, layered: set[str], imports: Mapping[str, str]) -> tuple[int, str]:
    """Lint, by our contracts, a package that holds our layers, empty but for `imports` (path → module)."""
    package = folder / "superbiz"
    for name in layered | {"superbiz.graph"}:
        path = folder / name.replace(".", "/") / "__init__.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for place in UPWARD | DOWNWARD:
        path = package / place
        target = path.with_suffix("") / "__init__.py" if path.with_suffix("").is_dir() else path
        target.parent.mkdir(exist_ok=True)
        target.write_text(f"import {imports[place]}\n" if place in imports else "")
    (folder / "pyproject.toml").write_text((root / "pyproject.toml").read_text())
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", LINT], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_every_module_of_the_machine_stands_in_a_layer(texts: Mapping[str, str], layered: set[str]) -> None:
    """A module that no layer names could import anything."""
    parts = {path.split("/")[1].removesuffix(".py") for path in texts if path.startswith("graph/")}
    modules = {f"superbiz.graph.{part}" for part in parts - {"__init__", "py.typed"}}
    assert modules | {"superbiz.nodes", "superbiz.prompts", "superbiz.store"} <= layered


def test_imports_that_go_down_are_accepted(root: Path, tmp_path: Path, layered: set[str]) -> None:
    code, output = _lint(root, tmp_path, layered, DOWNWARD)
    assert code == 0, output


@pytest.mark.parametrize("place", UPWARD)
def test_an_import_that_goes_up_is_refused(root: Path, tmp_path: Path, layered: set[str], place: str) -> None:
    """One import at a time, each across another border."""
    code, output = _lint(root, tmp_path, layered, {place: UPWARD[place]})
    assert code == 1, output
    assert UPWARD[place] in output


def test_the_links_hold_the_modules_of_the_checkout(root: Path) -> None:
    """`make check` and coverage look through build/editable: it must show this checkout and nothing stale."""
    for folder in ("graph", "nodes", "prompts", "store"):
        assert (root / "build" / "editable" / "superbiz" / folder).resolve() == root / folder
