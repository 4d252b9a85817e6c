"""How every answering node ends a turn: material, record, answer, in that order; twice is as once."""

from superbiz.graph.domain.answer import Answer, ComposerOutput, Material, TurnStatus, Usage
from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.session import TurnEnd
from superbiz.graph.ports import Ports
from superbiz.graph.reducers import stamped
from superbiz.graph.state import DiagnosisState, StateUpdate
from superbiz.nodes.compose.material import Allowed, allowed_material
from superbiz.nodes.verify.contract import parse_contract


async def material_of(state: DiagnosisState, ports: Ports) -> tuple[Material, int]:
    """The allowed material of the turn, and how many calls it took."""
    verification = state["verification"]
    if verification is None:
        raise RuntimeError("an answer was asked for before the verifier ran: the graph is wired wrongly")
    rows = await ports.store.invocations(state["inquiry"].session_id, state["invocation_ids"])
    given = Allowed(
        inquiry=state["inquiry"],
        verification=verification,
        contract=parse_contract(state["executor_final_answer"]).contract,
        rows=rows,
        carried_claims=state.get("carried_claims", ()),
        carried_facts=state.get("carried_facts", ()),
        retry_context=state.get("retry_context"),
    )
    return allowed_material(given), len(rows)


async def finish(
    state: DiagnosisState, ports: Ports, material: Material, tool_calls: int, *, text: str, made: ComposerOutput
) -> StateUpdate:
    """Persist how the answer was made and the answer, then hand both to the state (P2)."""
    inquiry, now = state["inquiry"], ports.clock.now()
    fields: JsonObject = {
        "composer_output": {
            **made.model_dump(mode="json"),
            "dropped": [dropped.model_dump(mode="json") for dropped in material.dropped],
        }
    }
    patch: JsonObject = {"verifier_evaluation": stamped(inquiry.turn, state["round"], 1, fields)}
    answer = Answer(status=TurnStatus.ANSWERED, text=text, material=material, composer_output=made)
    end = TurnEnd(
        verdict=material.verdict,
        groundedness_score=material.groundedness_score,
        rounds=state["round"],
        answer=answer,
        usage=Usage(tool_calls=tool_calls),
    )
    await ports.store.merge_evaluation(inquiry, patch, now)
    await ports.store.end_turn(inquiry, end, now)
    return {"answer": answer, "self_evaluation": patch}
