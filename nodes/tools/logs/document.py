"""Untimed text with structure: small blocks of an indented document, each with the names above it.

A block inherits from its nearest named ancestors only: a whole document as one record would let any value meet any
subject.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from superbiz.nodes.tools.logs.events import RawEvent
from superbiz.nodes.tools.logs.levels import level_of

MAX_LINES = 3_000
"""A longer text is no document but a log without times."""

WHOLE_LINES = 30
"""A document up to this long with few sections is one event: its parts belong together."""

BLOCK_LINES = 8
"""A parent with more leaves than this is a table or a list: each leaf stands alone."""


MAX_DEPTH = 40
"""What is indented deeper belongs to the block at this depth."""


@dataclass
class _Node:
    number: int
    text: str
    indent: int
    children: list["_Node"] = field(default_factory=list)

    @property
    def is_leaf(self) -> bool:
        return not self.children

    @property
    def name(self) -> str:
        return self.text.strip().lstrip("- ").partition(":")[0].strip()


def is_document(lines: Sequence[str]) -> bool:
    """Whether untimed lines are mostly `key: value` and headings, some of them indented."""
    filled = [line for line in lines if line.strip()]
    keyed = sum(":" in line and not line.strip().startswith(("#", "//")) for line in filled)
    indented = sum(line[0] in " \t" for line in filled)
    return bool(filled) and indented * 10 >= len(filled) and keyed * 2 >= len(filled)


def document_events(lines: Sequence[str]) -> Iterator[RawEvent]:
    """The events of a document, in the order of its lines; every filled line is in exactly one."""
    roots = _tree(lines)
    filled = sum(bool(line.strip()) for line in lines)
    if filled <= WHOLE_LINES and _depth(roots) <= 2 and len(roots) <= BLOCK_LINES:
        numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
        text = "\n".join(line.rstrip() for line in lines if line.strip())
        yield RawEvent(numbers[0], numbers[-1], text, None, None, text)
        return
    for root in roots:
        yield from _events(root, ())


def _tree(lines: Sequence[str]) -> list[_Node]:
    roots: list[_Node] = []
    above: list[_Node] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        node = _Node(number, line.rstrip(), len(line) - len(line.lstrip()))
        while above and above[-1].indent >= node.indent:
            above.pop()
        (above[-1].children if above else roots).append(node)
        if len(above) < MAX_DEPTH:
            above.append(node)
    return roots


def _depth(nodes: list[_Node]) -> int:
    return 1 + max((_depth(node.children) for node in nodes), default=0) if nodes else 0


def _events(node: _Node, context: tuple[str, ...]) -> Iterator[RawEvent]:
    if node.is_leaf or (len(node.children) <= BLOCK_LINES and all(child.is_leaf for child in node.children)):
        yield _event([node, *node.children], context)
        return
    yield _event([node], context)
    for child in node.children:
        yield from _events(child, (*context, node.name))


def _event(nodes: list[_Node], context: tuple[str, ...]) -> RawEvent:
    text = "\n".join(node.text for node in nodes)
    return RawEvent(nodes[0].number, nodes[-1].number, text, None, level_of(text), " ".join(text.split()), context)
