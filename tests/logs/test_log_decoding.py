"""Bytes to lines: any encoding and line end, nothing thrown away."""

import gzip
import random
from pathlib import Path

import pytest

from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.logs.decode import MAX_LINE, LogLines

TORN = "".join(f"2026-05-04T09:00:00Z INFO depot-sync moved crate {random.Random(n).random()}\n" for n in range(3000))


def read(tmp_path: Path, content: bytes, name: str = "depot.log") -> tuple[list[str], LogLines]:
    path = tmp_path / name
    path.write_bytes(content)
    lines = LogLines(path)
    return list(lines), lines


@pytest.mark.parametrize(
    ("content", "expected", "encoding"),
    [
        (b"crate moved\n", ["crate moved"], "utf-8"),
        ("货箱已移动 ✓\n".encode(), ["货箱已移动 ✓"], "utf-8"),
        ("货箱已移动\n".encode("utf-8-sig"), ["货箱已移动"], "utf-8-sig"),
        ("货箱移动失败\n".encode("gbk"), ["货箱移动失败"], "gb18030"),
        ("货箱㐂移动失败\n".encode("gb18030"), ["货箱㐂移动失败"], "gb18030"),
        ("货箱\nmoved\n".encode("utf-16"), ["货箱", "moved"], "utf-16"),
        (b"\xff\xfe" + "货箱\r\nmoved".encode("utf-16-le"), ["货箱", "moved"], "utf-16"),
        (b"\xfe\xff" + "货箱\r\nmoved".encode("utf-16-be"), ["货箱", "moved"], "utf-16"),
        (b"\xff\xfe" + "moved".encode("utf-16-le") + b"\x41", ["moved\ufffd"], "utf-16"),
        ("一行\n".encode() + "货箱移动失败\n".encode("gbk"), ["一行", "货箱移动失败"], "gb18030+utf-8"),
        (b"", [], "utf-8"),
    ],
)
def test_lines_are_read_in_their_encoding_which_is_named(
    tmp_path: Path, content: bytes, expected: list[str], encoding: str
) -> None:
    """Field bug 55: the encoding is never the platform's, and the record says which it was."""
    lines, source = read(tmp_path, content)

    assert lines == expected
    assert source.encoding == encoding
    assert source.bytes == len(content)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"gauge reads 12 \xf7 ok\n", "gauge reads 12 \ufffd ok"),
        (b"gauge \xff reads 12 \xf7\n", "gauge \ufffd reads 12 \ufffd"),
        ("货箱 ".encode() + b"\xf7 moved\n", "货箱 \ufffd moved"),
    ],
)
def test_a_stray_byte_is_replaced_and_its_line_kept(tmp_path: Path, content: bytes, line: str) -> None:
    """Field bug 54."""
    lines, source = read(tmp_path, b"first\n" + content + b"last\n")

    assert lines == ["first", line, "last"]
    assert source.encoding == "utf-8 with replacement" or source.encoding.endswith("+utf-8 with replacement")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_end_on_any_system(tmp_path: Path, end: str) -> None:
    lines, _ = read(tmp_path, f"one{end}two{end}{end}four".encode())

    assert lines == ["one", "two", "", "four"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"\x1b[31mERR\x1b[0mOR \x1b[1;32mcrate\x1b[K", "ERROR crate"),
        (b"crate\x00id", "crate\u2400id"),
        (b"tab\there", "tab\there"),
        (b"beep\x07 back\x08 vert\x0bform\x0c del\x7f", "beep  back  vert form  del "),
        ("ＥＲＲＯＲ：crate\u200b gone".encode(), "ERROR:crate gone"),
    ],
)
def test_a_line_is_in_the_normal_form(tmp_path: Path, content: bytes, line: str) -> None:
    """Field bugs 26 and 49: NUL and colours are gone before anything is matched or stored."""
    padding = b"calm seas today\n" * 9

    assert read(tmp_path, content + b"\n" + padding)[0][0] == line


@pytest.mark.parametrize("name", ["depot.log.gz", "depot.log"])
def test_a_packed_file_is_read_whatever_its_name(tmp_path: Path, name: str) -> None:
    lines, source = read(tmp_path, gzip.compress("货箱\nmoved".encode("gbk")), name)

    assert lines == ["货箱", "moved"]
    assert source.encoding == "gb18030"
    assert not source.truncated


def test_a_plain_file_with_the_name_of_a_packed_one_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, b"crate moved\n", "depot.log.gz")[0] == ["crate moved"]


def damaged(packed: bytes) -> list[bytes]:
    wrong_middle = packed[:5000] + bytes(200) + packed[5200:]
    wrong_sum = packed[:-8] + bytes(8)
    return [packed[:-2000], packed[:9000], packed[:300], packed[:12], packed[:2], wrong_middle, wrong_sum]


@pytest.mark.parametrize("packed", damaged(gzip.compress(TORN.encode())))
def test_a_torn_packed_file_gives_what_stands_before_the_damage(tmp_path: Path, packed: bytes) -> None:
    lines, source = read(tmp_path, packed, "depot.log.gz")

    assert source.truncated
    assert "\n".join(lines) == TORN[: len("\n".join(lines))].rstrip("\n")


def test_the_last_words_before_the_damage_are_kept(tmp_path: Path) -> None:
    lines, _ = read(tmp_path, gzip.compress(TORN.encode())[:-2000], "depot.log.gz")

    assert lines[-1]
    assert lines[-1] not in TORN.splitlines()


@pytest.mark.parametrize(
    "content",
    [
        random.Random(5).randbytes(9000),
        gzip.compress(random.Random(6).randbytes(9000)),
        bytes(5000),
        b"\x7fELF\x01" * 4,
    ],
)
def test_binary_data_is_no_log(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ToolError, match=r"depot\.log holds binary data") as refused:
        read(tmp_path, content)

    assert refused.value.type == "binary"


def test_a_long_line_is_one_line(tmp_path: Path) -> None:
    long = '{"crates": "' + "x" * 150_000 + '"}'

    assert read(tmp_path, f"{long}\nnext\n".encode())[0] == [long, "next"]


def test_an_endless_line_comes_in_pieces_and_loses_nothing(tmp_path: Path) -> None:
    lines, _ = read(tmp_path, b"y" * (MAX_LINE * 2 + 7))

    assert [len(line) for line in lines] == [MAX_LINE, MAX_LINE, 7]


def test_what_cannot_be_opened_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LogLines(tmp_path / "none.log")


def test_a_file_is_read_the_same_twice(tmp_path: Path) -> None:
    path = tmp_path / "depot.log"
    path.write_bytes("货箱\n".encode("gbk"))
    lines = LogLines(path)

    assert list(lines) == list(lines)
    assert len(lines.sha256) == 64
