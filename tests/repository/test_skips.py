"""In CI a skipped test fails; elsewhere it is skipped as usual."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPED_TEST = 'import pytest\ndef test_a() -> None:\n    pytest.skip("no database")\n'
SKIPPED_MODULE = 'import pytest\npytest.skip("no database", allow_module_level=True)\n'
KNOWN_FAULT = "import pytest\n@pytest.mark.xfail\ndef test_b() -> None:\n    raise AssertionError\n"


def _run(root: Path, folder: Path, suite: str, ci: str) -> str:
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text((root / "tests" / "conftest.py").read_text())
    (folder / "test_it.py").write_text(suite)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    environment = {**os.environ, "CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("suite", [SKIPPED_TEST, SKIPPED_MODULE])
def test_a_skip_fails_in_ci_and_says_why(root: Path, tmp_path: Path, suite: str) -> None:
    output = _run(root, tmp_path, suite, "true")
    assert "skipped, which CI does not accept" in output
    assert "no database" in output
    assert "1 skipped" not in output


@pytest.mark.parametrize("suite", [SKIPPED_TEST, SKIPPED_MODULE])
def test_a_skip_is_a_skip_elsewhere(root: Path, tmp_path: Path, suite: str) -> None:
    assert _run(root, tmp_path, suite, "").splitlines()[-1].startswith("1 skipped")


def test_an_expected_failure_is_accepted_in_ci(root: Path, tmp_path: Path) -> None:
    assert _run(root, tmp_path, KNOWN_FAULT, "true").splitlines()[-1].startswith("1 xfailed")
