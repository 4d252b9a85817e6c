"""The repository as its tests see it: the files that git would track, read once."""

import ast
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from pathspec import GitIgnoreSpec

CODE = ("graph/", "nodes/", "prompts/", "store/", "tests/", ".hatch/")


@pytest.fixture(scope="session")
def root(pytestconfig: pytest.Config) -> Path:
    return pytestconfig.rootpath


@pytest.fixture(scope="session")
def texts(root: Path) -> Mapping[str, str]:
    """Path from the root → text, of every file that is not ignored. No git needed, so a source archive does too."""
    ignored = GitIgnoreSpec.from_lines((root / ".gitignore").read_text().splitlines())
    return {path: (root / path).read_text("utf-8", "replace") for path in _walk(root, ignored)}


@pytest.fixture(scope="session")
def trees(texts: Mapping[str, str]) -> Mapping[str, ast.Module]:
    """Path from the root → syntax tree, of every Python file of ours."""
    return {path: ast.parse(text) for path, text in texts.items() if path.endswith(".py") and path.startswith(CODE)}


def _walk(root: Path, ignored: GitIgnoreSpec) -> Iterator[str]:
    for folder, subfolders, files in os.walk(root):
        place = Path(folder).relative_to(root)
        subfolders[:] = [
            name for name in subfolders if name != ".git" and not ignored.match_file(f"{(place / name).as_posix()}/")
        ]
        yield from (path for name in files if not ignored.match_file(path := (place / name).as_posix()))
