"""The deterministic planner: which queries a round makes."""

from datetime import UTC, datetime

import pytest

from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import EvidenceGap, Language, Plan, RetryContext, ToolCall, Window
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.domain.tasks import Catalog, PlanTask
from superbiz.nodes.ledger import call_key
from superbiz.nodes.planning.role import LOG_CALLS, RETRY_CALLS, DeterministicPlanner

NOW = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
CATALOG = Catalog(
    logs=("logs/billing.log", "logs/ledger.jsonl"),
    metrics=("metrics/up.json",),
    runbooks=("runbooks/a.md",),
    names=("ledger-db",),
    aliases={"账务服务": "billing-api"},
    depends_on={"billing-api": ("ledger-db",)},
)


async def plan(
    question: str,
    catalog: Catalog = CATALOG,
    *,
    window: Window = Window(),  # noqa: B008 - frozen
    asked: tuple[ToolCall, ...] | None = None,
) -> Plan:
    inquiry = Inquiry(
        session_id=SessionId("s-1"),
        turn=1,
        original_query=question,
        language=Language.ZH,
        as_of=NOW,
        window=window,
        evidence="here",
    )
    gap = EvidenceGap(subject="billing-api", attribute="log_event", reason="no_evidence")
    retry = None if asked is None else RetryContext(gaps=(gap,), queried=asked, score=0.0)
    task = PlanTask(inquiry=inquiry, round=1 if asked is None else 2, catalog=catalog, retry_context=retry)
    return await DeterministicPlanner().plan(task)


async def test_round_one_looks_at_alerts_series_each_log_and_runbooks() -> None:
    made = await plan("账务服务为什么报错？")
    assert made.entities == ("billing-api",)
    assert [(call.tool_name, call.arguments.get("kind") or call.arguments.get("source")) for call in made.calls] == [
        ("query_metrics", "alerts"),
        ("query_metrics", "series"),
        ("query_logs", "logs/billing.log"),
        ("query_logs", "logs/ledger.jsonl"),
        ("lookup_knowledge", None),
    ]
    assert all(call.purpose for call in made.calls)


async def test_only_what_there_is_is_asked() -> None:
    made = await plan("账务服务为什么报错？", Catalog(logs=("logs/a.log",)))
    assert [call.tool_name for call in made.calls] == ["query_logs"]


async def test_many_logs_share_the_last_call_and_the_named_one_comes_first() -> None:
    logs = tuple(f"logs/pod-{number:02}.log" for number in range(30))
    made = await plan("pod-17 crashed", Catalog(logs=logs))
    sources = [call.arguments.get("source") for call in made.calls]
    assert len(sources) == LOG_CALLS
    assert sources[0] == "logs/pod-17.log"
    assert sources[-1] is None


async def test_a_window_goes_to_the_logs_and_the_given_one_wins() -> None:
    asked = await plan("账务服务最近30分钟为什么报错？")
    assert asked.calls[2].arguments["since"] == "2026-03-02T08:00:00+00:00"
    given = Window(since=datetime(2026, 3, 1, tzinfo=UTC))
    made = await plan("账务服务最近30分钟为什么报错？", window=given)
    assert made.window == given
    assert made.calls[2].arguments["since"] == "2026-03-01T00:00:00+00:00"
    assert "until" not in made.calls[2].arguments


@pytest.mark.parametrize("question", ["你好", "在吗", "thanks"])
async def test_a_greeting_is_not_diagnosed(question: str) -> None:
    made = await plan(question)
    assert made.clarify
    assert made.calls == ()


async def test_a_stretch_of_time_alone_is_enough_to_look() -> None:
    assert not (await plan("最近30分钟呢")).clarify


@pytest.mark.requirement("R3")
async def test_round_two_asks_other_queries_and_few() -> None:
    first = await plan("账务服务为什么报错？")
    second = await plan("账务服务为什么报错？", asked=first.calls)
    asked = {call_key(call) for call in first.calls}
    assert second.calls
    assert len(second.calls) <= RETRY_CALLS
    assert not asked & {call_key(call) for call in second.calls}
    assert second.calls[0].arguments["entities"] == ["ledger-db"]
    assert (await plan("账务服务为什么报错？", asked=(*first.calls, *second.calls))).calls == ()


async def test_runbooks_are_asked_in_the_words_of_both_languages() -> None:
    made = await plan("账务服务为什么很慢？", Catalog(runbooks=("runbooks/a.md",)))
    (call,) = made.calls
    said = str(call.arguments["question"])
    assert said.startswith("账务服务为什么很慢？")
    assert {"延迟", "latency"} <= set(said.split())
