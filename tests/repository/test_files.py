"""What no file of the repository may hold: where it was written, and where its packages were fetched."""

import re
from collections.abc import Mapping

import pytest

# Bracketed letters keep each pattern from matching itself.
MACHINE_PATH = re.compile(r"(?<![\w./*~-])/(?:wor[k]|roo[t]|hom[e]|User[s])/[\w.]|[A-Z]:\\Use[r]s\\|\.pyen[v]\b")
REGISTRY = re.compile(r"pyp[i]\.org|python[h]osted|npm[j]s|registry\.np[m]|\bdeb(?:ian)?\.debia[n]|\.debia[n]\.org")


def _lines(texts: Mapping[str, str], pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path}:{number} {line.strip()[:120]}"
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_file_names_a_path_of_somebodys_machine(texts: Mapping[str, str]) -> None:
    assert _lines(texts, MACHINE_PATH) == []


def test_no_file_names_a_package_registry(texts: Mapping[str, str]) -> None:
    assert _lines(texts, REGISTRY) == []


@pytest.mark.parametrize("folder", ["wor" + "k", "roo" + "t", "hom" + "e", "User" + "s"])
def test_a_machine_path_is_seen_and_a_longer_path_is_not(folder: str) -> None:
    assert MACHINE_PATH.search(f'open("/{folder}/me/file")')
    assert not MACHINE_PATH.search(f"srv/{folder}/me and https://example.com/{folder}/me")


def test_the_files_are_those_of_a_checkout(texts: Mapping[str, str]) -> None:
    """Sources are read, and nothing that is built or installed."""
    assert {"pyproject.toml", "Makefile", "graph/state.py", ".ci/run"} <= texts.keys()
    assert not [path for path in texts if path.startswith((".venv/", "build/", ".git/", ".mypy_cache/"))]
