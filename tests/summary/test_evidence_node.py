"""The evidence node: rows from the store, quotes from the contract, nothing from what was said (T1, T7)."""

import json

import pytest
from langgraph.runtime import Runtime

from superbiz.graph.context import Context
from superbiz.graph.domain.contract import Binding, Claim, ClaimType, SourceType, SupportLevel
from superbiz.graph.domain.ids import ClaimId, InvocationId, SessionId
from superbiz.graph.domain.plan import Language
from superbiz.graph.domain.record import TraceEntry
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.state import DiagnosisState
from superbiz.nodes.evidence import evidence
from support.row_store import RowStore
from support.rows import START, make_event, make_output, make_row
from support.script import contract, scripted_ports

INQUIRY = Inquiry(
    session_id=SessionId("s1"),
    turn=1,
    original_query="why is billing down",
    language=Language.ZH,
    as_of=START,
    evidence="here",
)
LONG = "head " + "a" * 2000 + " ledger-db refused " + "b" * 2000 + " pool-9 drained " + "c" * 2000
ROW = make_row(1, make_output(make_event(41, LONG, "ERROR")))
OTHER_TURN = make_row(2, make_output(make_event(1, "from yesterday")))


async def _entry(text: str, carried: tuple[Claim, ...] = ()) -> TraceEntry:
    store = RowStore((ROW, OTHER_TURN))
    runtime = Runtime(context=Context(scripted_ports(store, [], [])))
    state = DiagnosisState(
        inquiry=INQUIRY,
        round=1,
        invocation_ids=(ROW.invocation_id, InvocationId("inv-never-written")),
        executor_final_answer=text,
        carried_claims=carried,
    )
    update = await evidence(state, runtime)
    assert list(update) == ["tool_trace_summary"]
    (entry,) = update["tool_trace_summary"].entries
    assert entry.source_invocation_ids == (ROW.invocation_id,)
    return entry


@pytest.mark.requirement("T1")
async def test_what_the_executor_says_does_not_get_into_the_summary() -> None:
    """Prose, a broken contract or an invented quote change no byte of what the rows gave."""
    silent = await _entry("")
    assert "ledger-db refused" not in silent.output_summary
    assert await _entry("everything is on fire, says oven-7") == silent
    invented = json.loads(contract("oven-7 burns"))
    invented["claims"][0]["evidence_bindings"][0]["evidence_excerpt"] = "oven-7 burns"
    assert await _entry(json.dumps(invented)) == silent


@pytest.mark.requirement("T7")
async def test_what_the_claims_quote_stands_in_the_summary() -> None:
    entry = await _entry(contract("billing-api cannot reach ledger-db"))
    assert "aaa ledger-db refused bbb" in entry.output_summary


@pytest.mark.requirement("T7", "T9")
async def test_so_does_what_a_carried_claim_quotes() -> None:
    """Claims that round one confirmed are checked again in round two, against the same words (R4)."""
    binding = Binding(
        source_type=SourceType.LOG,
        tool_name="query_logs",
        source_invocation_ids=(ROW.invocation_id,),
        evidence_excerpt="pool-9 drained",
    )
    claim = Claim(
        claim_id=ClaimId("c1"),
        claim_type=ClaimType.LOG_EVENT,
        claim_text="pool-9 drained",
        support_level=SupportLevel.DIRECT,
        evidence_bindings=(binding,),
    )
    entry = await _entry(contract("billing-api cannot reach ledger-db"), (claim,))
    assert "ledger-db refused" in entry.output_summary
    assert "pool-9 drained" in entry.output_summary
    assert len(entry.output_summary) < 1200
