"""The evaluator node: one channel, written to the database and to the state alike (P1, P3)."""

import json

import pytest
from langgraph.runtime import Runtime
from pydantic import JsonValue

from superbiz.graph.context import Context
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Language
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.reducers import STAMPS, stamped
from superbiz.graph.state import DiagnosisState, StateUpdate
from superbiz.nodes.evaluator import evaluator
from superbiz.nodes.scoring import score_rows
from support.row_store import RowStore
from support.rows import START, make_event, make_output, make_row
from support.script import scripted_ports

INQUIRY = Inquiry(
    session_id=SessionId("s1"),
    turn=2,
    original_query="why is billing down",
    language=Language.ZH,
    as_of=START,
    evidence="here",
)
ROW = make_row(1, make_output(make_event(41, "refused", "ERROR")))


async def _run(store: RowStore) -> StateUpdate:
    state = DiagnosisState(inquiry=INQUIRY, round=1, invocation_ids=(ROW.invocation_id,))
    return await evaluator(state, Runtime(context=Context(scripted_ports(store, [], []))))


def _channel(evaluation: dict[str, JsonValue] | None) -> dict[str, JsonValue]:
    channel = (evaluation or {})["rule_evaluation"]
    assert isinstance(channel, dict)
    return channel


@pytest.mark.requirement("P3")
async def test_the_channel_holds_the_score_with_its_parts_and_weights() -> None:
    store = RowStore((ROW, make_row(2, make_output())))
    update = await _run(store)
    assert list(update) == ["self_evaluation"]
    assert update["self_evaluation"] == store.evaluation
    channel = _channel(store.evaluation)
    assert {name: value for name, value in channel.items() if name != STAMPS} == json.loads(
        score_rows((ROW,)).model_dump_json()
    )
    assert channel[STAMPS]  # a later round's write must win over this one, in whatever order they arrive
    assert store.asked == [("s1", (ROW.invocation_id,))]


@pytest.mark.requirement("P3")
async def test_running_twice_changes_nothing_and_other_channels_stay() -> None:
    """A resumed run meets its own write, and the Verifier's beside it."""
    verdict: dict[str, JsonValue] = {"verifier_evaluation": stamped(2, 1, 0, {"verdict": "PASS"})}
    store = RowStore((ROW,), evaluation=verdict)
    first = await _run(store)
    once = store.evaluation
    assert await _run(store) == first
    assert store.evaluation == once
    assert once is not None
    assert once["verifier_evaluation"] == verdict["verifier_evaluation"]
