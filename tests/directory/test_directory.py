"""An evidence directory: what is refused as a whole, what is read, what is a gap, what its catalog names."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from superbiz.graph.errors import EvidenceError
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.source import DirectorySource


def write(root: Path, *names: str, content: str = "kiln lit\n") -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    return root


def read(root: Path, folder: str = "logs") -> tuple[list[str], dict[str, str]]:
    """Names of the files, and the reason of each gap by name."""
    files, gaps = EvidenceDirectory(root).files(folder)
    return [file.name for file in files], {gap.source: gap.reason for gap in gaps}


def test_no_such_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match=r"no such evidence directory: .*/none"):
        EvidenceDirectory(tmp_path / "none")


def test_a_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "kiln.log")
    with pytest.raises(EvidenceError, match=r"kiln\.log is a file; a directory with logs/ metrics/ runbooks/"):
        EvidenceDirectory(tmp_path / "kiln.log")


@pytest.mark.parametrize("names", [[], ["kiln.log"], ["logs/kiln.md", "runbooks/kiln.txt", "metrics/kiln.yaml"]])
def test_a_directory_without_evidence_is_refused(tmp_path: Path, names: list[str]) -> None:
    write(tmp_path, *names)
    with pytest.raises(EvidenceError, match=r"nothing to read in .*: put files under logs/"):
        EvidenceDirectory(tmp_path)


@pytest.mark.parametrize("name", ["logs/kiln.log", "metrics/kiln.json", "runbooks/deep/er/kiln.md"])
def test_one_file_is_enough(tmp_path: Path, name: str) -> None:
    assert read(write(tmp_path, name), name.split("/", maxsplit=1)[0]) == ([name], {})


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "Expecting value: line 1"),
        ("{", "Expecting property name"),
        ("[]", "the file: Input should be a valid dictionary"),
        ('"kiln"', "the file: Input should be a valid dictionary"),
        ('{"as_of": "soon"}', "as_of: "),
        ('{"as_of": NaN}', "as_of: "),
        ('{"aliases": {"oven": 7}}', r"aliases\.oven: Input should be a valid string"),
        ('{"aliases": null}', "aliases: Input should be a valid dictionary"),
        ('{"depends_on": {"kiln": "gas"}}', r"depends_on\.kiln: Input should be a valid tuple"),
        ("\u7a91", "Expecting value"),
    ],
)
def test_a_broken_meta_is_refused_and_told(tmp_path: Path, content: str, why: str) -> None:
    write(write(tmp_path, "logs/kiln.log"), "meta.json", content=content)
    with pytest.raises(EvidenceError, match=rf"meta\.json cannot be used: {why}.*; correct or remove it"):
        EvidenceDirectory(tmp_path)


def test_a_meta_of_other_bytes_or_kind_is_refused(tmp_path: Path) -> None:
    meta = write(tmp_path, "logs/kiln.log") / "meta.json"
    meta.write_bytes(b"\xff\xfe{\x00}\x00")
    with pytest.raises(EvidenceError, match="cannot be used: 'utf-8' codec"):
        EvidenceDirectory(tmp_path)
    meta.unlink()
    meta.mkdir()
    with pytest.raises(EvidenceError, match=r"meta\.json cannot be used: .*; correct or remove it"):
        EvidenceDirectory(tmp_path)


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-05-04T09:30:12Z", datetime(2026, 5, 4, 9, 30, 12, tzinfo=UTC)),
        ("2026-05-04T09:30:12", datetime(2026, 5, 4, 9, 30, 12, tzinfo=UTC)),
        ("2026-05-04T17:30:12+08:00", datetime(2026, 5, 4, 9, 30, 12, tzinfo=UTC)),
        ("2026-05-03T23:30:12.5-10:00", datetime(2026, 5, 4, 9, 30, 12, 500_000, tzinfo=UTC)),
        (None, None),
    ],
)
def test_as_of_is_utc_whatever_its_zone(tmp_path: Path, written: str | None, moment: datetime | None) -> None:
    write(write(tmp_path, "logs/kiln.log"), "meta.json", content=json.dumps({"as_of": written, "unknown": [1]}))
    directory = EvidenceDirectory(tmp_path)

    assert directory.as_of() == DirectorySource(directory).as_of() == moment
    assert moment is None or str(directory.as_of()).endswith("+00:00")


def test_without_meta_there_is_no_as_of(tmp_path: Path) -> None:
    assert EvidenceDirectory(write(tmp_path, "logs/kiln.log")).as_of() is None


def test_a_meta_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    write(write(tmp_path, "logs/kiln.log"), "meta.json", content='\ufeff{"aliases": {"oven": "kiln"}}')
    assert EvidenceDirectory(tmp_path).meta.aliases == {"oven": "kiln"}


def test_links_are_read_inside_and_a_gap_outside(tmp_path: Path) -> None:
    root = write(tmp_path / "in", "logs/kiln.log", "spare/old.log")
    write(tmp_path, "secret.log", "in-twin/secret.log")
    (root / "logs/inside.log").symlink_to("../spare/old.log")
    (root / "logs/outside.log").symlink_to("../../secret.log")
    (root / "logs/absolute.log").symlink_to(tmp_path / "secret.log")
    (root / "logs/twin.log").symlink_to("../../in-twin/secret.log")
    (root / "logs/hop.log").symlink_to("outside.log")
    (root / "logs/lost.log").symlink_to("none.log")
    files, gaps = read(root)

    assert files == ["logs/inside.log", "logs/kiln.log"]
    assert gaps.pop("logs/lost.log") == "unreadable"
    assert gaps == dict.fromkeys([f"logs/{n}.log" for n in ("absolute", "hop", "outside", "twin")], "outside")


def test_a_linked_folder_is_not_entered_even_in_a_loop(tmp_path: Path) -> None:
    root = write(tmp_path / "in", "logs/deep/kiln.log")
    write(tmp_path, "away/secret.log")
    (root / "logs/deep/up.log").symlink_to("..")
    (root / "logs/away.log").symlink_to(tmp_path / "away")
    files, gaps = read(root)

    assert files == ["logs/deep/kiln.log"]
    assert gaps["logs/away.log"] == "outside"


def test_the_directory_itself_may_be_a_link(tmp_path: Path) -> None:
    write(tmp_path / "in", "logs/kiln.log")
    (tmp_path / "link").symlink_to("in")

    assert read(tmp_path / "link") == (["logs/kiln.log"], {})
    assert EvidenceDirectory(tmp_path / "link").location == str((tmp_path / "in").resolve())


def test_a_pipe_is_a_gap_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(write(tmp_path, "logs/kiln.log") / "logs/pipe.log")
    assert read(tmp_path) == (["logs/kiln.log"], {"logs/pipe.log": "unreadable"})


def test_suffixes_count_in_any_case_and_others_do_not(tmp_path: Path) -> None:
    names = ["logs/A.LOG", "logs/b.Log.GZ", "logs/c.NDJSON", "logs/d.Txt"]
    assert read(write(tmp_path, *names, "logs/e.gz", "logs/f.log.1", "logs/g")) == (names, {})


def test_the_order_is_that_of_names_not_of_writing(tmp_path: Path) -> None:
    names = ["logs/a/z.log", "logs/b.log", "logs/b/a.log", "logs/k10.log", "logs/k9.log"]
    one, two = write(tmp_path / "1", *names), write(tmp_path / "2", *reversed(names))

    assert read(one) == read(two)
    assert sorted(read(one)[0]) == sorted(names)


async def test_the_catalog_names_files_gaps_and_things(tmp_path: Path) -> None:
    metric = {"__name__": "heat", "kiln": "k3", "severity": "loud", "shelf": "12"}
    body = {"data": {"resultType": "vector", "result": [{"metric": metric, "value": [1, "2"]}]}}
    meta = {"aliases": {"oven": "k3"}, "depends_on": {"k3": ["gas"]}}
    write(tmp_path, "logs/kiln.log", "runbooks/kiln.md", "metrics/broken.json")
    write(tmp_path, "metrics/heat.json", content=json.dumps(body))
    write(tmp_path, "meta.json", content=json.dumps(meta))
    (tmp_path / "logs/away.log").symlink_to("/etc/hostname")
    catalog = await DirectorySource(EvidenceDirectory(tmp_path)).catalog()

    assert (catalog.logs, catalog.runbooks) == (("logs/away.log", "logs/kiln.log"), ("runbooks/kiln.md",))
    assert catalog.metrics == ("metrics/broken.json", "metrics/heat.json")
    assert (catalog.names, catalog.aliases, catalog.depends_on) == (("k3",), {"oven": "k3"}, {"k3": ("gas",)})
