"""The contract of the store port: sessions and their turns."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from superbiz.graph.domain.answer import Answer, ComposerOutput, TurnStatus, Usage
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.session import RECORD_VERSION, Inquiry, Session, SessionStatus, Turn, TurnEnd
from superbiz.graph.domain.verdict import Verdict
from superbiz.graph.ports import Store
from superbiz.store.open import open_store, sqlite_path

Ask = Callable[..., Inquiry]
S1 = SessionId("s1")
END = TurnEnd(
    verdict=Verdict.LOW_CONFID,
    groundedness_score=0.5,
    rounds=2,
    answer=Answer(
        status=TurnStatus.ANSWERED,
        text="线索有限\x00",
        material=None,
        composer_output=ComposerOutput(mode="template", form="low_confid", reason="no_model"),
    ),
    usage=Usage(tool_calls=3, input_tokens=7),
)


async def test_a_session_opens_with_its_first_turn(store: Store, ask: Ask, now: datetime) -> None:
    assert await store.session(S1) is None
    assert await store.turn(S1) is None
    assert await store.turns(S1) == ()
    await store.open_turn(ask(), now)
    assert await store.session(S1) == Session(
        session_id=S1, title="billing-api 为什么报错？", language=ask().language, created_at=now, updated_at=now
    )
    assert await store.turn(S1, 1) == Turn(inquiry=ask(), created_at=now, updated_at=now)


async def test_a_new_session_is_open_and_of_this_version(store: Store, ask: Ask, now: datetime) -> None:
    await store.open_turn(ask(question="why " * 50), now)
    session = await store.session(S1)
    assert session is not None
    assert (session.status, session.record_version) == (SessionStatus.OPEN, RECORD_VERSION)
    assert len(session.title) == 80
    assert session.title.endswith("…")


async def test_opening_a_turn_that_exists_changes_nothing(store: Store, ask: Ask, now: datetime) -> None:
    await store.open_turn(ask(), now)
    before = await store.session(S1), await store.turns(S1)
    await store.open_turn(ask(question="another"), now + timedelta(hours=1))
    assert (await store.session(S1), await store.turns(S1)) == before


async def test_turns_come_first_to_last_and_the_latest_is_the_default(store: Store, ask: Ask, now: datetime) -> None:
    for number in (2, 1, 10):
        await store.open_turn(ask(number, question=f"q{number}"), now)
    await store.open_turn(ask(99, session="s2"), now)
    assert [turn.inquiry.original_query for turn in await store.turns(S1)] == ["q1", "q2", "q10"]
    latest = await store.turn(S1)
    assert latest is not None
    assert latest.inquiry == ask(10, question="q10")
    assert await store.turn(S1, 3) is None


async def test_a_time_of_another_zone_is_the_same_moment(store: Store, ask: Ask, now: datetime) -> None:
    inquiry = ask().model_copy(update={"as_of": now.astimezone(timezone(timedelta(hours=8)))})
    await store.open_turn(inquiry, now)
    turn = await store.turn(S1)
    assert turn is not None
    assert turn.inquiry == ask()
    assert turn.inquiry.as_of.tzinfo == UTC


async def test_a_time_without_a_zone_is_refused(store: Store, ask: Ask, now: datetime) -> None:
    with pytest.raises(ValueError, match="no zone"):
        await store.open_turn(ask(), now.replace(tzinfo=None))


async def test_the_end_of_a_turn_comes_back(store: Store, ask: Ask, now: datetime) -> None:
    later = now + timedelta(minutes=1)
    await store.open_turn(ask(), now)
    await store.end_turn(ask(), END, later)
    answer = END.answer.model_copy(update={"text": "线索有限\u2400"})
    assert await store.turn(S1) == Turn(
        inquiry=ask(),
        status=TurnStatus.ANSWERED,
        verdict=Verdict.LOW_CONFID,
        groundedness_score=0.5,
        rounds=2,
        answer=answer,
        usage=END.usage,
        created_at=now,
        updated_at=later,
    )


async def test_only_a_running_turn_is_interrupted(store: Store, ask: Ask, now: datetime) -> None:
    for number in (1, 2):
        await store.open_turn(ask(number), now)
    await store.end_turn(ask(1), END, now)
    for number in (1, 2):
        await store.interrupt_turn(ask(number), now)
    assert [turn.status for turn in await store.turns(S1)] == [TurnStatus.ANSWERED, TurnStatus.INTERRUPTED]
    await store.end_turn(ask(2), END, now)
    assert [turn.status for turn in await store.turns(S1)] == [TurnStatus.ANSWERED, TurnStatus.ANSWERED]


@pytest.mark.parametrize("url", ["memory:", "memory://"])
async def test_memory_is_gone_at_the_end(url: str, ask: Ask, now: datetime) -> None:
    assert sqlite_path(url) == ":memory:"
    for _ in range(2):
        async with open_store(url) as store:
            assert await store.turns(S1) == ()
            await store.open_turn(ask(), now)
