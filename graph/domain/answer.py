"""What may be said (C1) and what was said."""

from enum import StrEnum

from superbiz.graph.domain.base import Frozen
from superbiz.graph.domain.ids import ClaimId
from superbiz.graph.domain.plan import EvidenceGap
from superbiz.graph.domain.verdict import EvidenceRef, Verdict


class Citation(Frozen):
    """Where a person can look: source, place in it, and the query to run again (C8)."""

    source: str
    place: str
    """`L12`, `L12-L14`, a time, or labels."""
    query: str


class Finding(Frozen):
    """A fact that may be shown, with what supports it."""

    claim_id: ClaimId | None
    text: str
    is_cause: bool
    evidence_refs: tuple[EvidenceRef, ...]
    citations: tuple[Citation, ...]


class Dropped(Frozen):
    """Material that was kept from the answer, and why (C1)."""

    kind: str
    text: str
    why: str


class Material(Frozen):
    """All that the Composer is given. The raw Executor output is not part of it."""

    verdict: Verdict
    groundedness_score: float
    confirmed: tuple[Finding, ...] = ()
    indirect: tuple[Finding, ...] = ()
    directions: tuple[str, ...] = ()
    gaps: tuple[EvidenceGap, ...] = ()
    next_steps: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()


class TurnStatus(StrEnum):
    """How a turn stands."""

    RUNNING = "running"
    ANSWERED = "answered"
    CLARIFY = "clarify"
    INTERRUPTED = "interrupted"


class ComposerOutput(Frozen):
    """`composer_output`: which way the answer was made, and why (C5)."""

    mode: str
    """`template` or `model`."""
    form: str
    """`pass`, `low_confid`, `reject` or `clarify`."""
    reason: str


class Answer(Frozen):
    """The answer of a turn as the machine leaves it in its state."""

    status: TurnStatus
    text: str
    material: Material | None
    composer_output: ComposerOutput


class Usage(Frozen):
    """What a turn cost."""

    tool_calls: int = 0
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
