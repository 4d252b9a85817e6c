"""The tool over a directory: filters, limits that are never silent, gaps that hide nothing."""

import gzip
import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from pydantic import ValidationError

from superbiz.graph.domain.evidence import Gap, LogEvent, Status, ToolOutput
from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.directory import EvidenceDirectory, EvidenceFile
from superbiz.nodes.tools.logs.scan import MAX_PATTERNS_SHOWN, Filter, Scan
from superbiz.nodes.tools.query_logs import LogQuery, QueryLogs

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)

QUAY = """\
2026-05-04T09:00:00Z INFO crane c7 moved load 12
2026-05-04T09:10:00Z WARN crane c7 slow, lift took 900ms
2026-05-04T09:20:00Z ERROR crane c7 jammed, status=503
2026-05-04T09:30:00Z FATAL hoist lost
the yard stays open
"""
GATE = '{"time":"2026-05-04T09:25:00Z","level":"error","msg":"gate north shut","status":503}\n'


class Ask:
    """Writes files below `logs/`, then queries them."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __call__(self, files: dict[str, str | bytes], **query: object) -> ToolOutput:
        for name, content in files.items():
            path = self.root / "logs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return QueryLogs(EvidenceDirectory(self.root))._run(LogQuery.model_validate(query), AS_OF)


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    return Ask(tmp_path)


def logs(output: ToolOutput) -> list[LogEvent]:
    return [record for record in output.records if isinstance(record, LogEvent)]


def lines(output: ToolOutput) -> list[int]:
    return sorted(record.line for record in logs(output))


async def test_the_tool_runs_beside_the_loop(ask: Ask, tmp_path: Path) -> None:
    direct = ask({"quay.log": QUAY})

    assert await QueryLogs(EvidenceDirectory(tmp_path)).run(LogQuery(), AS_OF) == direct


def test_everything_is_scanned_and_told(ask: Ask) -> None:
    output = ask({"quay.log": QUAY, "gate.jsonl": GATE})

    assert output.status is Status.OK
    assert (output.aggregates.scanned, output.aggregates.matched) == (5, 5)
    assert output.scope.complete
    assert [(source.path, source.events, source.encoding) for source in output.scope.sources] == [
        ("logs/gate.jsonl", 1, "utf-8"),
        ("logs/quay.log", 4, "utf-8"),
    ]
    assert {(one.name, one.value, one.count, one.source) for one in output.aggregates.tallies} == {
        ("level", "ERROR", 1, "logs/gate.jsonl"),
        ("status", "503", 1, "logs/gate.jsonl"),
        ("level", "INFO", 1, "logs/quay.log"),
        ("level", "WARN", 1, "logs/quay.log"),
        ("level", "ERROR", 1, "logs/quay.log"),
        ("level", "FATAL", 1, "logs/quay.log"),
        ("status", "503", 1, "logs/quay.log"),
    }


def test_a_tally_has_the_line_and_words_of_its_first_example(ask: Ask) -> None:
    output = ask({"quay.log": '09:00 "GET /c7 HTTP/1.1" 200 12\n09:01 status: 503\n09:02 Status=503\nstatus: idle\n'})

    assert [(one.value, one.count, one.line, one.example) for one in output.aggregates.tallies] == [
        ("200", 1, 1, 'HTTP/1.1" 200'),
        ("503", 2, 2, "status: 503"),
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"text": "C7"}, [1, 2, 3]),
        ({"text": "Ｃ７ ＪＡＭＭＥＤ"}, [3]),
        ({"text": "yard"}, [4]),
        ({"text": "buoy"}, []),
        ({"level": "WARN"}, [2, 3, 4]),
        ({"level": "warning"}, [2, 3, 4]),
        ({"level": "fatal"}, [4]),
        ({"since": "2026-05-04T09:10:00Z"}, [2, 3, 4]),
        ({"until": "2026-05-04T09:10:00Z"}, [1, 2]),
        ({"since": "2026-05-04T09:10:00", "until": "2026-05-04T09:20:00"}, [2, 3]),
        ({"since": "2026-05-04T17:20:00+08:00", "level": "error", "text": "jammed"}, [3]),
    ],
)
def test_text_level_and_window_filter(ask: Ask, query: dict[str, object], expected: list[int]) -> None:
    output = ask({"quay.log": QUAY}, **query)

    assert lines(output) == expected
    assert (output.aggregates.scanned, output.aggregates.matched) == (4, len(expected))
    assert sum(pattern.count for pattern in output.aggregates.patterns) == len(expected)


def test_entities_and_terms_rank_and_do_not_filter(ask: Ask) -> None:
    assert lines(ask({"quay.log": QUAY}, entities=["hoist", ""], terms=["lost", ""])) == [1, 2, 3, 4]


@pytest.mark.parametrize("text", ["error crane", "ERROR crane"])
def test_coloured_words_are_found(ask: Ask, text: str) -> None:
    """Field bug 49: a colour may stand within a word."""
    output = ask({"quay.log": "09:00 \x1b[31mERR\x1b[0mOR \x1b[1mcrane\x1b[0m c7 jammed\n"}, text=text, level="ERROR")

    assert logs(output)[0].text == "09:00 ERROR crane c7 jammed"


def test_an_event_without_time_is_outside_no_window(ask: Ask) -> None:
    assert lines(ask({"quay.log": "crane moved\n"}, since="2026-05-04T09:10:00Z")) == [1]


def test_a_window_without_zone_is_utc(ask: Ask) -> None:
    naive, moscow = datetime(2026, 5, 4, 9, 10), datetime(2026, 5, 4, 12, 10, tzinfo=timezone(timedelta(hours=3)))

    assert LogQuery(since=naive).since == LogQuery(since=moscow).since == naive.replace(tzinfo=UTC)
    assert ask({"quay.log": QUAY}, until=naive).scope.until == naive.replace(tzinfo=UTC)


@pytest.mark.parametrize("query", [{"level": "loud"}, {"text": ""}, {"limit": 0}, {"limit": 201}, {"from": "x"}])
def test_a_wrong_query_is_refused(query: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        LogQuery.model_validate(query)


def test_a_wrong_level_is_told_the_right_ones() -> None:
    with pytest.raises(ValidationError, match="'loud' is no level; FATAL, ERROR, WARN, INFO and DEBUG are"):
        LogQuery(level="loud")


@pytest.mark.requirement("T7")
def test_a_limit_hides_no_count(ask: Ask) -> None:
    """Field bug 45: the error stands on the line after the limit."""
    noise = "".join(f"2026-05-04T09:00:{second:02d}Z ERROR gate {chr(97 + second)} shut\n" for second in range(10))
    output = ask({"quay.log": noise + "2026-05-04T09:00:30Z INFO winch snapped\n"}, limit=10)

    assert len(output.records) == 10
    assert (output.aggregates.scanned, output.aggregates.matched) == (11, 11)
    last = next(one for one in output.aggregates.patterns if "winch" in one.pattern)
    assert (last.count, last.line, last.first) == (1, 11, datetime(2026, 5, 4, 9, 0, 30, tzinfo=UTC))
    assert ("level", "ERROR", 10) in {(one.name, one.value, one.count) for one in output.aggregates.tallies}


@pytest.mark.parametrize("limit", [1, 7, 200])
def test_records_are_at_most_the_limit_and_never_twice(ask: Ask, limit: int) -> None:
    content = "".join(f"2026-05-04T09:00:00Z INFO lift {n} took {n % 90}ms by {chr(97 + n % 9)}\n" for n in range(600))
    found = lines(ask({"quay.log": content}, limit=limit))

    assert len(found) == len(set(found)) <= limit
    assert found


def test_one_telling_line_surfaces_among_thousands(ask: Ask) -> None:
    """Field bug 59: salience is not volume."""
    lamps = ("on", "off", "dim")
    noise = [f"2026-05-04T09:00:00Z ERROR buoy-{n % 7} noise {n}, lamp {lamps[n % 3]}" for n in range(4000)]
    noise.insert(2711, "2026-05-04T09:00:00Z ERROR winch-9 cable torn")
    output = ask({"quay.log": "\n".join(noise)}, entities=["winch-9"], limit=3)

    assert logs(output)[0].line == 2712
    assert output.aggregates.patterns[0].pattern.endswith("winch-<*> cable torn")


def test_a_named_event_is_the_example_of_its_pattern(ask: Ask) -> None:
    content = "".join(f"2026-05-04T09:00:00Z WARN winch-{n} cable worn\n" for n in range(100))

    assert logs(ask({"quay.log": content}, entities=["winch-73"], limit=1))[0].line == 74


def test_patterns_beyond_those_shown_are_counted(ask: Ask) -> None:
    words = [f"{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(MAX_PATTERNS_SHOWN + 20)]
    output = ask({"quay.log": "".join(f"2026-05-04T09:00:00Z INFO buoy {word}\n" for word in words)})

    assert len(output.aggregates.patterns) == MAX_PATTERNS_SHOWN
    assert output.aggregates.patterns_left_out == 20


def test_one_source_is_read_alone(ask: Ask) -> None:
    output = ask({"quay.log": QUAY, "deep/gate.jsonl": GATE}, source="logs/deep/gate.jsonl")

    assert [source.path for source in output.scope.sources] == ["logs/deep/gate.jsonl"]
    assert {record.source for record in output.records} == {"logs/deep/gate.jsonl"}


@pytest.mark.parametrize("source", ["logs/buoy.log", "../quay.log", "quay.log", "/etc/hostname", ""])
def test_an_unknown_source_is_told_the_known_ones(ask: Ask, source: str) -> None:
    with pytest.raises(ToolError, match=r"there are: logs/gate\.jsonl, logs/quay\.log") as refused:
        ask({"quay.log": QUAY, "gate.jsonl": GATE}, source=source)

    assert refused.value.type == "unknown_source"


@pytest.mark.requirement("T4")
def test_no_match_is_no_data(ask: Ask) -> None:
    output = ask({"quay.log": QUAY}, text="buoy")

    assert (output.status, output.records, output.scope.complete) == (Status.NO_DATA, (), True)


def test_no_log_at_all_is_no_data(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "runbooks").mkdir()
    (tmp_path / "runbooks" / "crane.md").write_text("# Crane\n", encoding="utf-8")

    assert ask({}).status is Status.NO_DATA
    with pytest.raises(ToolError, match="there are: none"):
        ask({}, source="logs/quay.log")


@pytest.mark.requirement("T4")
def test_a_bad_file_hides_no_other(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "outside.log").symlink_to("/etc/hostname")
    (tmp_path / "logs" / "lost.log").symlink_to(tmp_path / "none")
    os.mkfifo(tmp_path / "logs" / "pipe.log")
    packed = gzip.compress("".join(f"crane {os.urandom(9).hex()}\n" for _ in range(2000)).encode())
    output = ask({"noise.log": os.urandom(5000), "torn.log.gz": packed[:-3000], "empty.log": "", "quay.log": QUAY})

    assert output.status is Status.PARTIAL
    assert not output.scope.complete
    assert {gap.source: gap.reason for gap in output.scope.gaps} == {
        "logs/outside.log": "outside",
        "logs/lost.log": "unreadable",
        "logs/pipe.log": "unreadable",
        "logs/noise.log": "binary",
        "logs/torn.log.gz": "truncated",
        "logs/empty.log": "empty",
    }
    assert {source.path for source in output.scope.sources} == {"logs/torn.log.gz", "logs/empty.log", "logs/quay.log"}
    assert "FATAL" in {one.value for one in output.aggregates.tallies}


def test_an_empty_file_is_a_gap_and_still_complete(ask: Ask) -> None:
    output = ask({"empty.log": ""})

    assert (output.status, output.scope.complete) == (Status.NO_DATA, True)
    assert output.scope.gaps == (Gap(source="logs/empty.log", reason="empty", detail="0 bytes"),)


def test_a_link_out_of_the_directory_is_never_read(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "outside.log").symlink_to("/etc/hostname")

    with pytest.raises(ToolError, match="a link that leads out of the directory") as refused:
        ask({}, source="logs/outside.log")
    assert refused.value.type == "outside"


def test_when_nothing_can_be_read_the_call_fails(ask: Ask) -> None:
    with pytest.raises(ToolError, match=r"no log could be read; logs/noise\.log: ") as failed:
        ask({"noise.log": os.urandom(5000)})

    assert failed.value.type == "binary"


def test_a_file_that_vanished_is_a_gap(tmp_path: Path) -> None:
    scan = Scan(Filter(None, None, None, None, (), ()), AS_OF)
    scan.read(EvidenceFile("logs/quay.log", tmp_path / "gone.log"))

    assert scan.gaps == [Gap(source="logs/quay.log", reason="unreadable", detail="No such file or directory")]
    assert (scan.unread, scan.sources) == (1, [])
