"""What holds for log files of any bytes: no crash, nothing uncounted, bounded output in normal form."""

import gzip
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from superbiz.graph.domain.evidence import LogEvent, ToolOutput
from superbiz.graph.domain.text import normalise
from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.logs.events import MAX_EVENT
from superbiz.nodes.tools.logs.patterns import MAX_VARIANTS, PATTERN_CHARS
from superbiz.nodes.tools.logs.scan import MAX_PATTERNS_SHOWN
from superbiz.nodes.tools.query_logs import LogQuery, QueryLogs

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)

LINES = [
    b"2026-05-04T09:30:12.123456Z ERROR crane c7 jammed, status=503",
    b"May  4 09:30:12 quay3 craned[7]: lift took 900ms",
    b"Feb 29 09:30:12 quay3 craned: x",
    b"0001-01-01 00:00:00+05:00 x",
    b"\tat quay.Crane.lift(Crane.java:71)",
    b'{"time":1777887012123,"level":50,"msg":"jam\\u0000med \\ud800 \\u001b[31m","status":503,"n":1e999}',
    b'{"msg":"cut',
    b'{"ts":"1777887012.x","level":true,"msg":null}',
    "├─ gate.check 12ms".encode(),
    "│    slot=44 货箱".encode(),
    "货箱移动失败 耗时 12ms".encode("gbk"),
    b"cranes:",
    b"  c7\x00:\x9b state\xc2\x85",
    b"\x1b[31mERR\x1b[0mOR \xe2\x80\xae gate\xed\xa0\x80",
    b"",
]


def _file(lines: list[bytes], end: bytes, torn: int | None) -> bytes:
    joined = end.join(lines)
    return joined if torn is None else gzip.compress(joined)[: -torn or None]


files = st.binary(max_size=400) | st.builds(
    _file,
    st.lists(st.sampled_from(LINES) | st.binary(max_size=30) | st.text(max_size=30).map(str.encode), max_size=40),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.none() | st.integers(0, 30),
)
names = st.sampled_from(["crane", "c7", "ERROR", "货箱", "\x1b[31m", "\u200b", "status"])
queries = st.builds(
    LogQuery,
    text=st.none() | names,
    level=st.sampled_from([None, "ERROR", "debug"]),
    entities=st.lists(names, max_size=2).map(tuple),
    terms=st.lists(names, max_size=2).map(tuple),
    since=st.none() | st.datetimes(),
    until=st.none() | st.datetimes(),
    limit=st.integers(1, 200),
)


def asked(found: list[bytes], query: LogQuery) -> ToolOutput | None:
    """The answer over these files; None when none of them could be read."""
    with TemporaryDirectory() as root:
        (Path(root) / "logs").mkdir()
        for number, one in enumerate(found):
            (Path(root) / "logs" / f"quay{number}.log").write_bytes(one)
        try:
            return QueryLogs(EvidenceDirectory(Path(root)))._run(query, AS_OF)
        except ToolError:
            return None


def texts(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, inner in value.items():
                yield name
                yield from texts(inner)
        case list():
            for inner in value:
                yield from texts(inner)


@given(st.lists(files, min_size=1, max_size=3), queries)
def test_any_bytes_give_an_output_in_normal_form(found: list[bytes], query: LogQuery) -> None:
    """No control character but TAB and LF, nothing undecodable, no format character: safe to store and to show."""
    output = asked(found, query)

    for text in texts(output.model_dump(mode="json") if output else None):
        assert {unicodedata.category(char) for char in text if char not in "\t\n"}.isdisjoint({"Cc", "Cf", "Cs"})
        assert normalise(text) == text


@given(st.lists(files, min_size=1, max_size=3), queries)
def test_every_matched_event_is_counted_once(found: list[bytes], query: LogQuery) -> None:
    output = asked(found, query)
    if output is None:
        return
    counts = output.aggregates

    assert counts.matched <= counts.scanned == sum(source.events for source in output.scope.sources)
    shown = sum(pattern.count for pattern in counts.patterns)
    assert shown == counts.matched if not counts.patterns_left_out else shown < counts.matched
    assert sum(one.count for one in counts.tallies if one.name == "level") <= counts.matched


@given(st.lists(files, min_size=1, max_size=3))
def test_a_filter_splits_what_was_scanned(found: list[bytes]) -> None:
    whole, errors = asked(found, LogQuery()), asked(found, LogQuery(level="ERROR"))
    if whole is None or errors is None:
        assert whole is errors
        return

    assert whole.aggregates.matched == whole.aggregates.scanned == errors.aggregates.scanned
    severe = {"FATAL", "ERROR"}
    assert errors.aggregates.matched == sum(
        one.count for one in whole.aggregates.tallies if one.name == "level" and one.value in severe
    )


@given(st.lists(files, min_size=1, max_size=3), queries)
def test_records_lie_within_the_limit_the_file_and_the_query(found: list[bytes], query: LogQuery) -> None:
    output = asked(found, query)
    if output is None:
        return
    places = {(record.source, record.line) for record in output.records if isinstance(record, LogEvent)}

    assert len(places) == len(output.records) <= min(query.limit, output.aggregates.matched)
    assert bool(output.records) == bool(output.aggregates.matched)
    assert output == asked(found, query)


@pytest.mark.requirement("T6")
@pytest.mark.parametrize("unit", [b"x", b"crane 7 ", "货".encode(), b"7", b"\xf7", b"a=1ms ", b'{"a":"b"} ', b"\x1b["])
def test_the_output_for_a_huge_file_is_bounded(unit: bytes) -> None:
    lines = [unit * (20_000 // len(unit)) + str(number).encode() for number in range(9)]
    output = asked([b"\n".join(lines)], LogQuery(limit=200))

    assert output is not None
    assert output.aggregates.scanned == 9
    for record in output.records:
        assert len(record.text) <= MAX_EVENT + 2
    assert len(output.aggregates.patterns) <= MAX_PATTERNS_SHOWN
    for pattern in output.aggregates.patterns:
        assert len(pattern.pattern) <= PATTERN_CHARS * 3
        assert len(pattern.variants) <= MAX_VARIANTS
        assert all(len(variant.text) <= PATTERN_CHARS * 4 for variant in pattern.variants)
        assert len(pattern.values) <= PATTERN_CHARS
