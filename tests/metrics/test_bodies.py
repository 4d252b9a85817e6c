"""One metrics file: what kind of body it is, and why it could not be used."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from superbiz.graph.domain.evidence import AlertState, Series
from superbiz.nodes.tools.directory import EvidenceFile
from superbiz.nodes.tools.metrics.body import Body, BodyKind, Unusable, read_body
from superbiz.nodes.tools.metrics.records import WHOLE_SAMPLES, alerts_of, is_finite, series_of, unread_of

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def _read(root: Path, content: bytes) -> Body | Unusable:
    path = root / "b.json"
    path.write_bytes(content)
    return read_body(EvidenceFile("metrics/b.json", path))


def _body(root: Path, found: object) -> Body:
    read = _read(root, json.dumps(found).encode())
    assert isinstance(read, Body)
    return read


def _vector(*items: object, kind: str = "vector") -> dict[str, object]:
    return {"status": "success", "data": {"resultType": kind, "result": list(items)}}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"<html>502</html>", "not_json"),
        (b'{"a": 1} and more', "not_json"),
        (b'{"a": oops}', "not_json"),
        (b"[" * 100_000, "not_json"),
        (b'{"a": "\xff"}', "not_json"),
        (b'{"status": "success", "data": {"resul', "truncated"),
        (b'{"a": 1', "truncated"),
        (b"[1,", "truncated"),
        (b"\xef\xbb\xbf[1,", "truncated"),
        ('["起重'.encode()[:-1], "truncated"),
        (b"{}", "unknown_body"),
        (b"7", "unknown_body"),
        (b"null", "unknown_body"),
        (b'"up"', "unknown_body"),
        (b'{"status": "success", "data": ["crane", "hoist"]}', "unknown_body"),
        (b'{"data": {"result": []}}', "unknown_body"),
        (b'{"data": {"alerts": null}}', "unknown_body"),
        (b"[1, 2]", "unknown_body"),
        (b'[{"labels": {}}, 7]', "unknown_body"),
        (b'[{"name": "crane"}]', "unknown_body"),
    ],
)
def test_a_body_that_cannot_be_used_says_why(tmp_path: Path, content: bytes, reason: str) -> None:
    read = _read(tmp_path, content)
    assert isinstance(read, Unusable)
    assert (read.gap.source, read.gap.reason) == ("metrics/b.json", reason)
    assert read.file is not None
    assert read.file.bytes == len(content)


def test_a_file_that_cannot_be_read_is_a_gap_without_a_file(tmp_path: Path) -> None:
    assert isinstance(read := read_body(EvidenceFile("metrics/b.json", tmp_path)), Unusable)
    assert (read.gap.reason, read.gap.detail, read.file) == ("unreadable", os.strerror(21), None)


@pytest.mark.parametrize(
    ("found", "kind", "items"),
    [
        (_vector(), BodyKind.SERIES, 0),
        (_vector({"metric": {}, "value": [1, "2"]}), BodyKind.SERIES, 1),
        (_vector({"metric": {}, "values": [[1, "2"]]}, kind="matrix"), BodyKind.SERIES, 1),
        ({"resultType": "vector", "result": None}, BodyKind.SERIES, 0),
        ({"data": {"resultType": "scalar", "result": [1, "2"]}}, BodyKind.SERIES, 1),
        ({"data": {"resultType": "string", "result": [1, "hoist"]}}, BodyKind.SERIES, 1),
        ({"data": {"alerts": [{"labels": {}}]}}, BodyKind.ALERTS, 1),
        ({"data": {"groups": [{"rules": [{"name": "A", "alerts": [{}, {}]}]}]}}, BodyKind.ALERTS, 2),
        ({"data": {"groups": [{"rules": [{"type": "recording", "alerts": [{}]}, {"name": "r"}]}]}}, BodyKind.ALERTS, 0),
        ([], BodyKind.ALERTS, 0),
        ([{"labels": {}}], BodyKind.ALERTS, 1),
        ({"status": "error", "data": {"resultType": "vector", "result": []}}, BodyKind.ERROR, 0),
    ],
)
def test_the_body_tells_its_kind(tmp_path: Path, found: object, kind: BodyKind, items: int) -> None:
    body = _body(tmp_path, found)
    assert (body.kind, len(body.items), body.alertmanager) == (kind, items, isinstance(found, list))


def test_an_error_and_warnings_are_told_in_the_words_of_the_service_and_normalised(tmp_path: Path) -> None:
    error = _body(tmp_path, {"status": "error", "errorType": "timeout", "error": "too\x00 slow"})
    assert [(gap.reason, gap.detail) for gap in error.gaps] == [("query_error", "timeout: too\u2400 slow")]
    warned = _body(tmp_path, {**_vector(), "warnings": ["cut \ud800", 7], "infos": ["old"]})
    assert [(gap.reason, gap.detail) for gap in warned.gaps] == [
        ("warning", "cut \ufffd"),
        ("warning", "7"),
        ("warning", "old"),
    ]


def test_a_rule_without_alerts_is_one_inactive_alert(tmp_path: Path) -> None:
    rules = [
        {"name": "HoistHot", "labels": {"team": "quay"}, "alerts": []},
        {"name": "GateOpen", "labels": None, "alerts": []},
    ]
    alerts = list(alerts_of(_body(tmp_path, {"data": {"groups": [{"rules": rules}, {"rules": None}]}}), AS_OF))
    assert [alert.labels for alert in alerts] == [{"alertname": "HoistHot", "team": "quay"}, {"alertname": "GateOpen"}]
    assert {alert.state for alert in alerts} == {AlertState.INACTIVE}


def _series(root: Path, item: object) -> Series:
    ((series, _gaps),) = series_of(_body(root, _vector(item)))
    return series


@pytest.mark.parametrize("count", [1, WHOLE_SAMPLES, WHOLE_SAMPLES + 1, 11_000])
def test_a_long_range_keeps_its_ends_and_extremes(tmp_path: Path, count: int) -> None:
    values = [[60 * i, str(i)] for i in range(count)]
    values[count // 2][1], values[count // 3][1] = "-5", "99999"
    series = _series(tmp_path, {"metric": {"__name__": "lifts", "crane": "c7"}, "values": values})
    assert (series.metric, series.labels, series.count) == ("lifts", {"crane": "c7"}, count)
    assert series.first is not None
    assert series.last is not None
    assert series.minimum is not None
    assert series.maximum is not None
    assert (series.first.value, series.last.value) == (values[0][1], values[-1][1])
    if count > 1:
        assert (series.minimum.value, series.maximum.value) == ("-5", "99999")
    shown = json.loads(series.text)["values"]
    assert shown == (values if count <= WHOLE_SAMPLES else [values[i] for i in (0, count // 3, count // 2, -1)])


@pytest.mark.parametrize(
    ("item", "read"),
    [
        ({"metric": {}, "value": [1, "2"]}, True),
        ({"metric": {}, "values": []}, True),
        ({"metric": {}, "values": None, "value": [1, 2]}, True),
        ({"metric": {}, "histogram": [1, {"count": "2"}]}, False),
        ({"metric": {}, "value": "2"}, False),
        ({"metric": {}, "value": [1]}, False),
        ({"metric": {}, "value": ["soon", "2"]}, False),
        ({"metric": {}, "value": [1e300, "2"]}, False),
        ({"metric": {}, "values": [[1, "2"], [2]]}, False),
    ],
)
def test_a_sample_of_an_unknown_form_is_never_lost_silently(tmp_path: Path, item: object, read: bool) -> None:
    gaps = list(unread_of(_body(tmp_path, _vector(item, {"metric": {}, "value": [1, "0"]})), AS_OF))
    assert [(gap.reason, gap.detail) for gap in gaps] == ([] if read else [("unknown_body", "1/2")])


@pytest.mark.parametrize(
    ("text", "finite"),
    [("0", True), ("-1.5e3", True), ("NaN", False), ("+Inf", False), ("-Inf", False), ("null", False), ("", False)],
)
def test_only_a_finite_number_counts_as_one(text: str, finite: bool) -> None:
    assert is_finite(text) is finite
