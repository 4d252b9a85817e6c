"""The checkpointer: every type of the state comes back from a checkpoint, and no other type does (P4)."""

import enum
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, ChannelVersions, empty_checkpoint
from pydantic import BaseModel

from superbiz.graph.domain.answer import Answer, Citation, ComposerOutput, Dropped, Finding, Material, TurnStatus
from superbiz.graph.domain.contract import Binding, Claim, ClaimType, SourceType, SupportLevel
from superbiz.graph.domain.evidence import Status, ToolOutput
from superbiz.graph.domain.ids import ClaimId, InvocationId, TraceRef
from superbiz.graph.domain.plan import EvidenceGap, Plan, RetryContext, ToolCall, Window
from superbiz.graph.domain.record import EvidenceLevel, ToolTraceSummary, TraceEntry
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.domain.verdict import CheckedFact, ClaimCheck, EvidenceRef, Label, Verdict, VerifierResult
from superbiz.graph.state import DiagnosisState
from superbiz.store.checkpoints import open_checkpointer, serializer, state_types
from support.rows import START

ValueT = TypeVar("ValueT")
INV = InvocationId("inv-000000000001")
REF = EvidenceRef(trace_ref=TraceRef("T1"), source_invocation_ids=(INV,), excerpt="支付 timeout\x00")
GAP = EvidenceGap(subject="billing-api", attribute="cause", reason="no_evidence")
CALL = ToolCall(tool_name="query_logs", arguments={"source": "a.log", "limit": 5, "levels": ["ERROR", None]})
FINDING = Finding(
    claim_id=ClaimId("c1"), text="5 timeouts", is_cause=False, evidence_refs=(REF,),
    citations=(Citation(source="a.log", place="L12", query="timeout"),),
)  # fmt: skip
FACT = CheckedFact(
    fact="5 timeouts", is_critical=True, verification=Label.DIRECT, detail="found", evidence_refs=(REF,),
    floor=Label.NONE, ceiling=Label.DIRECT,
)  # fmt: skip
CHECK = ClaimCheck(claim_id=ClaimId("c1"), verification=Label.DIRECT, bindings_valid=True)
VERIFICATION = VerifierResult(
    verdict=Verdict.PASS, groundedness_score=1.0, critical_fact_count=1, facts_checked=(FACT,),
    claim_checks=(CHECK,), rationale="all found",
)  # fmt: skip
BINDING = Binding(source_type=SourceType.LOG, tool_name="query_logs", evidence_excerpt="timeout")
CLAIM = Claim(
    claim_id=ClaimId("c1"), claim_type=ClaimType.LOG_EVENT, claim_text="5 timeouts",
    support_level=SupportLevel.DIRECT, evidence_bindings=(BINDING,),
)  # fmt: skip
ENTRY = TraceEntry(
    trace_ref=TraceRef("T1"), source_invocation_ids=(INV,), tool_name="query_logs", round=1, success=True,
    status=Status.OK, input_summary="a.log", output_summary="5 lines", evidence_level=EvidenceLevel.DIRECT,
)  # fmt: skip
MATERIAL = Material(
    verdict=Verdict.PASS, groundedness_score=1.0, confirmed=(FINDING,), gaps=(GAP,),
    dropped=(Dropped(kind="claim", text="disk", why="no_evidence"),),
)  # fmt: skip
ANSWER = Answer(
    status=TurnStatus.ANSWERED, text="5 次超时", material=MATERIAL,
    composer_output=ComposerOutput(mode="template", form="pass", reason="no_model"),
)  # fmt: skip
MODELS: list[BaseModel] = [
    Window(since=START), CALL, Plan(calls=(CALL,), window=Window(until=START)), GAP,
    RetryContext(gaps=(GAP,), queried=(CALL,), score=0.25), REF, FACT, CHECK, VERIFICATION, BINDING, CLAIM, ENTRY,
    ToolTraceSummary(entries=(ENTRY,)), *FINDING.citations, FINDING, *MATERIAL.dropped, MATERIAL,
    ANSWER.composer_output, ANSWER,
]  # fmt: skip


class Foreign(BaseModel):
    """Not of the state."""

    text: str


def again(value: ValueT) -> ValueT:
    """Through a checkpoint's bytes and back."""
    kept = serializer()
    found: ValueT = kept.loads_typed(kept.dumps_typed(value))
    return found


@pytest.fixture
def samples(ask: Callable[..., Inquiry]) -> list[object]:
    """One value at least of every type of the state."""
    members = [member for kind in state_types() if issubclass(kind, enum.Enum) for member in kind]
    return [ask(), *MODELS, *members]


def test_every_type_of_the_state_comes_back(samples: list[object]) -> None:
    assert {type(sample) for sample in samples} == set(state_types())
    for sample in samples:
        assert again(sample) == sample
        assert type(again(sample)) is type(sample)


def test_tuples_and_times_of_the_state_come_back() -> None:
    found = again(DiagnosisState(carried_claims=(CLAIM,), as_of=START, invocation_ids=(INV,), retry_context=None))
    assert list(found["carried_claims"]) == [CLAIM]
    assert list(found["invocation_ids"]) == [INV]
    assert found["as_of"] == START
    assert found["retry_context"] is None


@pytest.mark.parametrize("foreign", [Foreign(text="a"), ToolOutput(status=Status.OK)], ids=["model", "document"])
def test_a_foreign_type_is_not_brought_to_life(foreign: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even when the environment asks LangGraph to be lenient; documents have no place in a checkpoint."""
    monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", "false")
    assert type(again(foreign)) is not type(foreign)
    assert type(again({"plan": [foreign]})["plan"][0]) is not type(foreign)


@pytest.mark.requirement("P4")
async def test_a_checkpoint_outlives_its_process(path: Path, now: datetime, ask: Callable[..., Inquiry]) -> None:
    """Another checkpointer over the file reads what one wrote; one in memory keeps nothing."""
    state: DiagnosisState = {"inquiry": ask(), "answer": ANSWER, "self_evaluation": {"rule_evaluation": {"score": 1}}}
    for url, kept in ((f"sqlite:///{path}", dict(state)), ("memory:", None)):
        async with open_checkpointer(url) as saver:
            await put(saver, dict(state))
        async with open_checkpointer(url) as saver:
            found = await saver.aget({"configurable": {"thread_id": "s1"}})
        assert (None if found is None else found["channel_values"]) == kept


async def put(saver: BaseCheckpointSaver[Any], values: dict[str, Any]) -> None:
    checkpoint = empty_checkpoint()
    versions: ChannelVersions = dict.fromkeys(values, 1)
    checkpoint["channel_values"], checkpoint["channel_versions"] = values, versions
    config: RunnableConfig = {"configurable": {"thread_id": "s1", "checkpoint_ns": ""}}
    await saver.aput(config, checkpoint, {"source": "loop", "step": 1}, versions)
