"""Hypothesis strategies for rows of any content: what tools, models and stores might leave in them."""

from datetime import UTC, datetime
from typing import TypeVar

from hypothesis import strategies as st
from pydantic import JsonValue

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.evidence import (
    Aggregates,
    Alert,
    AlertState,
    Chunk,
    Gap,
    LogEvent,
    PatternCount,
    Record,
    Sample,
    Scope,
    Series,
    Status,
    Tally,
    ToolOutput,
    Variant,
)
from superbiz.graph.domain.ids import InvocationId, SessionId
from superbiz.graph.domain.record import ErrorInfo, Invocation
from superbiz.graph.domain.text import normalise
from superbiz.graph.ports import Budgets

T = TypeVar("T")
START = datetime(2026, 5, 4, 3, 0, tzinfo=UTC)

texts = st.text(max_size=60).map(normalise) | st.sampled_from(
    ["x" * 900, "错误" * 300, 'a "quoted" \\ word', "l1\nl2\n\tl3"]
)
words = st.sampled_from(["cart", "order", "logs/a.log", "ERROR", "503", ""]) | texts
labels = st.dictionaries(words, words, max_size=3)
numbers = st.integers(0, 10**6)
moments = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)) | st.none()
levels = st.sampled_from([None, "FATAL", "ERROR", "WARN", "INFO", "DEBUG"])

events = st.builds(
    LogEvent,
    source=words,
    line=numbers,
    end_line=numbers,
    time=moments,
    level=levels,
    context=st.tuples(words),
    text=texts,
)
samples = st.none() | st.builds(Sample, time=st.just(START), value=st.sampled_from(["0", "1.50", "NaN"]))
series = st.builds(
    Series,
    source=words,
    metric=st.none() | words,
    labels=labels,
    count=numbers,
    special=st.integers(0, 3),
    first=samples,
    last=samples,
    minimum=samples,
    maximum=samples,
    text=texts,
)
alerts = st.builds(
    Alert,
    source=words,
    name=words,
    state=st.sampled_from(AlertState),
    labels=labels,
    annotations=labels,
    active_at=moments,
    ends_at=moments,
    value=st.none() | words,
    text=texts,
)
chunks = st.builds(
    Chunk,
    source=words,
    line=numbers,
    heading=words,
    chunk_id=words,
    score=st.floats(-1, 9, allow_nan=False),
    text=texts,
)
variants = st.builds(Variant, text=texts, count=numbers, line=numbers, first=moments, last=moments)
patterns = st.builds(
    PatternCount,
    source=words,
    pattern=texts,
    level=levels,
    count=numbers,
    line=numbers,
    first=moments,
    last=moments,
    variants=st.lists(variants, max_size=3).map(tuple),
)
tallies = st.builds(Tally, name=words, value=words, count=numbers, line=st.none() | numbers, source=st.none() | words)
gaps = st.builds(Gap, source=words, reason=words, detail=words)
records: st.SearchStrategy[Record] = events | series | alerts | chunks


def few(items: st.SearchStrategy[T]) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(items, max_size=3).map(tuple)


@st.composite
def outputs(draw: st.DrawFn) -> ToolOutput:
    return ToolOutput(
        status=Status.OK,
        records=draw(few(records)),
        aggregates=Aggregates(
            scanned=draw(numbers), matched=draw(numbers), patterns=draw(few(patterns)), tallies=draw(few(tallies))
        ),
        scope=Scope(complete=draw(st.booleans()), gaps=draw(few(gaps))),
    )


values: st.SearchStrategy[JsonValue] = words | st.none() | numbers | st.lists(words, max_size=5)
arguments: st.SearchStrategy[JsonObject] = st.dictionaries(
    st.sampled_from(["source", "text", "name", "question", "entities", "terms", "limit", "kind"]),
    values,
    max_size=4,
)


@st.composite
def rows(draw: st.DrawFn) -> Invocation:
    return Invocation(
        invocation_id=InvocationId(f"inv-{draw(st.integers(0, 2**40)):012x}"),
        session_id=SessionId("s1"),
        turn=1,
        round=draw(st.integers(1, 2)),
        attempt=1,
        branch=0,
        tool_name=draw(st.sampled_from(["query_logs", "query_metrics", "lookup_knowledge", "ask_mesh"])),
        arguments=draw(arguments),
        evidence_bearing=draw(st.sampled_from([True, True, True, False])),
        status=draw(st.none() | st.sampled_from(Status)),
        success=draw(st.none() | st.booleans()),
        error=draw(st.none() | st.builds(ErrorInfo, type=words, message=texts)),
        deduped_of=draw(st.sampled_from([None, None, InvocationId("inv-000000000001")])),
        output=draw(st.none() | outputs()),
        source_labels=draw(few(words)),
        started_at=START,
    )


many_rows = st.lists(rows(), max_size=4, unique_by=lambda row: row.invocation_id).map(tuple)
budgets = st.builds(Budgets, summary_bytes=st.integers(200, 9000), entry_bytes=st.integers(100, 3000))
