"""The persisted record: invocation rows, and the bounded summary that is made from them (T1-T9)."""

from datetime import datetime
from enum import StrEnum

from superbiz.graph.domain.base import Frozen, JsonObject
from superbiz.graph.domain.evidence import Status, ToolOutput
from superbiz.graph.domain.ids import InvocationId, SessionId, TaskId, TraceRef


class ErrorInfo(Frozen):
    """Why a call failed: a machine word and one line for people."""

    type: str
    message: str


class Origin(Frozen):
    """Which piece of work makes calls: session, turn, round, and the graph task that runs it."""

    session_id: SessionId
    turn: int
    round: int
    task_id: TaskId
    attempt: int = 1
    """1 for the first try of the node's execution, counted by LangGraph."""


class Invocation(Frozen):
    """A row of `tool_invocation`. While the call runs `status` is None."""

    invocation_id: InvocationId
    session_id: SessionId
    turn: int
    round: int
    attempt: int
    branch: int
    """0 for a turn's first run, counted up for each fork of the thread."""
    tool_name: str
    arguments: JsonObject
    evidence_bearing: bool
    status: Status | None = None
    success: bool | None = None
    error: ErrorInfo | None = None
    deduped_of: InvocationId | None = None
    """The row whose output this one repeats: the same query again, or the same chunks again (T8)."""
    output: ToolOutput | None = None
    output_sha256: str | None = None
    output_bytes: int | None = None
    output_cut: bool = False
    """True when the output was over the cap and was stored shorter."""
    source_labels: tuple[str, ...] = ()
    started_at: datetime
    duration_ms: int | None = None

    @property
    def deduped(self) -> bool:
        """Whether the row repeats another one."""
        return self.deduped_of is not None


class EvidenceLevel(StrEnum):
    """What an entry can support by itself (T2)."""

    DIRECT = "direct"
    INDIRECT = "indirect"
    NONE = "none"


class TraceEntry(Frozen):
    """One bounded item of `tool_trace_summary` (T2)."""

    trace_ref: TraceRef
    source_invocation_ids: tuple[InvocationId, ...]
    tool_name: str
    round: int
    success: bool
    status: Status
    input_summary: str
    output_summary: str
    evidence_level: EvidenceLevel
    query_samples: tuple[str, ...] = ()
    retrieval_layers: tuple[str, ...] = ()
    relevance_levels: tuple[str, ...] = ()
    source_labels: tuple[str, ...] = ()
    deduped: bool = False
    repeated: int = 0
    failed_calls: int = 0
    no_hit_calls: int = 0
    omitted: int = 0
    """Facts (records, patterns, tallies, gaps) that did not fit the entry's budget."""


class ToolTraceSummary(Frozen):
    """The summary that the Verifier is given, within a byte budget (T6)."""

    entries: tuple[TraceEntry, ...] = ()
    omitted_entries: int = 0
