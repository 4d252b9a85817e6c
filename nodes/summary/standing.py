"""What a row can support by itself: the one place that says so, for the summary and for the evaluator."""

from superbiz.graph.domain.evidence import Chunk, Status
from superbiz.graph.domain.record import EvidenceLevel, Invocation

KNOWLEDGE_TOOL = "lookup_knowledge"


def is_knowledge(row: Invocation) -> bool:
    """Whether the row looked up advice, which never proves an incident fact (V10)."""
    records = row.output.records if row.output else ()
    return row.tool_name == KNOWLEDGE_TOOL or any(isinstance(record, Chunk) for record in records)


def status_of(row: Invocation) -> Status:
    """How the call ended; one that never did (its process died) has failed (T4)."""
    return Status.FAILED if row.status is None or row.success is False else row.status


def answered(row: Invocation) -> bool:
    """Whether the call brought an answer at all: neither failed nor without data (T4)."""
    return status_of(row) not in (Status.FAILED, Status.NO_DATA)


def is_hit(row: Invocation) -> bool:
    """Whether the call brought something of its own: a real zero is something, a duplicate is not (T8)."""
    if row.output is None or row.deduped or not answered(row):
        return False
    return bool(row.output.records or row.output.aggregates.matched) or row.status is Status.ZERO


def evidence_level(row: Invocation) -> EvidenceLevel:
    """`none` without a hit (T4, T8), at most `indirect` for knowledge (V10)."""
    if not is_hit(row):
        return EvidenceLevel.NONE
    return EvidenceLevel.INDIRECT if is_knowledge(row) else EvidenceLevel.DIRECT
