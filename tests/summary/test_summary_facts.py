"""What an entry shows of its output, and in which order (T6, T7)."""

from datetime import UTC, datetime, timedelta

import pytest

from superbiz.graph.domain.evidence import (
    AlertState,
    Chunk,
    Gap,
    LogEvent,
    PatternCount,
    Sample,
    Scope,
    Series,
    Tally,
    ValueRange,
    Variant,
)
from superbiz.graph.domain.record import Invocation, TraceEntry
from superbiz.graph.ports import Budgets
from superbiz.nodes.summary import summarise
from support.rows import make_alert, make_event, make_output, make_pattern, make_row

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
NARROW = Budgets(entry_bytes=900)


def _entry(
    row: Invocation, *excerpts: str, question: str = "购物车为什么慢", budgets: Budgets | None = None
) -> TraceEntry:
    (entry,) = summarise((row,), question, excerpts, budgets or Budgets()).entries
    return entry


def _lines(entry: TraceEntry) -> list[str]:
    return entry.output_summary.splitlines()


def _series(metric: str | None, *values: str, labels: dict[str, str] | None = None, special: int = 0) -> Series:
    samples = [Sample(time=NOON + timedelta(minutes=n), value=value) for n, value in enumerate(values)]
    finite = sorted(samples, key=lambda sample: float(sample.value))
    return Series(
        source="metrics/q.json",
        metric=metric,
        labels=labels or {},
        count=len(values) + special,
        special=special,
        first=samples[0] if samples else None,
        last=samples[-1] if samples else None,
        minimum=finite[0] if samples else None,
        maximum=finite[-1] if samples else None,
        text='{"metric": {}, "values": []}',
    )


@pytest.mark.requirement("T7")
def test_a_log_line_is_quoted_with_its_source_lines_time_and_block() -> None:
    event = LogEvent(
        source="logs/pod.log",
        line=4,
        end_line=6,
        time=NOON,
        level="ERROR",
        context=("Containers", "web"),
        text="Exit  7\n at x",
    )
    line = _lines(_entry(make_row(1, make_output(event))))[0]
    assert line == "[logs/pod.log L4-L6 2026-05-04T12:00:00Z in Containers / web] Exit  7  at x"


@pytest.mark.requirement("T7")
def test_a_pattern_shows_count_first_and_last_time_forms_and_ranges() -> None:
    pattern = PatternCount(
        source="logs/app.log",
        pattern="took <*> ms",
        level="WARN",
        count=40,
        line=2,
        first=NOON,
        last=NOON + timedelta(hours=1),
        variants=(Variant(text="took 5 ms", count=39, line=2), Variant(text="took 9 ms", count=1, line=77)),
        values=(ValueRange(slot=0, name="took", unit="ms", minimum="5", maximum="9", minimum_line=2, maximum_line=77),),
    )
    line = _lines(_entry(make_row(1, make_output(patterns=(pattern,)))))[0]
    assert line == (
        "[logs/app.log L2] ×40 2026-05-04T12:00:00Z to 2026-05-04T13:00:00Z WARN: took <*> ms"
        " | ×39 L2 took 5 ms; ×1 L77 took 9 ms | took 5ms (L2) to 9ms (L77)"
    )


def test_a_pattern_with_one_form_shows_the_form() -> None:
    pattern = make_pattern(2, "retry <*>", 3, variants=(Variant(text="retry 1", count=3, line=2),))
    bare = PatternCount(source="logs/b.log", pattern="beat <*>", level=None, count=2, line=1)
    first, second = _lines(_entry(make_row(1, make_output(patterns=(pattern, bare)))))[:2]
    assert first == "[logs/b.log L1] ×2: beat <*>"
    assert second == "[logs/app.log L2] ×3 2026-05-04T03:00:00Z: retry 1"


def test_a_message_that_occurred_once_is_not_said_twice() -> None:
    output = make_output(make_event(5, "boom 7"), patterns=(make_pattern(5, "boom <*>", 1), make_pattern(6, "beat", 1)))
    assert [line.partition("]")[0] for line in _lines(_entry(make_row(1, output)))[:-1]] == [
        "[logs/app.log L5 2026-05-04T03:00:00Z",
        "[logs/app.log L6",
    ]


@pytest.mark.requirement("T7")
def test_series_show_name_labels_and_values_verbatim() -> None:
    instant = _series("queue_depth", "0.1200", labels={"zone": "b", "app": "cart"})
    range_ = _series(None, "3", "1", "9", labels={"app": "order"}, special=2)
    empty = _series("lost", special=1)
    lines = _lines(_entry(make_row(1, make_output(instant, range_, empty))))
    assert '[metrics/q.json] queue_depth{app="cart", zone="b"} = 0.1200 at 2026-05-04T12:00:00Z' in lines
    assert (
        '[metrics/q.json] {app="order"}: 5 samples, first 3 at 2026-05-04T12:00:00Z, last 9 at 2026-05-04T12:02:00Z,'
        " min 1 at 2026-05-04T12:01:00Z, max 9 at 2026-05-04T12:02:00Z, 2 not finite"
    ) in lines
    assert "[metrics/q.json] lost: 1 samples, 1 not finite" in lines


