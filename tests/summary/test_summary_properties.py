"""Laws of the summary over any rows: bounded, counted, the same bytes, quotes first, boilerplate last (T2, T6, T7)."""

import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from superbiz.graph.domain.evidence import Aggregates, Alert, AlertState, PatternCount, Record, Status, ToolOutput
from superbiz.graph.domain.record import Invocation, ToolTraceSummary
from superbiz.graph.domain.text import fold
from superbiz.graph.ports import Budgets
from superbiz.nodes.summary import summarise
from superbiz.nodes.verify.bindings import holds
from support.any_rows import budgets, few, many_rows, outputs, patterns, records, texts, words
from support.rows import make_row

some = settings(max_examples=30)


def _bytes(summary: ToolTraceSummary) -> int:
    return len(summary.model_dump_json().encode())


@pytest.mark.requirement("T6", "T9")
@some
@given(many_rows, texts, few(words), budgets)
def test_no_rows_exceed_the_budgets(
    many: tuple[Invocation, ...], question: str, quotes: tuple[str, ...], given_budgets: Budgets
) -> None:
    summary = summarise(many, question, quotes, given_budgets)
    assert _bytes(summary) <= given_budgets.summary_bytes
    for entry in summary.entries:
        assert len(entry.model_dump_json().encode()) <= given_budgets.entry_bytes


@pytest.mark.requirement("T6")
@some
@given(many_rows, budgets)
def test_entries_shown_and_omitted_add_up(many: tuple[Invocation, ...], given_budgets: Budgets) -> None:
    """And so do the lines of each: what a narrow budget omits is what a wide one shows more."""
    narrow = summarise(many, "", (), given_budgets)
    wide = summarise(many, "", (), Budgets(summary_bytes=10**7, entry_bytes=10**6))
    assert wide.omitted_entries == 0
    assert len(narrow.entries) + narrow.omitted_entries == len(wide.entries)
    whole = {entry.trace_ref: entry for entry in wide.entries}
    for entry in narrow.entries:
        assert whole[entry.trace_ref].omitted == 0
        missing = _facts(whole[entry.trace_ref].output_summary) - _facts(entry.output_summary)
        assert entry.omitted == missing


def _facts(summary: str) -> int:
    """Lines but the closing one."""
    lines = summary.split("\n") if summary else []
    return len(lines) - bool(lines and lines[-1].startswith(("scanned ", "left out: ")))


@pytest.mark.requirement("T2", "T6")
@some
@given(many_rows, texts, few(words), budgets)
def test_equal_rows_give_equal_bytes(
    many: tuple[Invocation, ...], question: str, quotes: tuple[str, ...], given_budgets: Budgets
) -> None:
    """Also when they come back from a store that keeps objects in another order of keys."""
    back = tuple(Invocation.model_validate_json(_reordered(row)) for row in many)
    assert back == many
    first = summarise(many, question, quotes, given_budgets)
    assert summarise(back, question, quotes, given_budgets).model_dump_json() == first.model_dump_json()


def _reordered(row: Invocation) -> str:
    def turned(value: object) -> object:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in sorted(value, reverse=True)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    return json.dumps(turned(json.loads(row.model_dump_json())))


@pytest.mark.requirement("T2")
@some
@given(many_rows, many_rows, budgets)
def test_refs_depend_on_rows_alone(
    many: tuple[Invocation, ...], more: tuple[Invocation, ...], given_budgets: Budgets
) -> None:
    """Not on quotes, question or budget; and a second round leaves the refs of the first as they were."""
    first = tuple(row.model_copy(update={"round": 1}) for row in many)
    known = {row.invocation_id for row in first}
    second = tuple(row.model_copy(update={"round": 2}) for row in more if row.invocation_id not in known)
    narrow = summarise(first, "cart", ("ERROR",), given_budgets)
    wide = summarise((*first, *second), "", (), Budgets(summary_bytes=10**7, entry_bytes=10**6))
    refs = {entry.trace_ref: entry.source_invocation_ids for entry in wide.entries}
    assert all(refs[entry.trace_ref] == entry.source_invocation_ids for entry in narrow.entries)


@pytest.mark.requirement("T7")
@given(outputs(), st.data())
def test_a_valid_quote_always_stands_in_its_entry(output: ToolOutput, data: st.DataObject) -> None:
    """Whatever part of whichever record or aggregate it is, as long as it fits an entry by itself."""
    found = [record.text for record in output.records]
    found += [text for p in output.aggregates.patterns for text in (p.pattern, *(v.text for v in p.variants))]
    found += [f"{tally.name}={tally.value}" for tally in output.aggregates.tallies]
    text = data.draw(st.sampled_from(found or [""]))
    start, size = data.draw(st.integers(0, max(len(text) - 1, 0))), data.draw(st.integers(1, 900))
    quote = text[start : start + size]
    row = make_row(1, output)
    assume(holds(row, quote))
    (entry,) = summarise((row,), "", (quote,), Budgets()).entries
    assert fold(quote) in fold(entry.output_summary)


@pytest.mark.requirement("T6")
@some
@given(st.lists(few(records | patterns), min_size=1, max_size=6), st.integers(1, 5), st.integers(1500, 9000))
def test_nothing_but_quotes_takes_the_room_of_a_firing_alert(
    noise: list[tuple[Record | PatternCount, ...]], firing: int, summary_bytes: int
) -> None:
    """Alone or beside any noise in its own and in other entries, as many firing alerts are shown."""
    alarms = tuple(
        Alert(
            source="metrics/a.json",
            name=f"Alarm{number}",
            state=AlertState.FIRING,
            labels={"severity": "critical"},
            annotations={},
            active_at=None,
            ends_at=None,
            value=None,
            text="{}",
        )
        for number in range(firing)
    )
    quiet = [tuple(r for r in part if not _rivals(r)) for part in noise]
    loud = tuple(make_row(n, _output(part)) for n, part in enumerate(quiet))
    given_budgets = Budgets(summary_bytes=summary_bytes + 600 * (len(loud) + 1))
    alone = summarise((make_row(99, _output(alarms)),), "", (), given_budgets)
    among = summarise((*loud, make_row(99, _output((*quiet[0], *alarms)))), "", (), given_budgets)
    assert among.entries[-1].output_summary.count("alert Alarm") == alone.entries[-1].output_summary.count(
        "alert Alarm"
    )


def _rivals(item: Record | PatternCount) -> bool:
    return isinstance(item, Alert) and item.state is AlertState.FIRING


def _output(items: tuple[Record | PatternCount, ...]) -> ToolOutput:
    counted = tuple(item for item in items if isinstance(item, PatternCount))
    return ToolOutput(
        status=Status.OK,
        records=tuple(item for item in items if not isinstance(item, PatternCount)),
        aggregates=Aggregates(scanned=len(items), matched=len(items), patterns=counted),
    )
