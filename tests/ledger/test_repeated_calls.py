"""What was asked or found already is not asked or counted again, and every call has an id of its own."""

from superbiz.graph.domain.evidence import Status
from superbiz.graph.domain.ids import InvocationId, SessionId
from superbiz.graph.domain.plan import ToolCall
from superbiz.graph.errors import ToolError
from superbiz.graph.ports import Budgets
from support.kiln import ORIGIN, KilnStore, KilnTool, ask, chunks, opened, raising


async def test_the_same_query_again_refers_to_the_first_and_does_not_run() -> None:
    tool = KilnTool()
    ledger = opened(tool)
    first = await ledger.call(ask("a"))
    again, third = await ledger.call(ask("a")), await ledger.call(ask("a"))

    assert {again.deduped_of, third.deduped_of} == {first.invocation_id}
    assert (again.status, again.success, again.output) == (Status.OK, True, None)
    assert len({first.invocation_id, again.invocation_id, third.invocation_id}) == 3
    assert tool.runs == ["a"]


async def test_a_query_of_round_one_is_not_run_again_in_round_two() -> None:
    tool = KilnTool()
    first = await opened(tool).call(ask())
    second = await opened(tool, origin=ORIGIN.model_copy(update={"round": 2}), earlier=(first,)).call(ask())

    assert (second.deduped_of, tool.runs) == (first.invocation_id, ["hot"])


async def test_a_query_that_failed_is_run_again() -> None:
    tool = KilnTool(raising(ToolError("unreadable", "soot")))
    ledger = opened(tool)
    rows = [await ledger.call(ask()), await ledger.call(ask())]

    assert [(row.success, row.deduped) for row in rows] == [(False, False)] * 2
    assert tool.runs == ["hot", "hot"]


async def test_only_a_look_up_without_a_new_chunk_repeats_another() -> None:
    ledger = opened(KilnTool(chunks))
    rows = [await ledger.call(ask(names)) for names in ("ab", "ba", "bc", "ac", "d", "")]
    ids = [row.invocation_id for row in rows]

    # The fourth has nothing new only since the third.
    assert [row.deduped_of for row in rows] == [None, ids[0], None, ids[2], None, None]
    assert all(row.output is not None for row in rows)


async def _id(call: ToolCall | None = None, *, before: int = 0, branch: int = 0, **where: object) -> InvocationId:
    ledger = opened(KilnTool(), origin=ORIGIN.model_copy(update=where), branch=branch)
    for number in range(before):
        await ledger.call(ask(f"earlier {number}"))
    return (await ledger.call(call or ask())).invocation_id


async def test_an_id_is_the_same_for_the_same_call_of_the_same_task() -> None:
    ordered = ToolCall(tool_name="query_kiln", arguments={"text": "a", "glow": 1})
    turned = ToolCall(tool_name="query_kiln", arguments={"glow": 1, "text": "a"})

    assert await _id() == await _id() == await _id(attempt=2)
    assert await _id(ordered) == await _id(turned)


async def test_an_id_is_another_anywhere_else() -> None:
    """Another task of the same turn and round, a fork, has another branch."""
    elsewhere = [
        await _id(),
        await _id(ask("cold")),
        await _id(ask(tool="query_oven")),
        await _id(before=1),
        await _id(branch=1),
        await _id(round=2),
        await _id(turn=2),
        await _id(session_id=SessionId("s2")),
    ]

    assert len(set(elsewhere)) == len(elsewhere)
    assert all(len(id) == len("inv-") + 12 for id in elsewhere)


async def test_a_finished_row_comes_back_and_is_not_run_again() -> None:
    store, tool = KilnStore(), KilnTool()
    rows = [await opened(tool, store).call(ask())]
    resumed = opened(tool, store, budgets=Budgets(calls_per_round=1))
    rows.append(await resumed.call(ask()))

    assert rows[0] == rows[1]
    assert (tool.runs, resumed.ids) == (["hot"], [rows[0].invocation_id])