@pytest.mark.requirement("T7")
def test_an_alert_shows_name_state_labels_value_and_notes() -> None:
    alert = make_alert("CartSlow", labels={"service": "cart"}, annotations={"summary": "p95 high"}).model_copy(
        update={"ends_at": NOON}
    )
    assert _lines(_entry(make_row(1, make_output(alert))))[0] == (
        "[metrics/alerts.json] alert CartSlow firing since 2026-05-04T03:00:00Z ends 2026-05-04T12:00:00Z value 0.5"
        ' {service="cart"} | summary: p95 high'
    )


def test_passages_tallies_and_gaps_are_named() -> None:
    chunk = Chunk(source="runbooks/a.md", line=3, heading="Steps", chunk_id="c", score=1.0, text="restart it")
    scope = Scope(
        complete=False,
        gaps=(Gap(source="logs/x.log", reason="unreadable"), Gap(source="m", reason="empty", detail="0 bytes")),
    )
    tallies = (
        Tally(name="status", value="404", count=3, line=8, source="logs/a.log"),
        Tally(name="state", value="up", count=2, line=1),
    )
    entry = _entry(make_row(1, make_output(chunk, tallies=tallies, scope=scope, matched=9)))
    assert _lines(entry) == [
        "gap: logs/x.log: unreadable",
        "gap: m: empty: 0 bytes",
        "[runbooks/a.md L3 Steps] restart it",
        "status=404: 3 [logs/a.log L8]",
        "state=up: 2 L1",
        "scanned 9, matched 9; 8 matches not returned; incomplete",
    ]


@pytest.mark.requirement("T6")
def test_facts_come_by_what_they_are_worth() -> None:
    """Firing alert, gap, errors by level and rarity, then what the question names, the rest, routine last."""
    output = make_output(
        make_event(1, "listening", "INFO"),
        make_event(2, "plain words"),
        make_alert("Old", AlertState.RESOLVED),
        make_event(3, "CART opened", "INFO"),
        make_alert("Soon", AlertState.PENDING),
        make_event(4, "disk bad", "ERROR"),
        make_event(5, "cannot go on", "FATAL"),
        make_alert("Now"),
        make_alert("Asleep", AlertState.INACTIVE),
        make_event(6, "low space", "WARN"),
        _series("up", "0"),
        _series("steady", "3"),
        patterns=(make_pattern(9, "often bad", 500, "ERROR"), make_pattern(8, "seldom bad", 2, "ERROR")),
        tallies=(Tally(name="status", value="503", count=4), Tally(name="level", value="INFO", count=9)),
        scope=Scope(gaps=(Gap(source="logs/x.log", reason="empty"),)),
    )
    text = _entry(make_row(1, output), question="why does cart fail").output_summary
    order = (
        "Now|gap: logs/x.log|Soon|cannot go on|up = 0|seldom bad|often bad|disk bad|status=503|CART opened|"
        "Old|low space|plain words|steady|level=INFO|Asleep|listening"
    )
    found = sorted(order.split("|"), key=text.index)
    ranks = [
        {"Now"},
        {"gap: logs/x.log"},
        {"Soon", "cannot go on", "up = 0"},
        {"seldom bad", "often bad", "disk bad", "status=503"},
        {"CART opened", "Old", "low space"},
        {"plain words", "steady", "level=INFO"},
        {"Asleep", "listening"},
    ]
    for rank in ranks:
        assert set(found[: len(rank)]) == rank
        found = found[len(rank) :]
    assert text.index("seldom bad") < text.index("often bad")
    assert text.index("CART opened") < text.index("Old")


@pytest.mark.requirement("T6")
def test_urgent_and_related_alerts_come_first() -> None:
    rows = make_output(
        make_alert("A1", labels={"severity": "warning"}),
        make_alert("A2", labels={"severity": "critical"}),
        make_alert("A3", labels={"severity": "critical", "service": "cart"}),
    )
    text = _entry(make_row(1, rows, arguments={"entities": ["cart", 3]})).output_summary
    assert text.index("A3") < text.index("A2") < text.index("A1")


@pytest.mark.requirement("T6")
def test_many_gaps_do_not_push_out_what_was_found() -> None:
    gaps = tuple(Gap(source=f"logs/{n}.log", reason="unreadable") for n in range(60))
    entry = _entry(make_row(1, make_output(make_event(1, "disk bad", "ERROR"), scope=Scope(gaps=gaps))), budgets=NARROW)
    assert "disk bad" in entry.output_summary
    assert entry.omitted > 40
