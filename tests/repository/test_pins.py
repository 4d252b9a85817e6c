"""The pinned environment satisfies pyproject.toml, by hash and without addresses: else `make lock` was forgotten."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PIN = re.compile(r"^([\w.-]+)==([^\s;]+)[^\n]*\\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M)


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text())


def _pins(path: Path) -> dict[str, str]:
    return {name: version for name, version, _hashes in PIN.findall(path.read_text())}


def _unmet(requirements: list[str], pins: dict[str, str]) -> list[str]:
    wanted = [Requirement(text) for text in requirements]
    return [str(want) for want in wanted if pins.get(canonicalize_name(want.name), "") not in want.specifier]


def test_the_run_pins_meet_what_the_package_and_its_build_require(root: Path, project: dict[str, Any]) -> None:
    required = project["project"]["dependencies"] + project["build-system"]["requires"]
    assert _unmet(required, _pins(root / "constraints.txt")) == []


def test_the_test_pins_meet_the_test_extra(root: Path, project: dict[str, Any]) -> None:
    pins = _pins(root / "constraints.txt") | _pins(root / "constraints-test.txt")
    assert _unmet(project["project"]["optional-dependencies"]["test"], pins) == []


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-test.txt"])
def test_a_pins_file_holds_only_hashed_pins(root: Path, name: str) -> None:
    """No option, address or unhashed line can slip in."""
    assert PIN.sub("", (root / name).read_text()).strip() == ""
