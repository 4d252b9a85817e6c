"""Every call becomes a row, whatever happens to it: budgets, failures, the cap."""

import asyncio

import pytest

from superbiz.graph.domain.evidence import Status
from superbiz.graph.domain.plan import ToolCall
from superbiz.graph.errors import ToolError
from superbiz.graph.ports import Budgets
from support.kiln import ORIGIN, KilnStore, KilnTool, ask, events, opened, raising


async def test_a_row_says_what_was_asked_and_what_came() -> None:
    store = KilnStore()
    row = await opened(KilnTool(), store).call(ask("hot"))

    assert (row.status, row.success, row.error, row.deduped, row.output_cut) == (Status.OK, True, None, False, False)
    assert (row.output, row.source_labels, row.evidence_bearing) == (events("hot"), ("logs/kiln.log",), True)
    assert row.output_bytes == len(events("hot").model_dump_json().encode())
    assert store.kept == {row.invocation_id: row}


async def test_calls_beyond_the_budget_are_rows_and_do_not_run() -> None:
    tool = KilnTool()
    ledger = opened(tool, budgets=Budgets(calls_per_round=2))
    rows = [await ledger.call(ask(text)) for text in ("a", "b", "c", "a")]

    assert [row.error.type if row.error else None for row in rows] == [None, None, "budget", "budget"]
    assert [row.status for row in rows[2:]] == [Status.FAILED] * 2
    assert (tool.runs, ledger.ids) == (["a", "b"], [row.invocation_id for row in rows])


async def test_no_more_calls_run_at_once_than_the_budget_has() -> None:
    tool = KilnTool()
    ledger = opened(tool, budgets=Budgets(concurrent_calls=3))
    rows = await asyncio.gather(*(ledger.call(ask(str(number))) for number in range(9)))

    assert tool.at_once == [0, 3]
    assert ledger.ids == [row.invocation_id for row in rows]


@pytest.mark.parametrize(
    ("tool", "call", "type", "message"),
    [
        (KilnTool(hang=True), ask(), "timeout", "no answer in 0.01 s"),
        (KilnTool(), ask(7), "bad_arguments", "query_kiln does not take this text: Input should be a valid string"),
        (KilnTool(), ask(glow=1), "bad_arguments", "query_kiln does not take this glow: Extra inputs are not"),
        (KilnTool(), ask(tool="query_oven"), "unknown_tool", "no tool is named 'query_oven'; there are: query_kiln"),
        (KilnTool(raising(ToolError("binary", "no\x00 text"))), ask(), "binary", "no\u2400 text"),
        (KilnTool(raising(KeyError("bricks"))), ask(), "internal", "KeyError: 'bricks'"),
        (KilnTool(raising(ValueError("x" * 9000))), ask(), "internal", "ValueError: " + "x" * 488),
    ],
)
async def test_a_call_that_fails_is_a_row_and_the_next_one_runs(
    tool: KilnTool, call: ToolCall, type: str, message: str
) -> None:
    ledger = opened(tool, budgets=Budgets(call_seconds=0.01))
    failed = await ledger.call(call)

    assert (failed.status, failed.success, failed.output) == (Status.FAILED, False, None)
    assert failed.error is not None
    assert failed.error.type == type
    assert failed.error.message.startswith(message)
    assert len(failed.error.message) <= 500
    tool.hang, tool.behaviour = False, None
    assert (await ledger.call(ask())).status is Status.OK


async def test_a_cancelled_call_stays_unfinished_and_runs_when_it_is_made_again() -> None:
    store, tool = KilnStore(), KilnTool(hang=True)
    task = asyncio.create_task(opened(tool, store).call(ask()))
    await tool.started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    (left,) = store.kept.values()
    assert left.success is None
    tool.hang = False
    again = await opened(tool, store, origin=ORIGIN.model_copy(update={"attempt": 2})).call(ask())
    assert (again.invocation_id, again.success, again.attempt) == (left.invocation_id, True, 2)


async def test_an_output_over_the_cap_is_cut_from_its_end_and_partial() -> None:
    whole = events(*(f"{number} 窑" * 9 for number in range(50)))
    size = len(whole.model_dump_json().encode())
    exact = await opened(KilnTool(lambda _: whole), budgets=Budgets(output_bytes=size)).call(ask())
    row = await opened(KilnTool(lambda _: whole), budgets=Budgets(output_bytes=size // 2)).call(ask())

    assert (exact.output, exact.output_cut, exact.status) == (whole, False, Status.OK)
    assert (row.output_cut, row.status, row.success) == (True, Status.PARTIAL, True)
    assert row.output is not None
    assert 20 <= len(row.output.records) < 30
    assert row.output.records == whole.records[: len(row.output.records)]
    assert (row.output.status, row.output.scope.complete) == (Status.PARTIAL, False)
    assert row.output_bytes == len(row.output.model_dump_json().encode())
