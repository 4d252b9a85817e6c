"""Markdown into passages of a few hundred characters, each with its headings and line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

CHUNK_CHARS = 400
"""Passages are closed at the first block end after this many characters; a longer block is a passage of its own."""

_END = "# "
_FENCE = re.compile(r"\s*(?:```[^`]*$|~~~)")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")


@dataclass(frozen=True)
class Passage:
    """A piece of a runbook."""

    source: str
    line: int
    heading: str
    text: str

    @property
    def chunk_id(self) -> str:
        """The same for the same text in the same file (T8)."""
        return sha256(f"{self.source}\n{self.text}".encode()).hexdigest()[:12]


def passages(source: str, text: str) -> Iterator[Passage]:
    """Passages in the order of the file; headings are not passages, they name those below them."""
    headings: dict[int, str] = {}
    lines: list[str] = []
    start = 1
    fenced = False
    # Lines end at LF only, as everywhere; the last, empty heading closes what is open.
    for number, line in enumerate([*text.split("\n"), _END], 1):
        fenced ^= _FENCE.match(line) is not None
        heading = None if fenced and line is not _END else _HEADING.match(line)
        full = sum(map(len, lines)) >= CHUNK_CHARS and _starts_block(line)
        if (heading or full) and any(part.strip() for part in lines):
            yield Passage(source, start, " / ".join(headings.values()), "\n".join(lines).strip())
        if heading or full or not any(part.strip() for part in lines):
            lines, start = [], number
        if heading:
            depth = len(heading.group(1))
            headings = {level: name for level, name in headings.items() if level < depth} | {depth: heading.group(2)}
            start = number + 1
        else:
            lines.append(line)


def _starts_block(line: str) -> bool:
    return not line.strip() or re.match(r"\s*(?:[-*+]|\d+[.)])\s", line) is not None
