"""Which calls become which entries, under which names, and how they count (T1-T5, T8)."""

import pytest
from pydantic import JsonValue

from superbiz.graph.domain.evidence import AlertState, Chunk, Status
from superbiz.graph.domain.record import EvidenceLevel, Invocation, TraceEntry
from superbiz.graph.ports import Budgets
from superbiz.nodes.summary import summarise
from superbiz.nodes.summary.groups import MERGED_CALLS
from support.rows import make_alert, make_event, make_output, make_row


def _entries(*rows: Invocation, question: str = "why is the cart slow") -> tuple[TraceEntry, ...]:
    return summarise(rows, question, (), Budgets()).entries


def _chunk(number: int, score: float) -> Chunk:
    return Chunk(
        source="runbooks/cart.md",
        line=number,
        heading="Cart",
        chunk_id=f"c{number}",
        score=score,
        text=f"step {number}",
    )


@pytest.mark.requirement("T1", "T2")
def test_an_entry_carries_what_identifies_the_call() -> None:
    arguments: dict[str, JsonValue] = {
        "text": "cart",
        "source": "logs/cart.log",
        "limit": 50,
        "level": None,
        "entities": ["a", "b", "c", "d"],
    }
    row = make_row(7, make_output(make_event(3, "cart slow")), arguments=arguments, labels=("logs/cart.log",), round=2)
    (entry,) = _entries(row)
    assert entry.trace_ref == "T1"
    assert entry.source_invocation_ids == (row.invocation_id,)
    assert (entry.tool_name, entry.round, entry.success, entry.status) == ("query_logs", 2, True, Status.OK)
    assert entry.input_summary == "text=cart limit=50 source=logs/cart.log entities=[a, b, c, +1]"
    assert "cart slow" in entry.output_summary
    assert entry.evidence_level is EvidenceLevel.DIRECT
    assert entry.query_samples == ("cart",)
    assert entry.source_labels == ("logs/cart.log",)
    assert entry.retrieval_layers == entry.relevance_levels == ()


@pytest.mark.requirement("T2")
def test_refs_count_by_round_and_a_later_round_changes_none() -> None:
    output = make_output(make_event(1, "x"))
    first, second, later = make_row(1, output), make_row(2, output), make_row(3, output, round=2)
    before = {entry.source_invocation_ids: entry.trace_ref for entry in _entries(first, second)}
    after = {entry.source_invocation_ids: entry.trace_ref for entry in _entries(later, first, second)}
    assert before == {(first.invocation_id,): "T1", (second.invocation_id,): "T2"}
    assert after == {**before, (later.invocation_id,): "T3"}


@pytest.mark.requirement("T3")
def test_helper_tools_have_no_entry_and_no_ref() -> None:
    helper = make_row(1, make_output(), tool="current_time", evidence_bearing=False)
    entries = _entries(helper, make_row(2, make_output()))
    assert [(entry.trace_ref, entry.tool_name) for entry in entries] == [("T1", "query_logs")]


@pytest.mark.requirement("T4")
@pytest.mark.parametrize(
    ("status", "success", "level"),
    [
        (Status.OK, True, EvidenceLevel.DIRECT),
        (Status.ZERO, True, EvidenceLevel.DIRECT),
        (Status.PARTIAL, True, EvidenceLevel.DIRECT),
        (Status.NO_DATA, False, EvidenceLevel.NONE),
        (Status.FAILED, False, EvidenceLevel.NONE),
    ],
)
def test_the_five_statuses_stay_distinct(
    status: Status,
    success: bool,
    level: EvidenceLevel,
) -> None:
    found = () if status in (Status.ZERO, Status.NO_DATA) else (make_event(1, "x"),)
    output = None if status is Status.FAILED else make_output(*found, status=status)
    (entry,) = _entries(make_row(1, output, status=status))
    assert (entry.status, entry.success, entry.evidence_level) == (status, success, level)


@pytest.mark.requirement("T4")
@pytest.mark.parametrize(
    ("status", "said"),
    [
        (Status.FAILED, "call failed: timeout: no answer in 60 s"),
        (Status.NO_DATA, "no data: the query brought nothing, which is neither zero nor healthy"),
        (Status.ZERO, "scanned 0, matched 0"),
        (Status.OK, "nothing matched"),
        (Status.PARTIAL, "partial: nothing found in the part that could be read"),
        (None, "call failed: it never ended"),
    ],
)
def test_a_call_that_brought_nothing_says_how_it_ended(status: Status | None, said: str) -> None:
    output = None if status in (Status.FAILED, None) else make_output(status=status)
    (entry,) = _entries(make_row(1, output, status=status))
    assert entry.output_summary.splitlines()[0] == said


@pytest.mark.requirement("T4")
def test_a_call_without_success_has_failed_whatever_its_status_says() -> None:
    row = make_row(1, make_output(make_event(1, "x"))).model_copy(update={"success": False})
    (entry,) = _entries(row)
    assert (entry.status, entry.success, entry.evidence_level) == (Status.FAILED, False, EvidenceLevel.NONE)


def test_an_unfinished_call_counts_as_failed() -> None:
    """Its process died: whatever it saw is not in the record."""
    (entry,) = _entries(make_row(1, None, status=None))
    assert (entry.status, entry.success, entry.failed_calls) == (Status.FAILED, False, 1)


