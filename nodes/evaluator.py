"""The evaluator node: scores the evidence by rules, from the rows alone, beside the Verifier (P3)."""

import json

from langgraph.runtime import Runtime

from superbiz.graph.context import Context, ports_of
from superbiz.graph.domain.base import JsonObject
from superbiz.graph.reducers import stamped
from superbiz.graph.state import DiagnosisState, StateUpdate
from superbiz.nodes.scoring import score_rows


async def evaluator(state: DiagnosisState, runtime: Runtime[Context]) -> StateUpdate:
    """Write the channel `rule_evaluation`, to the database and to the state. Running it again changes nothing."""
    ports, inquiry = ports_of(runtime), state["inquiry"]
    rows = await ports.store.invocations(inquiry.session_id, state["invocation_ids"])
    fields: JsonObject = json.loads(score_rows(rows).model_dump_json())
    patch: JsonObject = {"rule_evaluation": stamped(inquiry.turn, state["round"], 0, fields)}
    await ports.store.merge_evaluation(inquiry, patch, ports.clock.now())
    return {"self_evaluation": patch}
