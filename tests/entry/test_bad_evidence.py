"""Bad evidence: one bad file is a visible gap and never hides the others; an unusable directory is refused."""

import gzip
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.shell import Superbiz

QUESTION = "账单服务为什么报错？"
EXAMPLE = Path(__file__).parents[2] / "examples/checkout-incident"
CONFIRMED = "「ERROR billing-api upstream ledger-db refused」 共出现 2 次"


def _link_outside(root: Path) -> None:
    secret = root.parent / "secret.log"
    secret.write_text("2026-05-04T09:30:12Z ERROR billing-api hunter2\n")
    os.symlink(secret, root / "logs/linked.log")


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "metrics that are cut off": (
        lambda root: (root / "metrics/cut.json").write_text('{"status": "success", "data": {"resul'),
        "metrics/cut.json",
    ),
    "metrics that are no JSON": (
        lambda root: (root / "metrics/page.json").write_text("<html>502</html>"),
        "metrics/page.json",
    ),
    "metrics that cannot be read": (lambda root: (root / "metrics/folder.json").mkdir(), ""),
    "a pipe": (lambda root: os.mkfifo(root / "metrics/pipe.json"), "metrics/pipe.json"),
    "an error body": (
        lambda root: (root / "metrics/q.json").write_text('{"status": "error", "errorType": "x", "error": "too many"}'),
        "metrics/q.json: query_error x: too many：调用失败",
    ),
    "an empty log": (lambda root: (root / "logs/empty.log").touch(), "logs/empty.log · 0 bytes：文件为空"),
    "binary junk": (lambda root: (root / "logs/junk.log").write_bytes(bytes(range(256)) * 64), "logs/junk.log"),
    "a cut archive": (
        lambda root: (root / "logs/old.log.gz").write_bytes(gzip.compress(os.urandom(9000))[:4000]),
        "logs/old.log.gz",
    ),
    "a link that leaves the directory": (_link_outside, "logs/linked.log"),
}


@pytest.mark.requirement("V9")
@pytest.mark.parametrize("name", BAD)
def test_one_bad_file_is_a_gap_and_hides_nothing(superbiz: Superbiz, evidence: Path, name: str) -> None:
    spoil, gap = BAD[name]
    spoil(evidence)
    ran = superbiz("diagnose", QUESTION, "--evidence", evidence)
    assert ran.code in (0, 3)
    assert CONFIRMED in ran.out
    if gap:
        assert gap in ran.out.partition("## 证据缺口")[2]
    assert "hunter2" not in ran.out


@pytest.mark.parametrize("content", [b"", b"\x00\x01\xfe" * 300, b"2026-05-04T09:30:12Z INFO fine\n"])
def test_when_nothing_supports_anything_it_says_so(superbiz: Superbiz, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "only/logs").mkdir(parents=True)
    (tmp_path / "only/logs/a.log").write_bytes(content)
    ran = superbiz("diagnose", "payment-gw 为什么超时？", "--evidence", tmp_path / "only", "--json")
    assert ran.code in (0, 3)
    if ran.code == 3:
        assert ran.json["rounds"] == 2
        assert ran.json["confirmed"] == []
        assert "没有任何事实得到证实" in ran.json["answer"]
    else:
        assert all("fine" in item["text"] for item in ran.json["confirmed"])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "没有这个证据目录"),
        (lambda path: path.write_text("x"), "是一个文件"),
        (lambda path: path.mkdir(), "没有可读的内容"),
        (lambda path: ((path / "logs").mkdir(parents=True), (path / "logs/a.pdf").touch()), "没有可读的内容"),
        (lambda path: ((path / "logs").mkdir(parents=True), (path / "meta.json").write_text("{")), "meta.json"),
        (lambda path: (path.mkdir(), (path / "meta.json").write_text('{"as_of": "soon"}')), "as_of"),
    ],
)
def test_a_directory_that_cannot_be_used_is_refused(
    superbiz: Superbiz, tmp_path: Path, make: Callable[[Path], object], says: str
) -> None:
    make(tmp_path / "e")
    ran = superbiz("diagnose", QUESTION, "--evidence", tmp_path / "e")
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert ran.err.count("\n") == 1
    assert "pydantic" not in ran.err


@pytest.mark.requirement("V9")
def test_all_bad_files_at_once_take_no_fact_from_the_example_incident(superbiz: Superbiz, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "incident")
    question = (EXAMPLE / "question.txt").read_text("utf-8")
    clean = superbiz("diagnose", question, "--evidence", tmp_path / "incident", "--json")
    for spoil, _ in BAD.values():
        spoil(tmp_path / "incident")
    ran = superbiz("diagnose", question, "--evidence", tmp_path / "incident", "--json")
    assert clean.code in (0, 3)
    assert ran.code in (0, 3)
    assert len(clean.json["confirmed"]) >= 3
    lost = {item["text"] for item in clean.json["confirmed"]} - {item["text"] for item in ran.json["confirmed"]}
    assert lost == set()
    seen = json.dumps(ran.json["gaps"])
    assert [gap for _, gap in BAD.values() if gap.partition(":")[0].partition(" ")[0] not in seen] == []
