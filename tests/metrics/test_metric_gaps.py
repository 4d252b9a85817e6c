"""A bad metrics file is a gap: the others are read, and only when none is left has the call failed."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from superbiz.graph.domain.evidence import Alert, Series, Status, ToolOutput
from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.query_metrics import MetricQuery, QueryMetrics
from support.vanishing import Vanishing

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
ERROR = b'{"status": "error", "errorType": "timeout", "error": "too slow"}'
GOOD = json.dumps({"data": {"resultType": "vector", "result": [{"metric": {}, "value": [1, "7"]}]}}).encode()
EMPTY = b'{"data": {"resultType": "vector", "result": []}}'
ALERTS = b'{"data": {"alerts": [{"labels": {"alertname": "HoistHot"}, "state": "firing"}]}}'


async def ask(root: Path, files: dict[str, bytes], kind: object = "series", **query: object) -> ToolOutput:
    (root / "in/metrics").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (root / "in/metrics" / name).write_bytes(content)
    # An evidence directory is not empty, whatever its metrics are.
    (root / "in/logs").mkdir(exist_ok=True)
    (root / "in/logs/quay.log").touch()
    arguments = MetricQuery.model_validate({"kind": kind, **query})
    return await QueryMetrics(EvidenceDirectory(root / "in")).run(arguments, AS_OF)


def reasons(output: ToolOutput) -> dict[str, str]:
    return {gap.source.removeprefix("metrics/"): gap.reason for gap in output.scope.gaps}


BAD = [
    (b"", "empty"),
    (b"<html>502</html>", "not_json"),
    (GOOD[:-4], "truncated"),
    (b'{"status": "success"}', "unknown_body"),
    (ERROR, "query_error"),
]


@pytest.mark.requirement("T4")
@pytest.mark.parametrize(("content", "reason"), BAD)
async def test_one_bad_file_hides_no_other(tmp_path: Path, content: bytes, reason: str) -> None:
    output = await ask(tmp_path, {"a.json": content, "b.json": GOOD, "c.json": content})
    assert (output.status, output.scope.complete) == (Status.PARTIAL, False)
    assert reasons(output) == {"a.json": reason, "c.json": reason}
    assert [record.source for record in output.records if isinstance(record, Series)] == ["metrics/b.json"]
    assert len(output.scope.sources) == 3


@pytest.mark.parametrize(("content", "reason"), BAD)
@pytest.mark.parametrize("query", [{}, {"source": "metrics/a.json"}])
async def test_when_all_files_are_bad_the_call_has_failed(
    tmp_path: Path, content: bytes, reason: str, query: dict[str, object]
) -> None:
    with pytest.raises(ToolError, match=f"no metrics file could be used; metrics/a.json: {reason}") as refused:
        await ask(tmp_path, {"a.json": content, "b.json": content}, **query)
    assert refused.value.type == reason


@pytest.mark.requirement("T4")
async def test_an_empty_result_beside_a_bad_file_is_no_absence(tmp_path: Path) -> None:
    output = await ask(tmp_path, {"a.json": EMPTY, "b.json": b""})
    assert (output.status, output.records) == (Status.PARTIAL, ())
    assert reasons(output) == {"a.json": "empty_result", "b.json": "empty"}


async def test_a_file_that_cannot_be_read_is_a_gap(tmp_path: Path) -> None:
    await ask(tmp_path, {"a.json": GOOD, "gone.json": GOOD})
    output = await QueryMetrics(Vanishing(tmp_path / "in")).run(MetricQuery(kind="series"), AS_OF)
    assert (output.status, reasons(output)) == (Status.PARTIAL, {"gone.json": "unreadable"})
    assert [file.path for file in output.scope.sources] == ["metrics/a.json"]


async def test_a_folder_named_like_a_file_is_entered_and_a_link_to_nothing_is_a_gap(tmp_path: Path) -> None:
    folder = tmp_path / "in/metrics/x.json"
    folder.mkdir(parents=True)
    (folder / "a.json").write_bytes(GOOD)
    os.symlink(tmp_path / "in/metrics/none", tmp_path / "in/metrics/z.json")
    output = await ask(tmp_path, {"notes.txt": b"not evidence"})
    assert reasons(output) == {"z.json": "unreadable"}
    assert [file.path for file in output.scope.sources] == ["metrics/x.json/a.json"]


def _link_out(root: Path) -> None:
    (root / "in/metrics").mkdir(parents=True)
    (root / "secret.json").write_bytes(GOOD)
    os.symlink(root / "secret.json", root / "in/metrics/link.json")


async def test_a_link_out_of_the_directory_is_never_read(tmp_path: Path) -> None:
    _link_out(tmp_path)
    output = await ask(tmp_path, {"a.json": EMPTY})
    assert (output.status, output.records) == (Status.PARTIAL, ())
    assert reasons(output) == {"a.json": "empty_result", "link.json": "outside"}


@pytest.mark.parametrize("query", [{}, {"source": "metrics/link.json"}])
async def test_nothing_but_a_link_out_has_failed(tmp_path: Path, query: dict[str, object]) -> None:
    _link_out(tmp_path)
    with pytest.raises(ToolError, match="a link that leads out") as refused:
        await ask(tmp_path, {}, **query)
    assert refused.value.type == "outside"


@pytest.mark.parametrize(("kind", "status"), [("series", Status.OK), ("alerts", Status.NO_DATA)])
async def test_a_link_out_says_nothing_about_the_one_file_asked_for(tmp_path: Path, kind: str, status: Status) -> None:
    _link_out(tmp_path)
    output = await ask(tmp_path, {"a.json": GOOD}, kind, source="metrics/a.json")
    assert (output.status, output.scope.complete, reasons(output)) == (status, True, {})


async def test_a_source_reads_one_file_only(tmp_path: Path) -> None:
    output = await ask(tmp_path, {"a.json": GOOD, "b.json": GOOD, "c.json": b""}, source="metrics/b.json")
    assert [file.path for file in output.scope.sources] == ["metrics/b.json"]
    assert (output.status, len(output.records)) == (Status.OK, 1)


@pytest.mark.parametrize("source", ["metrics/none.json", "a.json", "logs/quay.log", "../secret.json", ""])
async def test_an_unknown_source_is_refused(tmp_path: Path, source: str) -> None:
    with pytest.raises(ToolError, match="there is no metrics file") as refused:
        await ask(tmp_path, {"a.json": GOOD}, source=source)
    assert refused.value.type == "unknown_source"


async def test_alerts_take_nothing_from_series_and_no_gap_from_a_failed_query(tmp_path: Path) -> None:
    files = {"a.json": ALERTS, "b.json": GOOD, "c.json": ERROR}
    output = await ask(tmp_path, files, "alerts")
    assert [record.name for record in output.records if isinstance(record, Alert)] == ["HoistHot"]
    assert (output.status, reasons(output)) == (Status.OK, {})
    series = await ask(tmp_path, {})
    assert (series.status, len(series.records), reasons(series)) == (Status.PARTIAL, 1, {"c.json": "query_error"})


@pytest.mark.requirement("T4")
@pytest.mark.parametrize("kind", ["alerts", "series"])
async def test_no_metrics_at_all_is_no_data(tmp_path: Path, kind: str) -> None:
    output = await ask(tmp_path, {}, kind)
    assert (output.status, output.scope.complete, output.records) == (Status.NO_DATA, True, ())


@pytest.mark.parametrize("query", [{"kind": "logs"}, {"limit": 0}, {"limit": 201}, {"colour": "red"}])
def test_what_the_tool_does_not_take_is_refused(query: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        MetricQuery.model_validate({"kind": "alerts", **query})
