"""The verifier node: explicit inputs, rows from the store, a judge's proposal when there is one, the record kept."""

import json

from langgraph.runtime import Runtime

from superbiz.graph.context import Context, ports_of
from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.session import RECORD_VERSION
from superbiz.graph.domain.tasks import VerifierInput
from superbiz.graph.domain.verdict import CheckedFact
from superbiz.graph.ports import Ports
from superbiz.graph.reducers import stamped
from superbiz.graph.state import DiagnosisState, StateUpdate
from superbiz.nodes.verify.check import Checked, check, check_again
from superbiz.nodes.verify.contract import parse_contract, without_reasoning
from superbiz.nodes.verify.facts import Fact

TRACEABILITY_VERSION = "1"


async def verifier(state: DiagnosisState, runtime: Runtime[Context]) -> StateUpdate:
    """Label every fact and write `verifier_evaluation` before anything is composed (P2)."""
    ports, inquiry = ports_of(runtime), state["inquiry"]
    rows = await ports.store.invocations(inquiry.session_id, state["invocation_ids"])
    given = verifier_input(state)
    reply = await ports.roles.judge.judge(given) if ports.roles.judge is not None else None
    checked = check(given, rows, reply)
    carried = _carried(state, rows)
    channel = _channel(state, given, checked, carried, reply)
    await _persist(ports, state, channel)
    return {
        "verification": checked.result,
        "carried_facts": carried,
        "self_evaluation": {"verifier_evaluation": channel},
    }


def verifier_input(state: DiagnosisState) -> VerifierInput:
    """The input blocks, and nothing else of the state (I1, I2)."""
    text = state["executor_final_answer"]
    parsed = parse_contract(text)
    return VerifierInput(
        original_query=state["inquiry"].original_query,
        executor_final_answer=without_reasoning(text),
        tool_trace_summary=state["tool_trace_summary"],
        executor_structured_output=parsed.contract,
        executor_output_parse_status=parsed.status,
        retry_context=state.get("retry_context"),
    )


def _carried(state: DiagnosisState, rows: tuple[Invocation, ...]) -> tuple[CheckedFact, ...]:
    facts = tuple(Fact(text=claim.claim_text, claim=claim) for claim in state.get("carried_claims", ()))
    return check_again(facts, rows, state["inquiry"].original_query, state["tool_trace_summary"])


async def _persist(ports: Ports, state: DiagnosisState, channel: JsonObject) -> None:
    patch: JsonObject = {"verifier_evaluation": channel}
    await ports.store.merge_evaluation(state["inquiry"], patch, ports.clock.now())


def _channel(
    state: DiagnosisState, given: VerifierInput, checked: Checked, carried: tuple[CheckedFact, ...], reply: str | None
) -> JsonObject:
    """The fields of `verifier_evaluation` (P2). Each round has a field of its own, so that both rounds stay."""
    result: JsonObject = json.loads(checked.result.model_dump_json())
    structured = given.executor_structured_output
    fields: JsonObject = {
        **result,
        "executor_final_answer": state["executor_final_answer"],
        "executor_structured_output": None if structured is None else json.loads(structured.model_dump_json()),
        "executor_output_parse_status": json.loads(given.executor_output_parse_status.model_dump_json()),
        "tool_trace_summary": json.loads(given.tool_trace_summary.model_dump_json()),
        "gatekeeper_result": json.loads(checked.gatekeeper.model_dump_json()),
        "judge_reply": reply,
        "prompt_fingerprint": None,
        "traceability_version": TRACEABILITY_VERSION,
        "record_version": RECORD_VERSION,
        "round": state["round"],
        "carried_facts": [json.loads(fact.model_dump_json()) for fact in carried],
        f"round_{state['round']}": {**_round(result), "plan": json.loads(state["plan"].model_dump_json())},
    }
    return stamped(state["inquiry"].turn, state["round"], 0, fields)


def _round(result: JsonObject) -> JsonObject:
    return {
        name: result[name]
        for name in ("verdict", "groundedness_score", "critical_fact_count", "facts_checked", "claim_checks")
    }
