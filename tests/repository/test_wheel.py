"""What a user installs: a wheel made from a source archive, beside a host that has modules of the same names."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ANSWERED = {0, 3}
"""The exit codes of a diagnosis that gives an answer: PASS and LOW_CONFID."""

HOST = """
import graph, store
import superbiz.graph.state, superbiz.nodes, superbiz.prompts, superbiz.store
print(graph.OWNER, store.OWNER)
"""


def _run(*command: str | Path, cwd: Path, accept: set[int] | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SUPERBIZ_"))}
    environment |= {"SUPERBIZ_HOME": str(cwd / "home"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (accept or {0}), done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that comes out of the source archive, as an index would serve it."""
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=root)
    _run(sys.executable, "-m", "tarfile", "-e", next(folder.glob("*.tar.gz")), folder, cwd=folder)
    source = next(path for path in folder.iterdir() if path.is_dir())
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=source)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def inside(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment that holds the wheel; what it depends on is borrowed from this one."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, symlinks=True)
    interpreter = home / "bin" / "python"
    _run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        interpreter,
        "install",
        "--no-compile",
        "--no-deps",
        "--no-index",
        wheel,
        cwd=home,
    )
    (next(home.glob("lib/*/site-packages")) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return interpreter


@pytest.fixture
def host(tmp_path: Path) -> Path:
    (tmp_path / "graph.py").write_text("OWNER = 'host graph'\n")
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "__init__.py").write_text("OWNER = 'host store'\n")
    return tmp_path


def _shipped(texts: Mapping[str, str]) -> Iterator[str]:
    folders = ("graph/", "nodes/", "prompts/", "store/")
    return (f"superbiz/{path}" for path in texts if path.startswith(folders))


def test_the_wheel_holds_every_file_of_the_four_folders_and_nothing_else(
    inside: set[str], texts: Mapping[str, str]
) -> None:
    """Data files (TOML, Markdown, SQL) and type markers included."""
    assert {path for path in inside if ".dist-info/" not in path} == set(_shipped(texts))


def test_the_wheel_is_typed_and_licensed(inside: set[str]) -> None:
    typed = {path for path in inside if path.endswith("/py.typed")}
    assert typed == {f"superbiz/{folder}/py.typed" for folder in ("graph", "nodes", "prompts", "store")}
    assert [path for path in inside if path.endswith("dist-info/licenses/LICENSE")]


def test_a_wheel_of_the_checkout_holds_the_same(root: Path, inside: set[str], tmp_path: Path) -> None:
    """An editable install leaves links behind; a wheel that is built next to them is not to be empty."""
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=root)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as archive:
        assert set(archive.namelist()) == inside


def test_a_host_keeps_its_own_modules(python: Path, host: Path) -> None:
    assert _run(python, "-c", HOST, cwd=host) == "host graph host store\n"


def test_the_installed_command_runs_from_the_wheel(python: Path, host: Path) -> None:
    place = _run(python, "-c", "import superbiz.graph; print(superbiz.graph.__file__)", cwd=host)
    assert Path(place.strip()).is_relative_to(python.parents[1])
    assert _run(python.with_name("superbiz"), "--version", cwd=host).startswith("superbiz ")


def test_the_bundled_example_is_diagnosed_from_the_wheel(root: Path, python: Path, host: Path) -> None:
    example = root / "examples" / "checkout-incident"
    question = (example / "question.txt").read_text("utf-8").splitlines()[0]
    answer = _run(python.with_name("superbiz"), "diagnose", question, "--evidence", example, cwd=host, accept=ANSWERED)
    assert any("\u4e00" <= character <= "\u9fff" for character in answer)
    assert not answer.lstrip().startswith("{")
