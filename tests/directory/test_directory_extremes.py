"""Evidence directories of the wild: names of any script, folders of any depth, a meta.json that is a trap."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.errors import EvidenceError
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.source import MAX_NAMES, DirectorySource


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A directory with one log."""
    (tmp_path / "in/logs").mkdir(parents=True)
    (tmp_path / "in/logs/kiln.log").write_text("kiln lit\n")
    return tmp_path / "in"


def names(root: Path, folder: str = "logs") -> list[str]:
    return [file.name for file in EvidenceDirectory(root).files(folder)[0]]


def details(root: Path, folder: str = "logs") -> dict[str, str]:
    return {gap.source: gap.detail for gap in EvidenceDirectory(root).files(folder)[1]}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (b"night shift.log", "night shift.log"),
        ("窑 三号.log".encode(), "窑 三号.log"),
        ("cafe\u0301.log".encode(), "caf\u00e9.log"),
        (b"\xd2\xff.log", "\ufffd\ufffd.log"),
        (b"red\x1b[31m.log", "red.log"),
        (b"'\"$(x).log", "'\"$(x).log"),
        (b".hidden.log", ".hidden.log"),
    ],
)
def test_a_name_of_any_bytes_is_said_as_text_and_opens(root: Path, name: bytes, said: str) -> None:
    path = os.path.join(os.fsencode(root / "logs"), name)
    Path(os.fsdecode(path)).write_bytes(b"found")
    files = {file.name: file for file in EvidenceDirectory(root).files("logs")[0]}

    assert sorted(files) == sorted(["logs/kiln.log", f"logs/{said}"])
    assert files[f"logs/{said}"].path.read_bytes() == b"found"


def test_a_link_to_itself_is_a_gap(root: Path) -> None:
    (root / "logs/ring.log").symlink_to("ring.log")

    assert names(root) == ["logs/kiln.log"]
    assert details(root) == {"logs/ring.log": "not a regular file"}


def test_a_linked_folder_is_a_gap_whatever_its_name(root: Path) -> None:
    (root / "spare").mkdir()
    (root / "logs/spare").symlink_to("../spare")
    (root / "runbooks").symlink_to("spare")
    (root / "metrics").symlink_to(root.parent)

    assert details(root) == {"logs/spare": "a linked folder is not entered"}
    assert details(root, "runbooks") == {"runbooks": "a linked folder is not entered"}
    assert details(root, "metrics") == {"metrics": "a link that leads out of the directory"}


def test_a_link_that_is_no_evidence_is_no_gap(root: Path) -> None:
    (root / "logs/README").symlink_to("/etc/hostname")

    assert details(root) == {}


def test_a_file_in_the_place_of_a_folder_is_a_gap(root: Path) -> None:
    (root / "metrics").write_text("{}")

    assert details(root, "metrics") == {"metrics": "Not a directory"}


def _dig(root: Path, name: str, depth: int) -> None:
    """Folders in each other, deeper than one path can say, and a log in the last."""
    here = os.open(root / "logs", os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("kiln.log", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def test_folders_lie_in_each_other_to_any_depth(root: Path) -> None:
    _dig(root, "d", 1200)

    found = names(root)
    # Not left to pytest, whose way of removing folders is not made for so many.
    subprocess.run(["rm", "-r", root / "logs/d"], check=True)

    assert sorted(found, key=len) == ["logs/kiln.log", "logs/" + "d/" * 1200 + "kiln.log"]


def test_a_folder_that_cannot_be_listed_is_a_gap(root: Path) -> None:
    _dig(root, "d" * 250, 20)
    (name, detail) = details(root).popitem()

    assert names(root) == ["logs/kiln.log"]
    assert name.startswith("logs/dddd")
    assert detail == "File name too long"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda meta: meta.write_text("[" * 100_000), "maximum recursion depth"),
        (os.mkfifo, "it is a pipe"),
        (lambda meta: meta.symlink_to("meta.json"), "Too many levels of symbolic links"),
        (lambda meta: meta.symlink_to("none.json"), "No such file"),
        (lambda meta: meta.symlink_to("/etc/hostname"), "it is a link that leads out of the directory"),
        (lambda meta: meta.write_text('{"as_of": "9999-12-31T23:59:59-12:00"}'), "as_of: Input should be a valid dat"),
        (lambda meta: meta.write_text('{"as_of": 1777887012}'), "as_of: Input should be a valid datetime, such as 2"),
        (lambda meta: meta.write_text('{"as_of": true}'), "as_of: Input should be a valid datetime"),
        (lambda meta: meta.write_text('{"as_of": ""}'), "as_of: Input should be a valid datetime"),
    ],
)
def test_a_meta_that_is_a_trap_is_refused(root: Path, spoil: Callable[[Path], object], why: str) -> None:
    spoil(root / "meta.json")
    with pytest.raises(EvidenceError, match=r"meta\.json cannot be used: .*; correct or remove it") as refused:
        EvidenceDirectory(root)
    assert why in str(refused.value)


def test_a_meta_that_is_a_link_inside_is_read(root: Path) -> None:
    (root / "shared.json").write_text('{"aliases": {"oven": "kiln"}}')
    (root / "meta.json").symlink_to("shared.json")

    assert EvidenceDirectory(root).meta.aliases == {"oven": "kiln"}


def test_names_of_a_meta_are_in_normal_form(root: Path) -> None:
    written = {"aliases": {"窑\ud800": "ｋｉｌｎ"}, "depends_on": {"ｋｉｌｎ": ["ｇａｓ\x00"]}}
    (root / "meta.json").write_text(json.dumps(written))
    meta = EvidenceDirectory(root).meta

    assert (meta.aliases, meta.depends_on) == ({"窑\ufffd": "kiln"}, {"kiln": ("gas\u2400",)})


@pytest.mark.parametrize("path", ["x" * 5000, "in/logs/kiln.log/deeper", "in/ring"])
def test_a_path_that_cannot_be_is_no_such_directory(root: Path, path: str) -> None:
    (root / "ring").symlink_to("ring")
    with pytest.raises(EvidenceError, match="no such evidence directory"):
        EvidenceDirectory(root.parent / path)


def vector(*metrics: object) -> bytes:
    result = [{"metric": metric, "value": [1777887012, "1"]} for metric in metrics]
    return json.dumps({"data": {"resultType": "vector", "result": result}}).encode()


async def test_the_catalog_has_things_in_normal_form_and_bounded(root: Path) -> None:
    (root / "metrics").mkdir()
    many = [{"kiln": f"k{number:04}"} for number in range(MAX_NAMES + 9)]
    (root / "metrics/many.json").write_bytes(vector(*many, {"kiln": "ａ\ud800"}, {"kiln": 7}, "none"))
    catalog = await DirectorySource(EvidenceDirectory(root)).catalog()

    assert catalog.names[:2] == ("a\ufffd", "k0000")
    assert len(catalog.names) == MAX_NAMES


async def test_the_catalog_is_read_once(root: Path) -> None:
    source = DirectorySource(EvidenceDirectory(root))
    first = await source.catalog()
    (root / "logs/later.log").write_text("x")

    assert await source.catalog() is first


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
metas = st.fixed_dictionaries({}, optional={"as_of": values, "aliases": values, "depends_on": values, "x": values})


@given(meta=metas | values)
def test_a_meta_of_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, meta: object) -> None:
    root = tmp_path_factory.mktemp("any")
    (root / "logs").mkdir()
    (root / "logs/kiln.log").touch()
    (root / "meta.json").write_text(json.dumps(meta))
    try:
        read = EvidenceDirectory(root)
    except EvidenceError:
        return
    read.meta.model_dump_json()
