"""What happens when there is too little room (T4, T6)."""

import pytest

from superbiz.graph.domain.evidence import Status
from superbiz.graph.domain.record import Invocation, ToolTraceSummary
from superbiz.graph.ports import Budgets
from superbiz.nodes.summary import summarise
from support.rows import make_alert, make_event, make_output, make_row


def _noisy(number: int, level: str, lines: int = 20) -> Invocation:
    return make_row(number, make_output(*(make_event(k, f"{number}-{k} " + "x" * 90, level) for k in range(lines))))


def _summary(*rows: Invocation, quotes: tuple[str, ...] = (), total: int) -> ToolTraceSummary:
    return summarise(rows, "what broke", quotes, Budgets(summary_bytes=total))


@pytest.mark.requirement("T6")
@pytest.mark.parametrize("size", range(640, 720, 3))
def test_a_budget_is_kept_to_the_byte(size: int) -> None:
    """Short lines leave next to no slack that would hide a wrong count."""
    row = make_row(1, make_output(*(make_event(k, f'"{k}\\"', "ERROR") for k in range(99))))
    summary = summarise((row,), "", (), Budgets(entry_bytes=size))
    assert len(summary.entries[0].model_dump_json().encode()) <= size
    whole = summarise((row, row), "", (), Budgets(summary_bytes=size))
    assert len(whole.model_dump_json().encode()) <= size


@pytest.mark.requirement("T6")
def test_chinese_text_is_counted_as_it_is_written() -> None:
    """Three bytes a character, not six: a budget that counted escapes would stay half empty."""
    row = make_row(
        1, make_output(*(make_event(k, f"第 {k} 次：支付服务拒绝了请求，请稍后再试", "ERROR") for k in range(99)))
    )
    (entry,) = summarise((row,), "", (), Budgets(entry_bytes=4096)).entries
    assert 3900 < len(entry.model_dump_json().encode()) <= 4096


@pytest.mark.requirement("T6", "T7")
def test_quotes_come_before_the_first_lines_of_other_calls() -> None:
    quoted = make_row(50, make_output(*(make_event(k, f"quoted-{k} " + "y" * 200, "INFO") for k in range(9))))
    quotes = tuple(f"quoted-{k}" for k in range(9))
    summary = _summary(*(_noisy(n, "ERROR") for n in range(8)), quoted, quotes=quotes, total=7000)
    assert all(quote in summary.entries[-1].output_summary for quote in quotes)
    assert any(len(entry.output_summary.splitlines()) == 1 for entry in summary.entries)


@pytest.mark.requirement("T6")
def test_firing_alerts_come_before_the_first_lines_of_other_calls() -> None:
    alarms = make_row(50, make_output(*(make_alert(f"Alarm{k}", labels={"pod": "p" * 150}) for k in range(9))))
    summary = _summary(*(_noisy(n, "ERROR") for n in range(8)), alarms, total=6600)
    assert summary.entries[-1].output_summary.count("firing") == 9
    assert any(len(entry.output_summary.splitlines()) == 1 for entry in summary.entries)


@pytest.mark.requirement("T6")
def test_each_call_gets_its_first_line_before_any_gets_its_second_error() -> None:
    summary = _summary(
        *(_noisy(n, "ERROR") for n in range(3)), make_row(9, make_output(make_event(1, "tick", "INFO"))), total=3200
    )
    assert "tick" in summary.entries[-1].output_summary
    assert sum(entry.omitted for entry in summary.entries) > 40


@pytest.mark.requirement("T4", "T6")
def test_quotes_do_not_push_a_failed_call_out_of_sight() -> None:
    """Half of the budget is for saying what was asked and how it ended."""
    long = tuple(f"quote-{n} " + "q" * 3000 for n in range(6))
    rows = [make_row(n, make_output(make_event(1, text))) for n, text in enumerate(long)]
    summary = _summary(*rows, make_row(99, None, status=Status.FAILED), quotes=long, total=9000)
    assert summary.omitted_entries == 0
    assert summary.entries[-1].status is Status.FAILED


@pytest.mark.requirement("T6")
def test_when_the_total_is_short_calls_shrink_before_any_is_dropped() -> None:
    """All twelve stay visible; the one that matters is told in full, and what is left out is counted."""
    noise = [
        make_row(n, make_output(*(make_event(k, f"{n} {k} " + "x" * 150, "INFO") for k in range(20))))
        for n in range(11)
    ]
    bad = make_row(99, make_output(*(make_event(k, f"bad {k}", "ERROR") for k in range(20))))
    summary = summarise((*noise, bad), "what broke", (), Budgets(summary_bytes=9000))
    assert summary.omitted_entries == 0
    assert [entry.omitted for entry in summary.entries][-1] == 0
    assert all(entry.omitted >= 18 for entry in summary.entries[:-1])
    assert "left out: 20 records" in summary.entries[-2].output_summary or summary.entries[-2].omitted < 20


@pytest.mark.requirement("T6")
def test_what_cannot_even_be_named_is_counted() -> None:
    """The most valuable entries stay, under the refs that they have anyway."""
    rows = [make_row(n, make_output()) for n in range(30)]
    rows[17] = make_row(17, make_output(make_alert("CartDown")))
    summary = summarise(tuple(rows), "what broke", (), Budgets(summary_bytes=2500))
    assert "T18" in [entry.trace_ref for entry in summary.entries]
    assert summary.omitted_entries + len(summary.entries) == 30
    assert summary.omitted_entries > 20
