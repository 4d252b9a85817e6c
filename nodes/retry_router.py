"""The retry_router node: writes the route, advances the round, tells round two what was missing (R3, R6)."""

from langgraph.runtime import Runtime

from superbiz.graph.context import Context, ports_of
from superbiz.graph.domain.contract import Claim
from superbiz.graph.domain.ids import ClaimId
from superbiz.graph.domain.plan import RetryContext, ToolCall
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.verdict import Label, VerifierResult
from superbiz.graph.routing import Route, choose_route
from superbiz.graph.state import DiagnosisState, StateUpdate
from superbiz.nodes.compose.gaps import evidence_gaps
from superbiz.nodes.verify.contract import parse_contract
from superbiz.nodes.verify.match import Evidence


async def retry_router(state: DiagnosisState, runtime: Runtime[Context]) -> StateUpdate:
    """The route of this round. Only here does the round advance, so no reply of any model can cause a third one."""
    ports, verification = ports_of(runtime), state["verification"]
    if verification is None:
        raise RuntimeError("retry_router ran before the verifier: the graph is wired wrongly")
    score = verification.groundedness_score
    route = choose_route(verification.verdict, score, state["round"], ports.budgets.rounds)
    if route is not Route.RETRY:
        return {"route": route}
    rows = await ports.store.invocations(state["inquiry"].session_id, state["invocation_ids"])
    return {
        "route": route,
        "round": state["round"] + 1,
        "retry_context": _context(state, verification, rows),
        "carried_claims": _confirmed(state, verification),
    }


def _context(state: DiagnosisState, verification: VerifierResult, rows: tuple[Invocation, ...]) -> RetryContext:
    queried = tuple(ToolCall(tool_name=row.tool_name, arguments=row.arguments) for row in rows)
    contract = parse_contract(state["executor_final_answer"]).contract
    gaps = evidence_gaps(verification, contract, Evidence(rows, state["inquiry"].original_query))
    return RetryContext(gaps=gaps, queried=queried, score=verification.groundedness_score)


def _confirmed(state: DiagnosisState, verification: VerifierResult) -> tuple[Claim, ...]:
    """Claims that round one confirmed, under names that round two's cannot take (R4)."""
    contract = parse_contract(state["executor_final_answer"]).contract
    if contract is None:
        return ()
    checks = {check.claim_id: check.verification for check in verification.claim_checks}
    return tuple(
        claim.model_copy(update={"claim_id": ClaimId(f"r1:{claim.claim_id}")})
        for claim in contract.claims
        if checks.get(claim.claim_id) is Label.DIRECT
    )
