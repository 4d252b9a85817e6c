"""House rules that no linter of ours enforces everywhere: imports work from a wheel, failures are not swallowed."""

import ast
from collections.abc import Iterator, Mapping

import pytest

FOLDERS = {"graph", "nodes", "prompts", "store"}
BROAD = {"Exception", "BaseException"}


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0:
        return [node.module or ""]
    return []


def _bare_imports(path: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        for name in _imported(node):
            if name.split(".")[0] in FOLDERS:
                yield f"{path}: {name}"


def _names(node: ast.expr | None) -> set[str]:
    if node is None:
        return {"BaseException"}
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _does_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass | ast.Continue) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _swallows(node: ast.AST) -> bool:
    if isinstance(node, ast.ExceptHandler):
        return bool(_names(node.type) & BROAD) and all(map(_does_nothing, node.body))
    if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "suppress":
        return any(_names(argument) & BROAD for argument in node.args)
    return False


def _swallowed(path: str, tree: ast.Module) -> Iterator[str]:
    return (f"{path}:{getattr(node, 'lineno', 0)}" for node in ast.walk(tree) if _swallows(node))


def test_our_folders_are_imported_as_superbiz(trees: Mapping[str, ast.Module]) -> None:
    """The bare names work from the checkout's root and break, or meet a host's module, anywhere else."""
    assert [found for path, tree in trees.items() for found in _bare_imports(path, tree)] == []


def test_no_broad_exception_is_swallowed(trees: Mapping[str, ast.Module]) -> None:
    assert [found for path, tree in trees.items() for found in _swallowed(path, tree)] == []


@pytest.mark.parametrize("line", ["import graph", "import store.sessions as s", "from nodes.tools import directory"])
def test_a_bare_import_is_seen(line: str) -> None:
    assert list(_bare_imports("a.py", ast.parse(line)))


@pytest.mark.parametrize("line", ["import superbiz.graph", "from superbiz.store import x", "from .graph import y"])
def test_an_import_through_the_package_is_not(line: str) -> None:
    assert not list(_bare_imports("a.py", ast.parse(line)))


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    a()\nexcept Exception:\n    pass",
        "for b in c:\n    try:\n        a()\n    except (OSError, Exception):\n        continue",
        "try:\n    a()\nexcept:\n    ...",
        "with contextlib.suppress(Exception):\n    a()",
    ],
)
def test_a_swallowed_exception_is_seen(code: str) -> None:
    assert list(_swallowed("a.py", ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    ["try:\n    a()\nexcept OSError:\n    pass", "try:\n    a()\nexcept Exception as e:\n    return_failure(e)"],
)
def test_a_narrow_or_an_answered_one_is_not(code: str) -> None:
    assert not list(_swallowed("a.py", ast.parse(code)))
