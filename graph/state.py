"""The graph's state: flat, frozen values and ids; documents stay in the store (P4, DESIGN decision 9)."""

from datetime import datetime
from typing import Annotated, TypedDict

from langgraph.channels import EphemeralValue

from superbiz.graph.domain.answer import Answer
from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.contract import Claim
from superbiz.graph.domain.ids import InvocationId
from superbiz.graph.domain.plan import Language, Plan, RetryContext
from superbiz.graph.domain.record import ToolTraceSummary
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.domain.verdict import CheckedFact, VerifierResult
from superbiz.graph.reducers import merge_evaluations
from superbiz.graph.routing import Route


class DiagnosisInput(TypedDict, total=False):
    """What a caller gives; only `question` is needed. Seen by the planner once, at the start of a turn."""

    question: Annotated[str, EphemeralValue]
    as_of: Annotated[datetime | None, EphemeralValue]
    since: Annotated[datetime | None, EphemeralValue]
    until: Annotated[datetime | None, EphemeralValue]
    language: Annotated[Language | None, EphemeralValue]


class DiagnosisOutput(TypedDict, total=False):
    """What a caller gets."""

    inquiry: Inquiry
    answer: Answer | None


class DiagnosisState(DiagnosisInput, total=False):
    """Everything between. Each turn starts afresh: the planner resets what belongs to a turn."""

    record_version: int
    inquiry: Inquiry
    round: int
    """1 or 2; advanced by `retry_router` alone (R6)."""
    plan: Plan
    invocation_ids: tuple[InvocationId, ...]
    """This turn's rows on this branch, both rounds."""
    executor_final_answer: str
    tool_trace_summary: ToolTraceSummary
    verification: VerifierResult | None
    retry_context: RetryContext | None
    carried_claims: tuple[Claim, ...]
    """Claims confirmed in round one, checked again in round two (R4)."""
    carried_facts: tuple[CheckedFact, ...]
    """What checking them again gave, in the same order."""
    route: Route | None
    self_evaluation: Annotated[JsonObject, merge_evaluations]
    answer: Answer | None


class StateUpdate(DiagnosisState, total=False):
    """What a node may return. LangGraph drops a misspelled key in silence; mypy does not."""
