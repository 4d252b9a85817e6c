"""The Executor's contract `executor_evidence_v2` (E1-E3) and what became of reading it (E5)."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from superbiz.graph.domain.base import Frozen
from superbiz.graph.domain.ids import ClaimId, InvocationId

ANSWER_VERSION = "executor_evidence_v2"


class ClaimType(StrEnum):
    """What a claim is about."""

    SYMPTOM = "symptom"
    METRIC = "metric"
    LOG_EVENT = "log_event"
    ALERT = "alert"
    STATE = "state"
    CHANGE = "change"
    IMPACT = "impact"
    ROOT_CAUSE = "root_cause"
    OTHER = "other"


class SupportLevel(StrEnum):
    """How the Executor says that its evidence carries a claim; `indirect` caps the label (V6)."""

    DIRECT = "direct"
    INDIRECT = "indirect"


class SourceType(StrEnum):
    """What kind of evidence a binding points at."""

    LOG = "log"
    METRIC = "metric"
    ALERT = "alert"
    KNOWLEDGE = "knowledge"
    TOOL = "tool"


class Binding(Frozen):
    """Where a claim's evidence stands: invocations of this turn and an excerpt of their output (E3)."""

    source_type: SourceType
    tool_name: str
    source_invocation_ids: tuple[InvocationId, ...] = ()
    evidence_excerpt: str
    source_id: str | None = None


class Claim(Frozen):
    """A statement offered as confirmed (E2)."""

    claim_id: ClaimId
    claim_type: ClaimType
    claim_text: str = Field(min_length=1)
    support_level: SupportLevel
    evidence_bindings: tuple[Binding, ...] = ()
    """At least one in a good contract; a claim without any is read, and can never be direct (V6)."""


class ExecutorContract(Frozen):
    """The whole contract. `diagnosis_summary` and `user_facing_answer` have no place in it (E1)."""

    answer_version: Literal["executor_evidence_v2"] = "executor_evidence_v2"
    claims: tuple[Claim, ...]
    hypotheses: tuple[str, ...]
    recommended_actions: tuple[str, ...]
    missing_info: tuple[str, ...]


class ParseOutcome(StrEnum):
    """How reading the Executor's output went."""

    PARSED = "parsed"
    REPAIRED = "repaired"
    FAILED = "failed"


class ParseStatus(Frozen):
    """`executor_output_parse_status`: the outcome, and why it was not plain `parsed`."""

    status: ParseOutcome
    reason: str | None = None


class ParsedOutput(Frozen):
    """The Executor's final text as read: a contract, or none; and confirmed-sounding text found beside it (V7)."""

    status: ParseStatus
    contract: ExecutorContract | None
    extra_text: tuple[str, ...] = ()
    """Prose around the object, a `user_facing_answer` or `diagnosis_summary` left in it."""
