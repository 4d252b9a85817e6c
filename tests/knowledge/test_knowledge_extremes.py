"""Runbooks of any bytes: read whatever they are written in, cut without loss, named the same each time."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.evidence import Chunk, Status, ToolOutput
from superbiz.graph.domain.text import normalise
from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.knowledge.chunks import passages
from superbiz.nodes.tools.lookup_knowledge import KnowledgeQuery, LookupKnowledge

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
KILN = "# 锅炉\r\n\r\n## 熄火\r\n\r\n先关闭燃气阀，再检查 burner-2。\r\n"


def ask(root: Path, files: dict[str, bytes], question: str = "燃气阀") -> ToolOutput:
    (root / "runbooks").mkdir(exist_ok=True)
    for name, content in files.items():
        (root / "runbooks" / name).write_bytes(content)
    return asyncio.run(LookupKnowledge(EvidenceDirectory(root)).run(KnowledgeQuery(question=question), AS_OF))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("gb18030", "gb18030"),
    ],
)
def test_a_runbook_is_found_in_any_encoding_and_line_end(tmp_path: Path, written: str, told: str) -> None:
    output = ask(tmp_path, {"kiln.md": KILN.encode(written)})
    (chunk,) = output.records

    assert isinstance(chunk, Chunk)
    assert (chunk.line, chunk.heading, chunk.text) == (5, "锅炉 / 熄火", normalise("先关闭燃气阀，再检查 burner-2。"))
    assert [source.encoding for source in output.scope.sources] == [told]


def test_a_binary_file_is_a_gap_and_hides_no_other(tmp_path: Path) -> None:
    output = ask(tmp_path, {"kiln.md": KILN.encode(), "photo.md": bytes(range(256)) * 9})

    assert (output.status, len(output.records)) == (Status.PARTIAL, 1)
    assert [(gap.source, gap.reason) for gap in output.scope.gaps] == [("runbooks/photo.md", "binary")]


def test_nothing_but_a_binary_file_has_failed(tmp_path: Path) -> None:
    with pytest.raises(ToolError) as refused:
        ask(tmp_path, {"photo.md": bytes(range(256)) * 9})
    assert refused.value.type == "binary"


def test_a_chunk_id_is_the_same_wherever_its_text_stands_in_its_file() -> None:
    """So that a look-up after an edit above it brings nothing new (T8)."""
    (early,) = passages("runbooks/a.md", "close the valve\n")
    (late,) = passages("runbooks/a.md", "# Kiln\n\n\nclose the valve\n")
    (other,) = passages("runbooks/b.md", "close the valve\n")
    (changed,) = passages("runbooks/a.md", "open the valve\n")

    assert early.chunk_id == late.chunk_id
    assert len({early.chunk_id, other.chunk_id, changed.chunk_id}) == 3


lines = st.lists(
    st.sampled_from(["# Kiln", "### 熄火", "#", "```", "~~~", "- step", "1. step", "", "  ", "x" * 250, "窑 " * 90])
    | st.text(max_size=12).map(lambda text: normalise(text).replace("\n", " ")),
    max_size=25,
)


@given(written=lines)
def test_passages_lose_no_line_and_stand_where_they_say(written: list[str]) -> None:
    found = list(passages("runbooks/a.md", "\n".join(written)))
    told: set[int] = set()
    for passage in found:
        first = passage.text.split("\n")[0]
        assert written[passage.line - 1].strip() == first.strip()
        told |= set(range(passage.line, passage.line + passage.text.count("\n") + 1))
    left_out = [line for number, line in enumerate(written, 1) if number not in told]
    assert all(line.startswith("#") or not line.strip() for line in left_out)
    assert [passage.line for passage in found] == sorted({passage.line for passage in found})


@given(content=st.binary(max_size=60) | st.text(max_size=40).map(str.encode), question=st.text(min_size=1, max_size=9))
def test_any_bytes_and_any_question_are_answered_and_can_be_stored(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, question: str
) -> None:
    output = ask(tmp_path_factory.mktemp("any"), {"a.md": content, "b.md": KILN.encode()}, question)

    assert ToolOutput.model_validate_json(output.model_dump_json()) == output
    assert "runbooks/b.md" in [source.path for source in output.scope.sources]
