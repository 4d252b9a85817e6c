"""What is to be looked at: tool calls, the plan of a round, and what a second round must know of the first."""

from datetime import datetime
from enum import StrEnum

from superbiz.graph.domain.base import Frozen, JsonObject


class Language(StrEnum):
    """Language of what people read (C7)."""

    ZH = "zh"
    EN = "en"


class Window(Frozen):
    """A stretch of time, UTC; an open end is None."""

    since: datetime | None = None
    until: datetime | None = None


class ToolCall(Frozen):
    """One query: a tool's name and its arguments, already valid for that tool."""

    tool_name: str
    arguments: JsonObject
    purpose: str = ""
    """Why the planner wants it; for the trace, never evidence."""


class Plan(Frozen):
    """What one round looks at. An empty plan with `clarify` means that the question names nothing to diagnose."""

    calls: tuple[ToolCall, ...] = ()
    entities: tuple[str, ...] = ()
    """Names that the question is about, aliases resolved."""
    symptoms: tuple[str, ...] = ()
    """Concept names of the lexicon, e.g. `slow`, `restart`."""
    window: Window = Window()
    clarify: bool = False


class EvidenceGap(Frozen):
    """Something the Verifier could not confirm, by subject and attribute, never with its unverified value (C3)."""

    subject: str
    attribute: str
    reason: str
    """Machine word: `no_evidence`, `contradicted`, `only_indirect`, `call_failed`, `no_data`, `partial` …"""


class RetryContext(Frozen):
    """What round two's planner gets (R3): the gaps, and the calls that were made."""

    gaps: tuple[EvidenceGap, ...]
    queried: tuple[ToolCall, ...]
    score: float
