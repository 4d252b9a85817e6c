"""The evidence node: turns this turn's rows into the summary that the Verifier is given (T1, T9)."""

import asyncio

from langgraph.runtime import Runtime

from superbiz.graph.context import Context, ports_of
from superbiz.graph.state import DiagnosisState, StateUpdate
from superbiz.nodes.summary import summarise
from superbiz.nodes.verify.contract import parse_contract


async def evidence(state: DiagnosisState, runtime: Runtime[Context]) -> StateUpdate:
    """Write `tool_trace_summary` from the rows in the store; what the claims quote stands in it (T7)."""
    ports, inquiry = ports_of(runtime), state["inquiry"]
    rows = await ports.store.invocations(inquiry.session_id, state["invocation_ids"])
    # Rows may hold megabytes: on a thread, so that the event loop serves others meanwhile.
    summary = await asyncio.to_thread(summarise, rows, inquiry.original_query, _excerpts(state), ports.budgets)
    return {"tool_trace_summary": summary}


def _excerpts(state: DiagnosisState) -> tuple[str, ...]:
    """Quotes of this round's claims, then of those carried from round one."""
    contract = parse_contract(state["executor_final_answer"]).contract
    claims = (*(contract.claims if contract else ()), *state.get("carried_claims", ()))
    return tuple(dict.fromkeys(binding.evidence_excerpt for claim in claims for binding in claim.evidence_bindings))
