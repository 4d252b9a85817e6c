"""The checkpointer: every type of the state comes back from a checkpoint, and no other type does (P4)."""

import enum
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast
from uuid import UUID

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, ChannelVersions, empty_checkpoint
from langgraph.types import Send
from pydantic import BaseModel

from superbiz.graph.build import build_graph
from superbiz.graph.domain.answer import Answer, Citation, ComposerOutput, Dropped, Finding, Material, TurnStatus
from superbiz.graph.domain.contract import Binding, Claim, ClaimType, SourceType, SupportLevel
from superbiz.graph.domain.evidence import Status, ToolOutput
from superbiz.graph.domain.ids import ClaimId, InvocationId, TraceRef
from superbiz.graph.domain.plan import EvidenceGap, Plan, RetryContext, ToolCall, Window
from superbiz.graph.domain.record import EvidenceLevel, ToolTraceSummary, TraceEntry
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.domain.verdict import CheckedFact, ClaimCheck, EvidenceRef, Label, Verdict, VerifierResult
from superbiz.graph.errors import StoreError
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


class Mood(enum.Enum):
    GOOD = "good"


class Pair(NamedTuple):
    left: int
    right: str


class Foreign(BaseModel):
    """Not of the state."""

    text: str


def again(value: ValueT) -> ValueT:
    """Through a checkpoint's bytes and back."""
    kept = serializer()
    return cast(ValueT, kept.loads_typed(kept.dumps_typed(value)))


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


@pytest.mark.parametrize(
    "foreign",
    [Foreign(text="a"), ToolOutput(status=Status.OK), Mood.GOOD, Pair(1, "a")],
    ids=["model", "document", "enumeration", "named tuple"],
)
@pytest.mark.parametrize("strict", ["true", "false"])
def test_a_foreign_type_is_refused_by_name(foreign: object, strict: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the environment asks of LangGraph; documents have no place in a checkpoint (field bugs 23, 24)."""
    monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", strict)
    kind = type(foreign)
    said = rf"^{kind.__module__}\.{kind.__name__} in a checkpoint cannot be read \(there is no such type\)"
    for value in (foreign, {"plan": [foreign]}, {"answer": ANSWER, "carried": (foreign,)}):
        with pytest.raises(StoreError, match=said):
            again(value)


@pytest.mark.parametrize(
    "broken",
    [
        GAP.model_copy(update={"subject": None}),
        VERIFICATION.model_copy(update={"groundedness_score": 7.0}),
    ],
)
def test_a_value_that_does_not_fit_its_type_is_refused(broken: BaseModel) -> None:
    """LangGraph's own serializer would build it without a check."""
    with pytest.raises(StoreError, match=f"{type(broken).__name__} in a checkpoint cannot be read .1 validation error"):
        again({"state": [broken]})


@pytest.mark.parametrize(
    "damage", [lambda body: body[:-1], lambda body: b"\xc1" + body, lambda body: b"\xc7\x01\x05\xc1"]
)
def test_damaged_bytes_are_refused(damage: Callable[[bytes], bytes], ask: Callable[..., Inquiry]) -> None:
    """Cut, prefixed, or an object that is none."""
    form, body = serializer().dumps_typed({"inquiry": ask()})
    with pytest.raises(StoreError, match=r"^a checkpoint cannot be read .*damaged"):
        serializer().loads_typed((form, damage(body)))


PLAIN = [None, b"a", bytearray(b"a"), START, timedelta(1), UUID(int=7), Decimal("0.1"), {1, 2}, frozenset[int]()]


@pytest.mark.parametrize("value", [*PLAIN, Send("planner", {"calls": CALL})], ids=repr)
def test_what_langgraph_itself_needs_comes_back(value: object) -> None:
    assert again(value) == value
    assert type(again(value)) is type(value)


async def test_a_renamed_class_ends_a_resume_readably(path: Path, now: datetime, ask: Callable[..., Inquiry]) -> None:
    """What an older version wrote under a name that is gone: no dict and no None takes its place in the state."""
    async with open_checkpointer(f"sqlite:///{path}") as saver:
        await put(saver, {"inquiry": ask(), "plan": Plan(calls=(CALL,))})
    with closing(sqlite3.connect(path)) as raw, raw:
        for id, body in raw.execute("SELECT rowid, checkpoint FROM checkpoints").fetchall():
            raw.execute(
                "UPDATE checkpoints SET checkpoint = ? WHERE rowid = ?", (body.replace(b"Inquiry", b"Request"), id)
            )
    async with open_checkpointer(f"sqlite:///{path}") as saver:
        graph = build_graph().compile(checkpointer=saver)
        with pytest.raises(StoreError, match=r"^superbiz\.graph\.domain\.session\.Request in a checkpoint"):
            await graph.aget_state({"configurable": {"thread_id": "s1"}})


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
