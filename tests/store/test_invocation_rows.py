"""The contract of the store port: branch numbers, and a row for every call."""

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings

from superbiz.graph.domain.evidence import Sample, Series, Status, ToolOutput
from superbiz.graph.domain.ids import InvocationId, SessionId, TaskId
from superbiz.graph.domain.record import Invocation, Origin
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.errors import StoreError
from superbiz.graph.ports import Store
from support.any_rows import outputs
from support.rows import START, make_event, make_output, make_row

Ask = Callable[..., Inquiry]
S1 = SessionId("s1")


def started(number: int, *, round: int = 1, branch: int = 0, attempt: int = 1) -> Invocation:
    return make_row(number, status=None, round=round).model_copy(update={"branch": branch, "attempt": attempt})


def finished(row: Invocation, output: ToolOutput) -> Invocation:
    """The row as the ledger leaves it: the hash is taken of the output's JSON."""
    body = output.model_dump_json().encode()
    values = {"status": output.status, "success": True, "output": output, "duration_ms": 12}
    return row.model_copy(update={**values, "output_sha256": sha256(body).hexdigest(), "output_bytes": len(body)})


@pytest.mark.requirement("P5")
async def test_a_task_keeps_its_branch_and_another_gets_the_next(store: Store, ask: Ask, now: datetime) -> None:
    await store.open_turn(ask(), now)
    tasks = [("a", 1), ("b", 1), ("a", 1), ("a", 2), ("c", 1), ("b", 1)]
    origins = [Origin(session_id=S1, turn=1, round=round, task_id=TaskId(task)) for task, round in tasks]
    assert [await store.branch(origin) for origin in origins] == [0, 1, 0, 0, 2, 1]
    assert await store.branch(origins[1].model_copy(update={"attempt": 2})) == 1


@pytest.mark.requirement("P5")
async def test_a_call_that_starts_again_keeps_one_row(store: Store, ask: Ask, now: datetime) -> None:
    await store.open_turn(ask(), now)
    again = started(1, attempt=2).model_copy(update={"started_at": START + timedelta(minutes=5)})
    for row in (started(1), again):
        assert await store.begin(row) == row
    assert await store.turn_invocations(S1, 1) == (again,)


@pytest.mark.requirement("P5")
async def test_a_finished_call_is_not_run_or_written_again(store: Store, ask: Ask, now: datetime) -> None:
    await store.open_turn(ask(), now)
    done = finished(await store.begin(started(1)), make_output(make_event(1, "first")))
    await store.finish(done)
    await store.finish(finished(started(1), make_output(make_event(2, "second"))))
    assert await store.begin(started(1, attempt=2)) == done
    assert await store.turn_invocations(S1, 1) == (done,)


async def test_a_failed_call_keeps_its_reason(store: Store, ask: Ask, now: datetime) -> None:
    await store.open_turn(ask(), now)
    failed = make_row(1, status=Status.FAILED)
    await store.begin(started(1))
    await store.finish(failed)
    assert await store.begin(started(1)) == failed


async def test_rows_come_in_the_order_of_the_calls(store: Store, ask: Ask, now: datetime) -> None:
    """Round, then branch, then which began first; a restart does not move a row."""
    await store.open_turn(ask(), now)
    second, fork = started(5, round=2), started(4, branch=1)
    for row in (second, fork, started(9), started(3), started(9)):
        await store.begin(row)
    assert await store.turn_invocations(S1, 1) == (started(9), started(3), fork, second)
    assert await store.turn_invocations(S1, 2) == ()


async def test_rows_are_found_by_id_in_the_order_asked_for(store: Store, ask: Ask, now: datetime) -> None:
    await store.open_turn(ask(), now)
    one, two = started(1), started(2)
    for row in (one, two):
        await store.begin(row)
    ids = (two.invocation_id, InvocationId("inv-none"), one.invocation_id)
    assert await store.invocations(S1, ids) == (two, one)
    assert await store.invocations(SessionId("s2"), ids) == ()


async def test_a_call_of_no_turn_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="FOREIGN KEY"):
        await store.begin(started(1))


@pytest.mark.requirement("P5")
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(output=outputs())
async def test_any_output_comes_back_byte_for_byte(output: ToolOutput, store: Store, ask: Ask, now: datetime) -> None:
    """What the hash was taken of, whatever a tool returned."""
    await store.open_turn(ask(), now)
    number = len(await store.turn_invocations(S1, 1))
    done = finished(await store.begin(started(number)), output)
    await store.finish(done)
    (found,) = await store.invocations(S1, (done.invocation_id,))
    assert found == done
    assert found.output is not None
    assert sha256(found.output.model_dump_json().encode()).hexdigest() == found.output_sha256


async def test_special_values_and_nul_bytes_come_back(store: Store, ask: Ask, now: datetime) -> None:
    """Samples are texts, so NaN and +Inf are what they were; a NUL byte in an output is as good as any other."""
    sample = Sample(time=START, value="NaN")
    series = Series(
        source="m.json", metric="up", labels={"job": "支付"}, count=1, special=1,
        first=sample, last=sample, minimum=None, maximum=None, text='{"value": "+Inf"}',
    )  # fmt: skip
    await store.open_turn(ask(), now)
    done = finished(await store.begin(started(1)), make_output(make_event(1, "a\x00b \\u0000 ␀"), series))
    await store.finish(done)
    assert await store.turn_invocations(S1, 1) == (done,)


async def test_a_lone_surrogate_is_shown_wherever_it_stands(store: Store, ask: Ask, now: datetime) -> None:
    await store.open_turn(ask(question="why \ud800\x00?"), now)
    row = started(1).model_copy(update={"tool_name": "t\ud800", "arguments": {"k\x00": ["v\udfff", 1, None]}})
    output = make_output(make_event(1, "a\ud800b\x00c"))
    await store.begin(row)
    await store.finish(row.model_copy(update={"status": Status.OK, "success": True, "output": output}))
    (found,) = await store.turn_invocations(S1, 1)
    assert (found.tool_name, found.arguments) == ("t\ufffd", {"k\u2400": ["v\ufffd", 1, None]})
    assert found.output is not None
    assert found.output.records[0].text == "a\ufffdb\u2400c"
    turn = await store.turn(S1)
    assert turn is not None
    assert turn.inquiry.original_query == "why \ufffd\u2400?"
