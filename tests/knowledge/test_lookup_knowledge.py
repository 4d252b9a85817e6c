"""Runbooks: cut into passages with the right lines, found in two languages, always in the same order."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from superbiz.graph.domain.evidence import Chunk, Status, ToolOutput
from superbiz.graph.domain.text import normalise
from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.knowledge.chunks import CHUNK_CHARS, passages
from superbiz.nodes.tools.knowledge.search import Search, tokens
from superbiz.nodes.tools.lookup_knowledge import KnowledgeQuery, LookupKnowledge
from support.vanishing import Vanishing

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)

QUAY = """\
# Quay

Cranes lift containers.

## Hoist is hot

Stop the hoist and check the oil_pressure of quay-crane.

## 吊机卡死

先停止吊机，再检查液压油的压力。
"""
GATE = "# 闸口\n\n闸口拥堵时打开北侧车道。\n\n## Gate shut\n\nOpen the north lane.\n"
RUNBOOKS = {"quay.md": QUAY, "gate.md": GATE}


def _directory(root: Path, files: Mapping[str, str | bytes], of: type[EvidenceDirectory]) -> EvidenceDirectory:
    (root / "in/runbooks").mkdir(parents=True, exist_ok=True)
    # An evidence directory is not empty, whatever its runbooks are.
    (root / "in/logs").mkdir(exist_ok=True)
    (root / "in/logs/quay.log").touch()
    for name, content in files.items():
        (root / "in/runbooks" / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return of(root / "in")


async def ask(
    root: Path,
    question: str,
    files: Mapping[str, str | bytes] = RUNBOOKS,
    limit: int = 5,
    of: type[EvidenceDirectory] = EvidenceDirectory,
) -> ToolOutput:
    arguments = KnowledgeQuery(question=question, limit=limit)
    return await LookupKnowledge(_directory(root, files, of)).run(arguments, AS_OF)


def chunks(output: ToolOutput) -> list[Chunk]:
    return [record for record in output.records if isinstance(record, Chunk)]


@pytest.mark.requirement("T4")
@pytest.mark.parametrize(
    ("question", "source", "line", "heading"),
    [
        ("Why is the hoist hot?", "quay.md", 7, "Quay / Hoist is hot"),
        ("OIL_PRESSURE", "quay.md", 7, "Quay / Hoist is hot"),
        ("pressure", "quay.md", 7, "Quay / Hoist is hot"),
        ("crane", "quay.md", 7, "Quay / Hoist is hot"),
        ("ｈｏｉｓｔ", "quay.md", 7, "Quay / Hoist is hot"),
        ("吊机为什么卡死了？", "quay.md", 11, "Quay / 吊机卡死"),
        ("液压油", "quay.md", 11, "Quay / 吊机卡死"),
        ("闸口拥堵怎么办", "gate.md", 3, "闸口"),
        ("北侧车道 lane", "gate.md", 3, "闸口"),
        ("Open the gate", "gate.md", 7, "闸口 / Gate shut"),
    ],
)
async def test_a_question_finds_its_passage(
    tmp_path: Path, question: str, source: str, line: int, heading: str
) -> None:
    output = await ask(tmp_path, question)
    best = chunks(output)[0]
    assert output.status is Status.OK
    assert (best.source, best.line, best.heading) == (f"runbooks/{source}", line, heading)
    assert best.text == normalise(RUNBOOKS[source].split("\n")[line - 1])


@pytest.mark.requirement("T4")
@pytest.mark.parametrize("question", ["weather", "天气", "the of and", "为什么", "??", " ", "😀"])
async def test_nothing_in_common_is_no_data(tmp_path: Path, question: str) -> None:
    output = await ask(tmp_path, question)
    assert (output.status, output.records, output.scope.complete) == (Status.NO_DATA, (), True)
    assert (output.aggregates.scanned, output.aggregates.matched) == (5, 0)


@pytest.mark.requirement("T4")
@pytest.mark.parametrize("files", [{}, {"a.md": ""}, {"a.md": "# Quay\n## Hoist\n"}, {"a.txt": QUAY}])
async def test_no_passages_are_no_data(tmp_path: Path, files: dict[str, str]) -> None:
    output = await ask(tmp_path, "hoist", files)
    assert (output.status, output.aggregates.scanned) == (Status.NO_DATA, 0)


async def test_the_order_is_the_same_each_time_and_equals_go_by_file_and_line(tmp_path: Path) -> None:
    files = dict.fromkeys(("b.md", "a.md", "c.md"), "# H\n\nhoist\n\n# H\n\nhoist\n")
    first = await ask(tmp_path, "hoist", files, limit=20)
    order = [(chunk.source[-4:], chunk.line) for chunk in chunks(first)]
    assert order == [(name, line) for name in ("a.md", "b.md", "c.md") for line in (3, 7)]
    assert await ask(tmp_path, "hoist", files, limit=20) == first


async def test_better_ones_come_first_and_a_limit_cuts_records_and_never_the_count(tmp_path: Path) -> None:
    files = {"a.md": "crane\n", "b.md": "hoist crane\n", "c.md": "hoist\n", "d.md": "gate\n"}
    output = await ask(tmp_path, "hoist crane", files, limit=1)
    assert [chunk.text for chunk in chunks(output)] == ["hoist crane"]
    assert (output.aggregates.scanned, output.aggregates.matched) == (4, 3)
    scores = [chunk.score for chunk in chunks(await ask(tmp_path, "hoist crane", {}))]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


@pytest.mark.requirement("T4")
async def test_a_runbook_that_cannot_be_read_is_a_gap_and_hides_no_other(tmp_path: Path) -> None:
    output = await ask(tmp_path, "hoist", {**RUNBOOKS, "gone.md": QUAY}, of=Vanishing)
    assert (output.status, output.scope.complete) == (Status.PARTIAL, False)
    assert [(gap.source, gap.reason) for gap in output.scope.gaps] == [("runbooks/gone.md", "unreadable")]
    assert [file.path for file in output.scope.sources] == ["runbooks/gate.md", "runbooks/quay.md"]
    assert {chunk.source for chunk in chunks(output)} == {"runbooks/quay.md"}


async def test_when_no_runbook_can_be_read_the_call_has_failed(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"no runbook could be read; runbooks/gone\.md") as refused:
        await ask(tmp_path, "hoist", {"gone.md": QUAY}, of=Vanishing)
    assert refused.value.type == "unreadable"


async def test_a_link_out_of_the_directory_is_never_read(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text(QUAY)
    (tmp_path / "in/runbooks").mkdir(parents=True)
    os.symlink(tmp_path / "secret.md", tmp_path / "in/runbooks/link.md")
    with pytest.raises(ToolError, match="a link that leads out"):
        await ask(tmp_path, "hoist", {})
    output = await ask(tmp_path, "hoist", {"gate.md": GATE})
    assert (output.status, output.records, output.scope.gaps[0].reason) == (Status.PARTIAL, (), "outside")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("crane", [(1, "", "crane")]),
        ("\n\n  crane\nhoist\n\n", [(3, "", "crane\nhoist")]),
        ("# A #\ncrane\n### B\nhoist\n## C\ngate", [(2, "A", "crane"), (4, "A / B", "hoist"), (6, "A / C", "gate")]),
        ("## A\ncrane\n# B\nhoist", [(2, "A", "crane"), (4, "B", "hoist")]),
        ("#crane\n####### hoist", [(1, "", "#crane\n####### hoist")]),
        ("# A\n```sh\n# stop\nhalt\n```\n# B\nquay", [(2, "A", "```sh\n# stop\nhalt\n```"), (7, "B", "quay")]),
        ("~~~\n# stop", [(1, "", "~~~\n# stop")]),
        ("```halt```\n# A\nquay", [(1, "", "```halt```"), (3, "A", "quay")]),
        ("crane\u2028hoist\n# A\nquay", [(1, "", "crane\u2028hoist"), (3, "A", "quay")]),
    ],
)
def test_passages_know_their_headings_and_lines(text: str, found: list[tuple[int, str, str]]) -> None:
    assert [(p.line, p.heading, p.text) for p in passages("a.md", text)] == found


@pytest.mark.parametrize("block", ["", "- step", "* step", "2. step", "  3) step"])
def test_a_long_section_is_cut_where_a_block_starts(block: str) -> None:
    long = "x" * CHUNK_CHARS
    first, second = passages("a.md", f"# A\n{long}\ngoes on\n{block}\nend\n")
    assert (first.line, first.text, first.heading) == (2, f"{long}\ngoes on", "A")
    assert (second.line, second.text, second.heading) == (4 if block else 5, f"{block}\nend".strip(), "A")
    assert first.chunk_id != second.chunk_id


def test_words_are_whole_and_in_parts_and_an_empty_index_answers() -> None:
    assert list(tokens("The Quay-Crane.c7 是 10%")) == ["quay-crane.c7", "quay", "crane", "c7", "10"]
    assert Search([]).best("crane") == []


@pytest.mark.parametrize("query", [{"question": ""}, {"question": "a", "limit": 0}, {"question": "a", "limit": 21}])
def test_what_the_tool_does_not_take_is_refused(query: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        KnowledgeQuery.model_validate(query)
