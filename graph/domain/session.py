"""Sessions and turns as the store keeps them (P1, P2)."""

from datetime import datetime
from enum import StrEnum

from superbiz.graph.domain.answer import Answer, TurnStatus, Usage
from superbiz.graph.domain.base import Frozen, JsonObject
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Language, Window
from superbiz.graph.domain.verdict import Verdict

RECORD_VERSION = 1
"""Version of what a session's rows and checkpoints hold; the store refuses a newer one readably."""


class SessionStatus(StrEnum):
    """How a session stands."""

    OPEN = "open"
    CLOSED = "closed"


class Inquiry(Frozen):
    """One question with everything that decides how it is answered: fixed when the turn opens (V13)."""

    session_id: SessionId
    turn: int
    """From 1."""
    original_query: str
    language: Language
    as_of: datetime
    """The moment that ages, alert ends and relative times are judged against; UTC."""
    window: Window = Window()
    """What `--since` and `--until` gave; the question's own window is the planner's business."""
    evidence: str
    """Where the tools look, e.g. the evidence directory; so that a resumed turn looks there again."""


class Session(Frozen):
    """A row of `diagnosis_session`."""

    session_id: SessionId
    tenant: str = "default"
    title: str
    """The first question, shortened."""
    language: Language
    status: SessionStatus = SessionStatus.OPEN
    self_evaluation: JsonObject | None = None
    """Channels of the latest turn (P1)."""
    record_version: int = RECORD_VERSION
    created_at: datetime
    updated_at: datetime


class Turn(Frozen):
    """A row of `diagnosis_turn`."""

    inquiry: Inquiry
    status: TurnStatus = TurnStatus.RUNNING
    verdict: Verdict | None = None
    groundedness_score: float | None = None
    rounds: int = 0
    answer: Answer | None = None
    self_evaluation: JsonObject | None = None
    usage: Usage | None = None
    created_at: datetime
    updated_at: datetime


class TurnEnd(Frozen):
    """What closes a turn."""

    verdict: Verdict | None
    groundedness_score: float | None
    rounds: int
    answer: Answer
    usage: Usage
