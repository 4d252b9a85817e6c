"""What repeats what goes by the order of the calls, whatever runs at once; nothing that a tool returns is a fault."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.evidence import Status, ToolOutput
from superbiz.graph.domain.plan import ToolCall
from superbiz.graph.domain.record import Invocation
from superbiz.graph.ports import Budgets
from support.any_rows import outputs
from support.kiln import ORIGIN, KilnStore, KilnTool, ask, chunks, events, opened
from support.script import Query


@dataclass
class PacedTool(KilnTool):
    """Ends its runs in the order of `pace`, not in that of the calls."""

    pace: list[str] = field(default_factory=list)

    async def run(self, arguments: Query, as_of: datetime) -> ToolOutput:
        for _ in range(3 * self.pace.index(arguments.text)):
            await asyncio.sleep(0)
        return await super().run(arguments, as_of)


async def at_once(
    tool: KilnTool,
    *calls: ToolCall,
    store: KilnStore | None = None,
    slots: int = 4,
    earlier: tuple[Invocation, ...] = (),
) -> list[Invocation]:
    ledger = opened(tool, store, budgets=Budgets(concurrent_calls=slots))
    return await asyncio.gather(*map(ledger.call, calls))


@pytest.mark.parametrize("slots", [1, 2, 4])
async def test_the_same_query_at_once_runs_once_and_the_first_is_the_original(slots: int) -> None:
    tool = KilnTool()
    rows = await at_once(tool, ask("a"), ask("b"), ask("a"), ask("a"), slots=slots)

    assert [row.deduped_of for row in rows] == [None, None, rows[0].invocation_id, rows[0].invocation_id]
    assert sorted(tool.runs) == ["a", "b"]


@pytest.mark.requirement("T8")
@pytest.mark.parametrize("pace", [["ab", "ba", "bc"], ["bc", "ba", "ab"], ["ba", "bc", "ab"]])
async def test_the_first_call_brings_a_chunk_whichever_ends_first(pace: list[str]) -> None:
    rows = await at_once(PacedTool(chunks, pace=pace), ask("ab"), ask("ba"), ask("bc"))

    assert [row.deduped_of for row in rows] == [None, rows[0].invocation_id, None]
    assert all(row.output is not None for row in rows)


async def test_a_query_whose_chunks_were_known_is_not_run_again_either() -> None:
    tool = KilnTool(chunks)
    ledger = opened(tool)
    rows = [await ledger.call(ask(text)) for text in ("ab", "ba", "ba")]

    assert [row.deduped_of for row in rows] == [None, rows[0].invocation_id, rows[0].invocation_id]
    assert tool.runs == ["ab", "ba"]


@pytest.mark.requirement("T8")
async def test_chunks_of_round_one_are_known_in_round_two() -> None:
    first = await opened(KilnTool(chunks)).call(ask("ab"))
    second = opened(KilnTool(chunks), origin=ORIGIN.model_copy(update={"round": 2}), earlier=(first,))

    assert (await second.call(ask("ba"))).deduped_of == first.invocation_id
    assert (await second.call(ask("bc"))).deduped_of is None


@pytest.mark.requirement("P5")
async def test_a_run_that_died_with_some_calls_ended_says_the_same_when_resumed() -> None:
    calls = [ask(text) for text in ("ab", "ba", "bc", "ba", "c")]
    straight = await at_once(KilnTool(chunks), *calls)
    for left_over in range(len(calls)):
        store, tool = KilnStore(), KilnTool(chunks)
        await at_once(KilnTool(chunks), *calls, store=store)
        lost = straight[left_over]
        store.kept[lost.invocation_id] = lost.model_copy(update={"success": None, "status": None, "output": None})

        assert await at_once(tool, *calls, store=store) == straight
        assert len(tool.runs) == (0 if left_over == 3 else 1)


async def test_a_call_that_is_cancelled_holds_up_no_other() -> None:
    tool = KilnTool(hang=True)
    ledger = opened(tool)
    first = asyncio.create_task(ledger.call(ask("a")))
    await tool.started.wait()
    second = asyncio.create_task(ledger.call(ask("a")))
    await asyncio.sleep(0)
    tool.hang = False
    first.cancel()
    row = await second

    assert first.cancelled()
    assert (row.status, row.deduped_of, tool.runs) == (Status.OK, None, ["a", "a"])


class Rude(KilnTool):
    """Returns what no tool may return."""

    async def run(self, arguments: Query, as_of: datetime) -> ToolOutput:
        left: dict[str, object] = {"found": 1, "lone": "\ud800"}
        return left[arguments.text]  # type: ignore[return-value]


@pytest.mark.parametrize("text", ["found", "lone", "none"])
async def test_a_tool_that_returns_no_output_is_a_failed_call(text: str) -> None:
    row = await opened(Rude()).call(ask(text))

    assert (row.status, row.success) == (Status.FAILED, False)
    assert row.error is not None
    assert row.error.type == "internal"


@given(output=outputs(), limit=st.integers(0, 4000))
def test_an_output_is_whole_or_within_the_cap_and_flagged(output: ToolOutput, limit: int) -> None:
    ledger = opened(KilnTool(lambda _: output), budgets=Budgets(output_bytes=limit))
    row = asyncio.run(ledger.call(ask()))
    bare = output.model_copy(update={"records": ()})

    assert row.output is not None
    assert row.output_cut is (len(output.model_dump_json().encode()) > limit)
    if not row.output_cut:
        assert (row.output, row.status) == (output, output.status)
        return
    assert (row.status, row.output.scope.complete) == (Status.PARTIAL, False)
    assert row.output.records == output.records[: len(row.output.records)]
    assert row.output.aggregates == output.aggregates
    assert (row.output_bytes or 0) <= max(limit, len(bare.model_dump_json().encode()) + len("partialfalse"))


async def test_as_many_records_are_kept_as_fit() -> None:
    whole = events(*("x" * 99 for _ in range(9)))
    for kept in range(9):
        part = whole.model_copy(update={"records": whole.records[:kept], "status": Status.PARTIAL})
        scope = whole.scope.model_copy(update={"complete": False})
        limit = len(part.model_copy(update={"scope": scope}).model_dump_json().encode()) + 1
        row = await opened(KilnTool(lambda _: whole), budgets=Budgets(output_bytes=limit)).call(ask())
        assert row.output is not None
        assert len(row.output.records) == kept
