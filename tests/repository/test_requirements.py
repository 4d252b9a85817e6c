"""Every requirement has a test that runs, and docs/requirements.md says which (`make docs` writes it)."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

REQUIRED = [
    f"{area}{number}"
    for area, count in {"V": 13, "I": 2, "T": 9, "E": 5, "R": 6, "C": 8, "P": 5}.items()
    for number in range(1, count + 1)
]

# Ids that no test covers yet, with the issue that will. It only shrinks, and ends empty.
LATER: dict[str, str] = {}

ROW = re.compile(r"^\| ([A-Z]\d+) \| ([^|]+) \|([^|]*)\|$", re.M)
SCENARIO = re.compile(r"^\| ([^|]+) \| ([A-Z]\d+(?:, [A-Z]\d+)*) \|$", re.M)
SKIPS = {"skip", "skipif", "importorskip", "xfail"}


class Mark(NamedTuple):
    """One id of a `requirement` mark."""

    id: str
    place: str
    """path:line"""
    runs: bool
    """Whether it stands on a test that is neither skipped nor expected to fail."""


def _parts(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    return (part for node in nodes for part in ast.walk(node))


def _skips(nodes: Iterable[ast.AST]) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr in SKIPS for part in _parts(nodes))


def _ids(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for part in _parts(nodes):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "requirement":
            yield from (str(a.value) if isinstance(a, ast.Constant) else ast.unparse(a) for a in part.args)


def _module_marks(tree: ast.Module) -> list[ast.AST]:
    """The values of `pytestmark = …`."""
    assignments = [node for node in tree.body if isinstance(node, ast.Assign)]
    return [node.value for node in assignments if "pytestmark" in map(ast.unparse, node.targets)]


def marks(path: str, tree: ast.Module) -> Iterator[Mark]:
    """The marks of one module; those on a helper or a fixture count as not running."""
    shared = _module_marks(tree)
    idle = _skips(shared)
    yield from (Mark(id, f"{path}:1", not idle) for id in _ids(shared))
    yield from _marks_in(path, tree.body, idle)


def _marks_in(path: str, body: Iterable[ast.stmt], idle: bool) -> Iterator[Mark]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            below = idle or _skips(node.decorator_list)
            yield from (Mark(id, f"{path}:{node.lineno}", not below) for id in _ids(node.decorator_list))
            yield from _marks_in(path, node.body, below)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            runs = node.name.startswith("test") and not idle and not _skips([node])
            yield from (Mark(id, f"{path}:{node.lineno}", runs) for id in _ids(node.decorator_list))


@pytest.fixture(scope="module")
def found(trees: Mapping[str, ast.Module]) -> list[Mark]:
    """The marks of the whole suite."""
    own = "tests/repository/test_requirements.py"
    modules = {path: tree for path, tree in trees.items() if path.startswith("tests/") and path != own}
    return [mark for path, tree in modules.items() for mark in marks(path, tree)]


@pytest.fixture(scope="module")
def covered(found: list[Mark]) -> Mapping[str, list[str]]:
    """Id → the modules that assert it, from `tests/` down, sorted."""
    modules: defaultdict[str, set[str]] = defaultdict(set)
    for mark in found:
        modules[mark.id].add(mark.place.split(":")[0].removeprefix("tests/"))
    return {id: sorted(paths) for id, paths in modules.items()}


def test_every_requirement_has_a_test(covered: Mapping[str, list[str]]) -> None:
    assert [id for id in REQUIRED if id not in covered and id not in LATER] == []


def test_what_has_a_test_has_left_the_list(covered: Mapping[str, list[str]]) -> None:
    assert [id for id in LATER if id in covered] == []


def test_marks_name_known_requirements(found: list[Mark]) -> None:
    assert [mark for mark in found if mark.id not in REQUIRED] == []


def test_marked_tests_run(found: list[Mark]) -> None:
    """A skipped test asserts nothing."""
    assert [mark for mark in found if not mark.runs] == []


def test_the_document_lists_each_requirement_with_its_tests(
    root: Path, covered: Mapping[str, list[str]], pytestconfig: pytest.Config
) -> None:
    path = root / "docs" / "requirements.md"
    text = path.read_text()
    right = ROW.sub(lambda row: f"| {row[1]} | {row[2]} | {', '.join(covered.get(row[1], ['—']))} |", text)
    if pytestconfig.getoption("--rewrite"):
        path.write_text(right)
    assert [row[0] for row in ROW.findall(text)] == REQUIRED
    assert path.read_text() == right, "run make docs"


def test_scenarios_name_known_requirements_and_each_is_part_of_one(root: Path) -> None:
    scenarios = SCENARIO.findall((root / "docs" / "requirements.md").read_text())
    named = {id for _scenario, ids in scenarios for id in ids.split(", ")}
    assert named == set(REQUIRED)


@pytest.mark.parametrize(
    ("code", "runs"),
    [
        ('@pytest.mark.requirement("V1", "V2")\nasync def test_a(): ...', True),
        (
            '@pytest.mark.parametrize("a", [pytest.param(1, marks=pytest.mark.requirement("V1"))])\ndef test_a(): ...',
            True,
        ),
        ('pytestmark = pytest.mark.requirement("V1")', True),
        ('class TestA:\n    @pytest.mark.requirement("V1")\n    def test_a(self): ...', True),
        ('@pytest.mark.requirement("V1")\n@pytest.mark.skipif(True, reason="")\ndef test_a(): ...', False),
        ('@pytest.mark.requirement("V1")\ndef test_a():\n    pytest.skip()', False),
        ('@pytest.mark.skip\nclass TestA:\n    @pytest.mark.requirement("V1")\n    def test_a(self): ...', False),
        ('pytestmark = [pytest.mark.skip, pytest.mark.requirement("V1")]', False),
        ('@pytest.mark.requirement("V1")\ndef make_session(): ...', False),
    ],
)
def test_a_mark_is_found_wherever_it_stands(code: str, runs: bool) -> None:
    """On a function, a class, a parameter or a module; and only a test that runs counts."""
    assert {(mark.id, mark.runs) for mark in marks("a.py", ast.parse(code))} - {("V2", True)} == {("V1", runs)}