@pytest.mark.requirement("T5")
def test_calls_on_one_topic_merge_and_the_first_hit_stays() -> None:
    """Window, limit and ranking words do not make another topic; the calls that brought nothing are counted."""
    about = {"source": "logs/cart.log", "text": "cart"}
    rows = (
        make_row(1, None, arguments={**about, "since": "2026-05-04T00:00:00Z"}, status=Status.FAILED),
        make_row(2, make_output(status=Status.NO_DATA), arguments={**about, "limit": 5}, status=Status.NO_DATA),
        make_row(3, make_output(make_event(1, "first hit")), arguments={**about, "terms": ["slow"]}),
        make_row(4, make_output(make_event(9, "second hit"), status=Status.PARTIAL), arguments=about),
        make_row(5, None, arguments=about, deduped_of="inv-000000000003"),
        make_row(6, None, arguments=about, status=Status.NO_DATA, deduped_of="inv-000000000002"),
    )
    (entry,) = _entries(*rows)
    assert entry.source_invocation_ids == tuple(row.invocation_id for row in rows)
    assert (entry.status, entry.success, entry.evidence_level) == (Status.OK, True, EvidenceLevel.DIRECT)
    assert (entry.repeated, entry.failed_calls, entry.no_hit_calls, entry.deduped) == (5, 1, 1, False)
    assert "call failed: timeout" in entry.output_summary
    assert entry.output_summary.index("first hit") < entry.output_summary.index("second hit")


@pytest.mark.requirement("T5")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (make_row(1, arguments={}, round=1), make_row(2, arguments={}, round=2)),
        (make_row(1, arguments={}, tool="query_logs"), make_row(2, arguments={}, tool="query_metrics")),
        (make_row(1, arguments={"source": "logs/a.log"}), make_row(2, arguments={"source": "logs/b.log"})),
        (make_row(1, arguments={"text": "cart"}), make_row(2, arguments={"text": "order"})),
        (make_row(1, arguments={"kind": "alerts"}), make_row(2, arguments={"kind": "series"})),
    ],
)
def test_another_tool_topic_or_round_is_another_entry(one: Invocation, other: Invocation) -> None:
    assert len(_entries(one, other)) == 2


@pytest.mark.requirement("T5")
def test_alerts_merge_on_their_full_label_set() -> None:
    """Same name, other instance: two alerts. Same labels in another order, from another source: one, counted."""
    one = make_alert("CartDown", labels={"service": "cart", "instance": "a"})
    again = make_alert("CartDown", labels={"instance": "a", "service": "cart"}, source="metrics/am.json")
    other = make_alert("CartDown", labels={"service": "cart", "instance": "b"})
    pending = make_alert("CartDown", AlertState.PENDING, labels={"service": "cart", "instance": "a"})
    (entry,) = _entries(make_row(1, make_output(one, again, other, pending)))
    lines = entry.output_summary.splitlines()[:3]
    assert (
        sum('firing ×2 since 2026-05-04T03:00:00Z value 0.5 {instance="a", service="cart"}' in line for line in lines)
        == 1
    )
    assert any(line.startswith("[metrics/alerts.json, metrics/am.json]") for line in lines)
    assert any('firing since 2026-05-04T03:00:00Z value 0.5 {instance="b"' in line for line in lines)
    assert any('pending since 2026-05-04T03:00:00Z value 0.5 {instance="a"' in line for line in lines)


@pytest.mark.requirement("T2", "T6")
def test_too_many_calls_on_one_topic_open_another_entry() -> None:
    """All ids stand in an entry, so an entry does not take any number of them."""
    rows = [make_row(n, make_output(), arguments={"text": "x"}) for n in range(2 * MERGED_CALLS + 1)]
    entries = _entries(*rows)
    assert [len(entry.source_invocation_ids) for entry in entries] == [MERGED_CALLS, MERGED_CALLS, 1]
    assert {id for entry in entries for id in entry.source_invocation_ids} == {row.invocation_id for row in rows}


@pytest.mark.requirement("T8")
def test_the_same_passages_again_are_no_new_evidence() -> None:
    """In either round: the duplicate keeps an entry, points at the first one and shows nothing of its own."""
    output = make_output(_chunk(1, 2.0))
    first = make_row(1, output, tool="lookup_knowledge", arguments={"question": "cart"})
    again = make_row(
        2, output, tool="lookup_knowledge", arguments={"question": "basket"}, round=2, deduped_of=first.invocation_id
    )
    entry, copy = _entries(first, again)
    assert (entry.evidence_level, entry.deduped) == (EvidenceLevel.INDIRECT, False)
    assert (copy.evidence_level, copy.deduped) == (EvidenceLevel.NONE, True)
    assert copy.output_summary == "duplicate of T1: nothing new"
    assert "step 1" in entry.output_summary


def test_a_duplicate_of_a_row_that_is_not_here_names_the_row() -> None:
    (entry,) = _entries(make_row(2, None, deduped_of="inv-elsewhere"))
    assert entry.output_summary == "duplicate of inv-elsewhere: nothing new"


@pytest.mark.requirement("T2")
def test_knowledge_is_indirect_at_most_and_says_how_near_each_passage_is() -> None:
    output = make_output(_chunk(1, 4.0), _chunk(2, 2.0), _chunk(3, 1.9), _chunk(4, 0.0))
    (entry,) = _entries(make_row(1, output, tool="lookup_knowledge", arguments={"question": "cart slow"}))
    assert entry.evidence_level is EvidenceLevel.INDIRECT
    assert entry.retrieval_layers == ("bm25",)
    assert entry.relevance_levels == ("high", "medium", "low", "low")
    assert entry.query_samples == ("cart slow",)


def test_passages_without_any_score_are_low() -> None:
    (entry,) = _entries(make_row(1, make_output(_chunk(1, 0.0)), tool="lookup_knowledge"))
    assert entry.relevance_levels == ("low",)


@pytest.mark.requirement("T2", "T6")
def test_a_call_over_many_files_names_the_first_of_them() -> None:
    labels = tuple(f"logs/{number}.log" for number in range(300))
    (entry,) = _entries(make_row(1, make_output(make_event(1, "x")), labels=labels))
    assert entry.source_labels == labels[:8]
