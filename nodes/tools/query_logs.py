"""The tool `query_logs`: events of the evidence directory's logs, and counts over everything that was scanned."""

import asyncio
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, field_validator

from superbiz.graph.domain.evidence import Scope, Status, ToolOutput
from superbiz.graph.domain.text import normalise
from superbiz.graph.domain.times import to_utc
from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.directory import EvidenceDirectory, EvidenceFile
from superbiz.nodes.tools.logs.levels import at_least
from superbiz.nodes.tools.logs.scan import Filter, Scan


class LogQuery(BaseModel):
    """What to look for. `source`, `text`, `level` and the window filter; `entities` and `terms` only rank."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str | None = Field(default=None, description="one file, e.g. logs/payment.log")
    text: str | None = Field(default=None, min_length=1, description="text that an event must hold, in any case")
    level: str | None = Field(default=None, description="this level or a more severe one")
    entities: tuple[str, ...] = Field(default=(), description="names that matter most")
    terms: tuple[str, ...] = Field(default=(), description="words that matter")
    since: datetime | None = Field(default=None, description="the first moment; UTC when it names no zone")
    until: datetime | None = Field(default=None, description="the last moment, which still counts")
    limit: int = Field(default=40, ge=1, le=200)

    @field_validator("level")
    @classmethod
    def _known_level(cls, level: str | None) -> str | None:
        if level is not None:
            try:
                at_least(level)
            except KeyError as error:
                raise ValueError(f"{level!r} is no level; FATAL, ERROR, WARN, INFO and DEBUG are") from error
        return level

    @field_validator("since", "until")
    @classmethod
    def _as_utc(cls, moment: datetime | None) -> datetime | None:
        return None if moment is None else to_utc(moment)


class QueryLogs:
    """Implements `Tool` of `graph.ports`."""

    name = "query_logs"
    description = "Log events that match, the most telling first, with counts per message, level and status over all."
    evidence_bearing = True
    arguments = LogQuery

    def __init__(self, directory: EvidenceDirectory) -> None:
        self._directory = directory

    async def run(self, arguments: LogQuery, as_of: datetime) -> ToolOutput:
        """Answer the query. Raises ToolError when nothing could be read, or the source does not exist."""
        return await asyncio.to_thread(self._run, arguments, as_of)

    def _run(self, query: LogQuery, as_of: datetime) -> ToolOutput:
        scan = Scan(_filter(query), as_of)
        for file in self._files(query, scan):
            scan.read(file)
        if scan.unread and not scan.sources:
            first = scan.gaps[0]
            raise ToolError(first.reason, f"no log could be read; {first.source}: {first.detail}")
        records, aggregates = scan.result(query.limit)
        scope = Scope(
            sources=tuple(scan.sources),
            since=query.since,
            until=query.until,
            complete=not scan.unread,
            gaps=tuple(scan.gaps),
        )
        status = Status.PARTIAL if scan.unread else Status.OK if scan.matched else Status.NO_DATA
        return ToolOutput(status=status, records=records, aggregates=aggregates, scope=scope)

    def _files(self, query: LogQuery, scan: Scan) -> tuple[EvidenceFile, ...]:
        files, outside = self._directory.files("logs")
        if query.source is None:
            scan.gaps += outside
            scan.unread += len(outside)
            return files
        if gap := next((gap for gap in outside if gap.source == query.source), None):
            raise ToolError(gap.reason, f"{gap.source} was not read: {gap.detail}")
        named = tuple(file for file in files if file.name == query.source)
        if not named:
            known = ", ".join(file.name for file in files[:20]) or "none"
            raise ToolError("unknown_source", f"there is no log {query.source!r}; there are: {known}")
        return named


def _filter(query: LogQuery) -> Filter:
    return Filter(
        text=_wanted(query.text) if query.text else None,
        levels=at_least(query.level) if query.level else None,
        since=query.since,
        until=query.until,
        entities=tuple(filter(None, map(_wanted, query.entities))),
        terms=tuple(filter(None, map(_wanted, query.terms))),
    )


def _wanted(word: str) -> str:
    """A word in the form in which events are searched."""
    return normalise(word).lower()
