"""The planner node: opens a turn when a question has just come, then asks the planner's role for this round's plan."""

from datetime import datetime

from langgraph.runtime import Runtime

from superbiz.graph.context import Context, ports_of, session_of
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Window
from superbiz.graph.domain.session import RECORD_VERSION, Inquiry
from superbiz.graph.domain.tasks import PlanTask
from superbiz.graph.domain.times import to_utc
from superbiz.graph.errors import QuestionError
from superbiz.graph.ports import Ports
from superbiz.graph.state import DiagnosisState, StateUpdate

MAX_QUESTION = 8_000
"""Characters. A longer one is a document: it belongs into the evidence directory."""


async def planner(state: DiagnosisState, runtime: Runtime[Context]) -> StateUpdate:
    """A plan for the round; at the start of a turn everything that belongs to a turn is reset (vocabulary: turn)."""
    ports = ports_of(runtime)
    opened: StateUpdate = {}
    # `question` lives for one step only, so it is here when a person asked and gone when `retry_router` sent us back.
    if (question := state.get("question")) is not None:
        opened = _opened(await _open_turn(question, state, session_of(runtime), ports))
    inquiry = opened.get("inquiry") or state["inquiry"]
    round = opened.get("round") or state["round"]
    task = PlanTask(
        inquiry=inquiry,
        round=round,
        catalog=await ports.evidence.catalog(),
        retry_context=None if opened else state.get("retry_context"),
    )
    plan = await ports.roles.planner.plan(task)
    return {**opened, "plan": plan}


def check_question(question: str) -> str:
    """The question without outer space. Raises QuestionError when it is empty or over `MAX_QUESTION`."""
    text = question.strip()
    if not text:
        raise QuestionError("the question is empty: say what is wrong, where, and since when")
    if len(text) > MAX_QUESTION:
        raise QuestionError(
            "the question has {length} characters, at most {limit} are taken: "
            "ask in a few sentences and put long material into the evidence directory",
            length=len(text),
            limit=MAX_QUESTION,
        )
    return text


async def _open_turn(question: str, state: DiagnosisState, session: SessionId, ports: Ports) -> Inquiry:
    before = state.get("inquiry")
    inquiry = Inquiry(
        session_id=session,
        turn=1 if before is None else before.turn + 1,
        original_query=check_question(question),
        language=state.get("language") or ports.language,
        as_of=to_utc(state.get("as_of") or ports.evidence.as_of() or ports.clock.now()),
        window=Window(since=_utc_or_none(state.get("since")), until=_utc_or_none(state.get("until"))),
        evidence=ports.evidence.location,
    )
    await ports.store.open_turn(inquiry, ports.clock.now())
    return inquiry


def _opened(inquiry: Inquiry) -> StateUpdate:
    return {
        "record_version": RECORD_VERSION,
        "inquiry": inquiry,
        "round": 1,
        "invocation_ids": (),
        "executor_final_answer": "",
        "verification": None,
        "retry_context": None,
        "carried_claims": (),
        "carried_facts": (),
        "route": None,
        "answer": None,
    }


def _utc_or_none(moment: datetime | None) -> datetime | None:
    return None if moment is None else to_utc(moment)
