"""`superbiz --version` answers at once: what a command does not need is not imported."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

HEAVY = {
    "langchain_core",
    "langchain_openai",
    "langgraph",
    "openai",
    "numpy",
    "bm25s",
    "pydantic",
    "psycopg",
    "sqlite3",
}


@pytest.fixture(scope="module")
def asked() -> subprocess.CompletedProcess[str]:
    """The installed command, with each of its imports listed on stderr."""
    script = str(Path(sys.executable).with_name("superbiz"))
    command = [sys.executable, "-X", "importtime", script, "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def test_the_version_is_that_of_the_installed_package(asked: subprocess.CompletedProcess[str]) -> None:
    assert asked.stdout == f"superbiz {version('superbiz')}\n"


def test_the_version_needs_no_framework(asked: subprocess.CompletedProcess[str]) -> None:
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in asked.stderr.splitlines()}
    assert "superbiz" in imported
    assert imported & HEAVY == set()
