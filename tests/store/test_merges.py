"""`self_evaluation` in the database: one object of channels, merged under the write lock (P1)."""

import asyncio
import itertools
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.errors import StoreError
from superbiz.graph.ports import Store
from superbiz.graph.reducers import merge_evaluations, stamped
from superbiz.store.rows import storable_json
from support.any_writes import writes

pytestmark = pytest.mark.requirement("P1")

Ask = Callable[..., Inquiry]
S1 = SessionId("s1")
MERGES = 50
SESSIONS = itertools.count()

WRITER = """
import asyncio, sys
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.reducers import stamped
from superbiz.store.open import open_store

async def main(url, name, count):
    async with open_store(url) as store:
        print("ready", flush=True)
        sys.stdin.readline()
        turn = await store.turn(SessionId("s1"), 1)
        for n in range(count):
            own, both = stamped(1, 1, 0, {f"f{n}": n}), stamped(1, 1, 0, {f"{name}{n}": n})
            await store.merge_evaluation(turn.inquiry, {name: own, "both": both}, turn.created_at)

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def fields(channel: JsonValue) -> JsonObject:
    """The channel without its stamps."""
    assert isinstance(channel, dict)
    return {name: value for name, value in channel.items() if name != "_stamps"}


async def evaluations(store: Store) -> tuple[JsonObject | None, list[JsonObject | None]]:
    """The session's, and each turn's."""
    session = await store.session(S1)
    assert session is not None
    return session.self_evaluation, [turn.self_evaluation for turn in await store.turns(S1)]


async def test_null_becomes_an_object_once(store: Store, ask: Ask, now: datetime) -> None:
    """The same patch again changes nothing."""
    patch: JsonObject = {"rule_evaluation": stamped(1, 1, 0, {"score": 0.5})}
    await store.open_turn(ask(), now)
    assert await evaluations(store) == (None, [None])
    for _ in range(2):
        await store.merge_evaluation(ask(), patch, now)
        assert await evaluations(store) == (patch, [patch])


async def test_channels_meet_and_unknown_ones_survive(store: Store, ask: Ask, now: datetime) -> None:
    foreign: JsonObject = {"human_review": {"stars": 4}, "flags": ["a\x00"], "note": "kept"}
    one: JsonObject = {"verifier_evaluation": stamped(1, 1, 0, {"verdict": "PASS"})}
    two: JsonObject = {"verifier_evaluation": stamped(1, 1, 1, {"form": "pass"}), "rule_evaluation": {"score": 1}}
    await store.open_turn(ask(), now)
    for patch in (foreign, one, two):
        await store.merge_evaluation(ask(), patch, now + timedelta(minutes=1))
    merged = merge_evaluations(merge_evaluations({**foreign, "flags": ["a\u2400"]}, one), two)
    assert await evaluations(store) == (merged, [merged])
    assert fields(merged["verifier_evaluation"]) == {"verdict": "PASS", "form": "pass"}
    session = await store.session(S1)
    assert session is not None
    assert session.updated_at == now + timedelta(minutes=1)


async def test_the_session_shows_the_latest_turn_and_earlier_ones_keep_theirs(
    store: Store, ask: Ask, now: datetime
) -> None:
    first: JsonObject = {"rule_evaluation": stamped(1, 1, 0, {"score": 1, "only": True})}
    second: JsonObject = {"rule_evaluation": stamped(2, 1, 0, {"score": 2})}
    for number, patch in ((1, first), (2, second)):
        await store.open_turn(ask(number), now)
        await store.merge_evaluation(ask(number), patch, now)
    assert await evaluations(store) == (second, [first, second])


async def test_a_late_write_of_an_earlier_turn_stays_in_that_turn(store: Store, ask: Ask, now: datetime) -> None:
    second: JsonObject = {"rule_evaluation": stamped(2, 1, 0, {"score": 1})}
    late: JsonObject = {"verifier_evaluation": stamped(1, 2, 1, {"verdict": "REJECT"})}
    for number in (1, 2):
        await store.open_turn(ask(number), now)
    await store.merge_evaluation(ask(2), second, now)
    await store.merge_evaluation(ask(1), late, now)
    assert await evaluations(store) == (second, [late, second])


async def test_a_turn_that_is_not_there_takes_nothing(store: Store, ask: Ask, now: datetime) -> None:
    await store.open_turn(ask(), now)
    with pytest.raises(StoreError, match="session s1 is not in the store"):
        await store.merge_evaluation(ask(2), {"rule_evaluation": {}}, now)
    assert await evaluations(store) == (None, [None])


async def test_a_patch_that_is_no_json_changes_nothing(store: Store, ask: Ask, now: datetime) -> None:
    """And the store is not left in the middle of a transaction."""
    await store.open_turn(ask(), now)
    with pytest.raises(ValueError, match="JSON"):
        await store.merge_evaluation(ask(), {"rule_evaluation": {"score": float("nan")}}, now)
    assert await evaluations(store) == (None, [None])
    good: JsonObject = {"rule_evaluation": {"score": 1}}
    await store.merge_evaluation(ask(), good, now)
    assert await evaluations(store) == (good, [good])


@pytest.mark.requirement("P4")
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given_order=st.lists(writes((1,)), min_size=1, max_size=4), data=st.data())
async def test_the_database_merges_as_the_state_does(
    given_order: list[JsonObject], data: st.DataObject, store: Store, ask: Ask, now: datetime
) -> None:
    """One by one, in whatever order and however often: what it holds is what the reducer makes of all of them."""
    another = data.draw(st.permutations(given_order)) + data.draw(st.lists(st.sampled_from(given_order), max_size=2))
    right: JsonObject = {}
    for patch in given_order:
        right = merge_evaluations(right, patch)
    for order in (given_order, another):
        inquiry = ask(session=f"law-{next(SESSIONS)}")
        await store.open_turn(inquiry, now)
        for patch in order:
            await store.merge_evaluation(inquiry, patch, now)
        session, turn = await store.session(inquiry.session_id), await store.turn(inquiry.session_id)
        assert session is not None
        assert turn is not None
        assert session.self_evaluation == turn.self_evaluation == storable_json(right)


async def test_coroutines_of_one_store_lose_nothing(store: Store, ask: Ask, now: datetime) -> None:
    await store.open_turn(ask(), now)
    patches: list[JsonObject] = [{"c": stamped(1, 1, 0, {f"f{n}": n})} for n in range(MERGES)]
    await asyncio.gather(*(store.merge_evaluation(ask(), patch, now) for patch in patches))
    shown, (kept,) = await evaluations(store)
    assert shown is not None
    assert shown == kept
    assert fields(shown["c"]) == {f"f{n}": n for n in range(MERGES)}


async def test_two_processes_lose_nothing(store: Store, ask: Ask, now: datetime, url: str) -> None:
    """Both merge into their own channel and into one that they share, side by side."""
    await store.open_turn(ask(), now)
    await asyncio.to_thread(run_writers, url)
    shown, (kept,) = await evaluations(store)
    assert shown is not None
    assert shown == kept
    for name in ("a", "b"):
        assert fields(shown[name]) == {f"f{n}": n for n in range(MERGES)}
    assert fields(shown["both"]) == {f"{name}{n}": n for name in ("a", "b") for n in range(MERGES)}


def run_writers(url: str) -> None:
    """Starts both when both have opened the store, and waits for their end."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, url, name, str(MERGES)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for name in ("a", "b")
    ]  # fmt: skip
    try:
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in running:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        ends = [(process.communicate(timeout=60)[1], process.returncode) for process in running]
    finally:
        for process in running:
            process.kill()
    assert ends == [("", 0)] * 2
