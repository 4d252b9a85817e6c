"""Bytes of a log file to lines: any encoding and line end, streamed, nothing thrown away (field bugs 54, 55)."""

import gzip
import io
import zlib
from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING

from superbiz.graph.domain.text import normalise
from superbiz.graph.errors import ToolError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_LINE = 1 << 20
"""Characters read as one line; a longer one comes in pieces, so that no file can fill the memory."""

_SAMPLE = 8192
_CHUNK = 1 << 16
_GZIP = b"\x1f\x8b"
_BOMS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_TEXT_CONTROLS = frozenset(b"\t\n\r\x0b\x0c\x1b\x08\x00")


class LogLines:
    """The lines of one file, in normal form. `encoding` and `truncated` are known after the lines were read."""

    def __init__(self, path: Path) -> None:
        """Raises OSError when the file cannot be opened, ToolError `binary` when it is no text."""
        self.bytes = path.stat().st_size
        with path.open("rb") as stream:
            self._packed = stream.read(len(_GZIP)) == _GZIP
            stream.seek(0)
            self.sha256 = file_digest(stream, "sha256").hexdigest()
        self._path = path
        self.truncated = False
        self._encodings: set[str] = set()
        with self._open() as stream:
            sample = stream.read(_SAMPLE)
        self._encoding = next((name for bom, name in _BOMS if sample.startswith(bom)), "utf-8")
        if self._encoding != "utf-16" and _is_binary(sample):
            raise ToolError("binary", f"{path.name} holds binary data")

    @property
    def encoding(self) -> str:
        """What the lines were read as, e.g. `utf-8`, `gb18030`, `utf-8 with replacement`."""
        return "+".join(sorted(self._encodings)) or self._encoding

    def __iter__(self) -> Iterator[str]:
        with self._open() as source, io.BufferedReader(source, _CHUNK) as binary:
            # surrogateescape keeps bytes that are no UTF-8, so that a line with some can be read again as GB18030.
            errors = "replace" if self._encoding == "utf-16" else "surrogateescape"
            lines = io.TextIOWrapper(binary, encoding=self._encoding, errors=errors, newline=None)
            while line := lines.readline(MAX_LINE):
                line = line.rstrip("\n")
                yield normalise(line if line.isascii() else self._settled(line))
            self.truncated = source.damaged

    def _open(self) -> "_ToDamage":
        # By what it is, not by its name: rotation renames files before and after it packs them.
        return _ToDamage(gzip.GzipFile(self._path, "rb") if self._packed else self._path.open("rb"))

    def _settled(self, line: str) -> str:
        try:
            line.encode("utf-8")
        except UnicodeEncodeError:
            return self._reread(line.encode("utf-8", "surrogateescape"))
        self._encodings.add(self._encoding)
        return line

    def _reread(self, raw: bytes) -> str:
        """A line that is no UTF-8: GB18030 when that reads as Chinese, else UTF-8 with its stray bytes replaced."""
        replaced = raw.decode("utf-8", "replace")
        try:
            chinese = raw.decode("gb18030")
        except UnicodeDecodeError:
            chinese = ""
        stray = replaced.count("\ufffd")
        letters = sum("\u4e00" <= char <= "\u9fff" for char in chinese)
        if letters and stray >= 2 and letters * 2 >= sum(not char.isascii() for char in chinese):
            self._encodings.add("gb18030")
            return chinese
        self._encodings.add("utf-8 with replacement")
        return replaced


class _ToDamage(io.RawIOBase):
    """A file up to where it can be read: what stands before a torn end is not lost with it."""

    def __init__(self, whole: gzip.GzipFile | io.BufferedReader) -> None:
        self._whole = whole
        self.damaged = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        space = memoryview(buffer)
        try:
            piece = self._whole.read1(space.nbytes)
        except (OSError, EOFError, zlib.error):
            self.damaged = True
            return 0
        space[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self._whole.close()
        super().close()


def _is_binary(sample: bytes) -> bool:
    """More than 4 % control characters (random bytes have 9 %): no log. Some NULs do not make it one (field bug 26)."""
    controls = sum(byte < 32 and byte not in _TEXT_CONTROLS for byte in sample)
    nuls = sample.count(0)
    return controls * 25 > len(sample) or nuls * 3 > len(sample)
