"""What the claims' quotes change, and what is shown when a quote has too little room (T6, T7, T9)."""

from datetime import UTC, datetime

import pytest

from superbiz.graph.domain.evidence import Tally, Variant
from superbiz.graph.domain.record import Invocation, TraceEntry
from superbiz.graph.ports import Budgets
from superbiz.nodes.summary import summarise
from support.rows import make_alert, make_event, make_output, make_pattern, make_row

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
LAST = Variant(text="w" * 100, count=1, line=1)
NARROW = Budgets(entry_bytes=900)


def _entry(row: Invocation, *excerpts: str, budgets: Budgets | None = None) -> TraceEntry:
    (entry,) = summarise((row,), "购物车为什么慢", excerpts, budgets or Budgets()).entries
    return entry


def _lines(entry: TraceEntry) -> list[str]:
    return entry.output_summary.splitlines()


@pytest.mark.requirement("T7")
def test_a_quote_of_routine_comes_before_an_error_that_nobody_quotes() -> None:
    errors = [make_event(n, f"error {n} " + "x" * 200, "ERROR") for n in range(20)]
    row = make_row(1, make_output(*errors, make_event(99, "Listening on   8081", "INFO")))
    assert not _lines(_entry(row, budgets=NARROW))[0].endswith("8081")
    assert "] Listening on   8081" in _lines(_entry(row, "listening ON 8081", budgets=NARROW))[0]


@pytest.mark.requirement("T7", "T9")
def test_a_quote_deep_in_a_long_event_is_shown_with_what_is_around_it() -> None:
    """The record's shortened line gives way, the rest of the event stays in the store."""
    text = "start " + "a" * 5000 + " code=E77 refused " + "b" * 5000
    entry = _entry(make_row(1, make_output(make_event(3, text, "ERROR"))), "E77 refused")
    assert len(_lines(entry)) == 2
    assert _lines(entry)[0].startswith("[logs/app.log L3 2026-05-04T03:00:00Z] …aaaa")
    assert "aaa code=E77 refused bbb" in _lines(entry)[0]
    assert len(entry.output_summary) < 500


@pytest.mark.requirement("T7")
@pytest.mark.parametrize(
    ("excerpt", "shown"),
    [
        ("took 9 ms", "took 9 ms"),
        ("took 44 ms", "[logs/app.log L8 ×2 2026-05-04T12:00:00Z] took 44 ms"),
        ("took <*> ms", "took <*> ms"),
        ("level=ERROR", "level=ERROR: 41 [logs/app.log L7]"),
        ('"runbook": "rb-17"', '[metrics/alerts.json firing] {"labels"'),
        ("ERROR logs/app.log", "boom ERROR logs/app.log"),
    ],
)
def test_quotes_of_every_kind_of_record_and_aggregate_stand_in_the_summary(
    excerpt: str,
    shown: str,
) -> None:
    """Records, patterns, exact messages that a pattern does not show, counts, raw bodies, words beside the text."""
    forms = [Variant(text=f"took {n} ms", count=2, line=n, first=NOON, last=NOON) for n in (9, 3, 4, 8)]
    forms[-1] = forms[-1].model_copy(update={"text": "took 44 ms"})
    output = make_output(
        make_event(1, "boom", "ERROR"),
        make_alert("CartDown"),
        patterns=(make_pattern(3, "took <*> ms", 8, variants=tuple(forms)),),
        tallies=(Tally(name="level", value="ERROR", count=41, line=7, source="logs/app.log"),),
    )
    assert shown in _lines(_entry(make_row(1, output), excerpt))[0]


@pytest.mark.requirement("T7")
def test_a_quote_that_no_output_holds_changes_nothing() -> None:
    """A made-up excerpt must not get into the evidence by being asked for."""
    row = make_row(1, make_output(make_event(1, "boom")))
    assert _entry(row, "never said", " ", "") == _entry(row)


@pytest.mark.requirement("T7")
def test_one_line_serves_several_quotes() -> None:
    row = make_row(1, make_output(make_event(1, "boom at 7 in cart"), make_event(2, "quiet")))
    assert _entry(row, "in cart", "boom at").output_summary.count("boom") == 1
    long = make_row(1, make_output(make_event(1, "w" * 2000 + " boom at 7 in cart " + "w" * 2000)))
    assert len(_lines(_entry(long, "in cart", "boom at"))) == 2


@pytest.mark.requirement("T7")
def test_an_alert_that_is_quoted_whole_is_shown_once() -> None:
    """Its own line gives way; a part of a long body leaves it, for it names the labels."""
    short = make_alert("CartDown", labels={"service": "cart"})
    long = short.model_copy(update={"text": short.text + " " * 900 + '"tail": 7}'})
    assert len(_lines(_entry(make_row(1, make_output(short)), short.text))) == 2
    lines = _lines(_entry(make_row(1, make_output(long)), '"tail": 7'))
    assert lines[0].startswith("[metrics/alerts.json firing] …")
    assert 'alert CartDown firing since 2026-05-04T03:00:00Z value 0.5 {service="cart"}' in lines[1]


@pytest.mark.requirement("T5", "T7")
def test_a_quote_from_any_call_of_a_merged_entry_stands_there() -> None:
    about = {"source": "logs/app.log"}
    first = make_row(1, make_output(make_event(1, "hello")), arguments=about)
    second = make_row(2, make_output(make_event(2, "w" * 2000 + " deep inside " + "w" * 2000)), arguments=about)
    (entry,) = summarise((first, second), "", ("deep inside",), Budgets()).entries
    assert "w deep inside w" in entry.output_summary


@pytest.mark.requirement("T6", "T7")
def test_a_quote_with_little_room_is_shown_without_what_is_around_it_then_alone_then_in_part() -> None:
    quoted = "q" * 300
    row = make_row(1, make_output(make_event(1, "w" * 2000 + quoted + "w" * 2000)))
    summaries = [summarise((row,), "", (quoted,), Budgets(entry_bytes=size)) for size in range(500, 1200, 10)]
    firsts = dict.fromkeys(_lines(entry)[0] for summary in summaries for entry in summary.entries)
    head = "[logs/app.log L1 2026-05-04T03:00:00Z] "
    assert [line.replace("…", "") for line in firsts][1:4] == ["q" * 160, quoted, head + quoted]
    assert list(firsts)[4].startswith(head + "…wwwww")
    assert len(firsts) == 5


@pytest.mark.requirement("T6", "T7")
def test_quotes_share_the_room_no_one_takes_it_with_its_surroundings() -> None:
    """Where all lines together are too long, all give up the exact messages below a pattern, none its count."""
    patterns = tuple(
        make_pattern(n, f"step {n} took <*> ms", 7, variants=(Variant(text="v" * 100, count=6, line=n), LAST))
        for n in range(100, 110)
    )
    output = make_output(patterns=patterns, tallies=(Tally(name="status", value="404", count=41),))
    quotes = (*(pattern.pattern for pattern in patterns), "status=404")
    wide = _entry(make_row(1, output), *quotes)
    tight = _entry(make_row(1, output), *quotes, budgets=Budgets(entry_bytes=1500))
    assert all("vvv" in line for line in _lines(wide)[:10])
    assert len(_lines(tight)) == 12
    for pattern, line in zip(patterns, _lines(tight), strict=False):
        assert line == f"[logs/app.log L{pattern.line}] ×7 2026-05-04T03:00:00Z: {pattern.pattern}"
    assert _lines(tight)[10] == "status=404: 41"
