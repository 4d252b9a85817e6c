"""The clarify node: a fixed, fact-free reply that asks for what is missing; no round is spent."""

from langgraph.runtime import Runtime

from superbiz.graph.context import Context, ports_of
from superbiz.graph.domain.answer import Answer, ComposerOutput, TurnStatus, Usage
from superbiz.graph.domain.session import TurnEnd
from superbiz.graph.state import DiagnosisState, StateUpdate
from superbiz.prompts.templates import render


async def clarify(state: DiagnosisState, runtime: Runtime[Context]) -> StateUpdate:
    """Ask back. There is no verdict, for nothing was claimed."""
    ports, inquiry = ports_of(runtime), state["inquiry"]
    made = ComposerOutput(mode="template", form="clarify", reason="the question names nothing to diagnose")
    answer = Answer(
        status=TurnStatus.CLARIFY, text=render(inquiry.language, "clarify"), material=None, composer_output=made
    )
    end = TurnEnd(verdict=None, groundedness_score=None, rounds=0, answer=answer, usage=Usage())
    await ports.store.end_turn(inquiry, end, ports.clock.now())
    return {"answer": answer}
