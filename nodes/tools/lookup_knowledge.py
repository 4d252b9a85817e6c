"""The tool `lookup_knowledge`: passages of runbooks that fit a question. Advice, never an incident fact (E4, V10)."""

import asyncio
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from superbiz.graph.domain.evidence import Aggregates, Chunk, Gap, Scope, SourceFile, Status, ToolOutput
from superbiz.graph.domain.text import normalise
from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.directory import EvidenceDirectory, EvidenceFile
from superbiz.nodes.tools.knowledge.chunks import Passage, passages
from superbiz.nodes.tools.knowledge.search import Search
from superbiz.nodes.tools.logs.decode import LogLines


class KnowledgeQuery(BaseModel):
    """A question, in any words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(min_length=1)
    limit: int = Field(default=5, ge=1, le=20)


class LookupKnowledge:
    """Implements `Tool` of `graph.ports`."""

    name = "lookup_knowledge"
    description = "Passages of runbooks that fit a question, best first."
    evidence_bearing = True
    arguments = KnowledgeQuery

    def __init__(self, directory: EvidenceDirectory) -> None:
        self._directory = directory

    async def run(self, arguments: KnowledgeQuery, as_of: datetime) -> ToolOutput:
        """Answer the query. Raises ToolError when no runbook could be read."""
        return await asyncio.to_thread(self._run, arguments)

    def _run(self, query: KnowledgeQuery) -> ToolOutput:
        files, outside = self._directory.files("runbooks")
        sources: list[SourceFile] = []
        gaps = list(outside)
        found: list[Passage] = []
        for file in files:
            read = _read(file)
            if isinstance(read, Gap):
                gaps.append(read)
            else:
                sources.append(read[0])
                found += passages(file.name, read[1])
        if gaps and not sources:
            raise ToolError(gaps[0].reason, f"no runbook could be read; {gaps[0].source}: {gaps[0].detail}")
        hits = Search(found).best(query.question)
        records = tuple(_chunk(passage, score) for passage, score in hits[: query.limit])
        status = Status.PARTIAL if gaps else Status.OK if records else Status.NO_DATA
        return ToolOutput(
            status=status,
            records=records,
            aggregates=Aggregates(scanned=len(found), matched=len(hits)),
            scope=Scope(sources=tuple(sources), complete=not gaps, gaps=tuple(gaps)),
        )


def _read(file: EvidenceFile) -> tuple[SourceFile, str] | Gap:
    """Read as logs are: a runbook written on another system is no UTF-8 either (field bug 55)."""
    try:
        lines = LogLines(file.path)
    except ToolError as error:
        return Gap(source=file.name, reason=error.type, detail=normalise(str(error)))
    except OSError as error:
        return Gap(source=file.name, reason="unreadable", detail=error.strerror or "")
    text = "\n".join(lines)
    source = SourceFile(path=file.name, bytes=lines.bytes, sha256=lines.sha256, encoding=lines.encoding)
    return source, text


def _chunk(passage: Passage, score: float) -> Chunk:
    return Chunk(
        source=passage.source,
        line=passage.line,
        heading=passage.heading,
        chunk_id=passage.chunk_id,
        score=round(score, 4),
        text=passage.text,
    )
