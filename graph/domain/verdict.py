"""What the Verifier says: labels, facts, checks, the gatekeeper's changes, the verdict (V1-V6, V11)."""

from enum import StrEnum

from pydantic import Field

from superbiz.graph.domain.base import Frozen
from superbiz.graph.domain.ids import ClaimId, InvocationId, TraceRef


class Label(StrEnum):
    """The four labels, and no other (V1)."""

    DIRECT = "direct_evidence"
    INDIRECT = "indirect_support"
    NONE = "no_evidence"
    CONTRADICTED = "contradicted"


LABEL_ORDER = (Label.CONTRADICTED, Label.NONE, Label.INDIRECT, Label.DIRECT)
"""Weakest first: the order in which floor and ceiling are compared."""


class Verdict(StrEnum):
    """What the whole answer is worth (V3)."""

    PASS = "PASS"
    LOW_CONFID = "LOW_CONFID"
    REJECT = "REJECT"


class EvidenceRef(Frozen):
    """Where a fact's evidence stands: an entry of the summary, its invocations, and the words (V5)."""

    trace_ref: TraceRef
    source_invocation_ids: tuple[InvocationId, ...]
    excerpt: str


class CheckedFact(Frozen):
    """One checked statement. The label lies between `floor` and `ceiling` (but for V11's two limits)."""

    fact: str
    is_critical: bool
    verification: Label
    detail: str
    """Why, as a machine word and the atom it is about, e.g. `value_not_found: 30000ms`."""
    evidence_refs: tuple[EvidenceRef, ...] = ()
    floor: Label
    ceiling: Label


class ClaimCheck(Frozen):
    """What became of one structured claim (V6)."""

    claim_id: ClaimId
    verification: Label
    bindings_valid: bool
    problems: tuple[str, ...] = ()
    """What was wrong with its bindings, e.g. `unknown_invocation: inv-1`, `excerpt_not_found`."""


class GateChange(Frozen):
    """One change by the gatekeeper: rule id, fact, before, after, why (V11)."""

    rule: str
    fact: str
    before: str
    after: str
    why: str


class VerifierResult(Frozen):
    """The Verifier's one JSON object (V5)."""

    verdict: Verdict
    groundedness_score: float = Field(ge=0.0, le=1.0)
    critical_fact_count: int = Field(ge=0)
    facts_checked: tuple[CheckedFact, ...]
    claim_checks: tuple[ClaimCheck, ...]
    rationale: str
