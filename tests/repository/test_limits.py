"""Files and functions stay small enough to read at once. `make check` runs this; there is no list of exceptions."""

import ast
from collections.abc import Iterator, Mapping

FILE_LINES = 300
FUNCTION_LINES = 50


def _long_functions(path: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{path}:{node.lineno} {node.name} has {lines} lines"


def test_no_file_is_longer_than_its_limit(texts: Mapping[str, str], trees: Mapping[str, ast.Module]) -> None:
    sizes = {path: len(texts[path].splitlines()) for path in trees}
    assert [f"{path} has {lines} lines" for path, lines in sizes.items() if lines > FILE_LINES] == []


def test_no_function_is_longer_than_its_limit(trees: Mapping[str, ast.Module]) -> None:
    assert [found for path, tree in trees.items() for found in _long_functions(path, tree)] == []


def test_the_limit_counts_every_line_from_def_to_end() -> None:
    body = "\n".join("    a = 1" for _ in range(FUNCTION_LINES))
    assert list(_long_functions("a.py", ast.parse(f"async def slow():\n{body}\n"))) == ["a.py:1 slow has 51 lines"]


def test_every_folder_of_ours_is_measured(trees: Mapping[str, ast.Module]) -> None:
    assert {path.split("/")[0] for path in trees} == {"graph", "nodes", "prompts", "store", "tests", ".hatch"}
