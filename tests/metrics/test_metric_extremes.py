"""Bodies that services hardly ever send: none ends in a fault, none is lost without a gap, none counts twice."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.evidence import Alert, Series, Status, ToolOutput
from superbiz.graph.errors import ToolError
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.query_metrics import MetricQuery, QueryMetrics
from superbiz.nodes.tools.source import DirectorySource

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
GOOD = {"data": {"resultType": "vector", "result": [{"metric": {"crane": "c7"}, "value": [1, "7"]}]}}
ERROR = {"status": "error", "errorType": "execution", "error": "too many samples"}


def ask(root: Path, files: dict[str, object], kind: str = "series", **query: object) -> ToolOutput:
    (root / "metrics").mkdir(exist_ok=True)
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (root / "metrics" / name).write_text(text, "utf-8", "surrogatepass")
    arguments = MetricQuery.model_validate({"kind": kind, **query})
    return asyncio.run(QueryMetrics(EvidenceDirectory(root)).run(arguments, AS_OF))


def gaps(output: ToolOutput) -> list[tuple[str, str]]:
    return [(gap.reason, gap.detail) for gap in output.scope.gaps]


def rules(*found: object) -> object:
    return {"status": "success", "data": {"groups": [{"name": "quay", "rules": found}]}}


def firing(name: str, **labels: str) -> dict[str, object]:
    return {"labels": {"alertname": name, **labels}, "state": "firing", "activeAt": "2026-05-04T11:00:00Z"}


def states(output: ToolOutput) -> dict[str, str]:
    return {record.name: record.state.value for record in output.records if isinstance(record, Alert)}


@pytest.mark.requirement("T4")
@pytest.mark.parametrize("query", [{}, {"source": "metrics/a.json"}])
def test_an_error_where_alerts_should_be_is_no_absence_of_alerts(tmp_path: Path, query: dict[str, object]) -> None:
    with pytest.raises(ToolError, match="query_error execution: too many samples"):
        ask(tmp_path, {"a.json": ERROR, "b.json": GOOD}, "alerts", **query)


@pytest.mark.parametrize("state", ["firing", "pending"])
def test_a_rule_whose_alerts_were_left_out_has_its_own_state(tmp_path: Path, state: str) -> None:
    output = ask(tmp_path, {"a.json": rules({"name": "HoistHot", "state": state, "alerts": []})}, "alerts")
    assert states(output) == {"HoistHot": state}


def test_a_rule_that_could_not_be_evaluated_is_not_inactive(tmp_path: Path) -> None:
    found = [
        {"name": "HoistHot", "state": "inactive", "lastError": "no such series", "alerts": []},
        {"name": "GateOpen", "state": "firing", "lastError": "timed out", "alerts": [firing("GateOpen")]},
        {"name": "CraneDown", "state": "inactive", "lastError": "", "alerts": []},
    ]
    output = ask(tmp_path, {"a.json": rules(*found)}, "alerts")
    assert states(output) == {"GateOpen": "firing", "CraneDown": "inactive"}
    assert (output.status, output.scope.complete) == (Status.PARTIAL, False)
    assert gaps(output) == [("query_error", "HoistHot: no such series"), ("query_error", "GateOpen: timed out")]


@pytest.mark.requirement("T5")
def test_an_alert_of_which_two_services_tell_counts_once(tmp_path: Path) -> None:
    alert = firing("HoistHot", crane="c7")
    managed = {"labels": alert["labels"], "status": {"state": "suppressed"}}
    files = {"a.json": {"data": {"alerts": [alert]}}, "b.json": rules({"alerts": [alert]}), "c.json": [managed]}
    output = ask(tmp_path, files, "alerts")
    assert [record.source for record in output.records] == ["metrics/a.json", "metrics/b.json", "metrics/c.json"]
    assert [(tally.value, tally.count) for tally in output.aggregates.tallies] == [("firing", 1), ("suppressed", 1)]


def test_a_series_of_zeros_and_no_numbers_is_not_zero(tmp_path: Path) -> None:
    series = {"metric": {"__name__": "up"}, "values": [[1, "0"], [2, "NaN"], [3, "0"]]}
    output = ask(tmp_path, {"a.json": {"data": {"resultType": "matrix", "result": [series]}}})
    assert (output.status, gaps(output)) == (Status.OK, [("special_value", "up NaN (1/3)")])


@pytest.mark.parametrize("result", ["none", {}, 7, False])
def test_a_result_that_is_no_list_is_not_an_empty_one(tmp_path: Path, result: object) -> None:
    with pytest.raises(ToolError) as refused:
        ask(tmp_path, {"a.json": {"data": {"resultType": "vector", "result": result}}})
    assert refused.value.type == "unknown_body"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("series", {"data": {"resultType": "vector", "result": ["x", None]}}),
        ("alerts", {"data": {"alerts": ["x", None]}}),
    ],
)
def test_entries_that_are_no_objects_are_counted(tmp_path: Path, kind: str, body: object) -> None:
    output = ask(tmp_path, {"a.json": body}, kind)
    assert (output.status, gaps(output)) == (Status.PARTIAL, [("unknown_body", "2/2")])


@pytest.mark.parametrize("number", ["1e999", "1" * 400, "0x1p3", "1_0"])
def test_a_number_that_no_float_holds_is_no_finite_one(tmp_path: Path, number: str) -> None:
    raw = json.dumps(GOOD).replace('"7"', number if number[0] == "1" and "_" not in number else f'"{number}"')
    (series,) = ask(tmp_path, {"a.json": raw}).records
    assert isinstance(series, Series)
    assert (series.special, series.minimum) == (1, None)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("series", '{"data": {"resultType": "vector", "result": [{"metric": {"a": %s}, "value": [1, "1"]}]}}'),
        ("series", '{"data": {"resultType": "vector", "result": [{"metric": {}, "value": [1, %s]}]}}'),
        ("series", '{"status": "error", "error": %s}'),
        ("alerts", '[{"labels": {}, "status": {"state": "active"}, "x": %s}]'),
        ("alerts", '{"data": {"alerts": []}, "warnings": [%s]}'),
    ],
)
def test_a_body_nested_to_any_depth_hides_no_other(tmp_path: Path, kind: str, body: str) -> None:
    """Just below the depth that cannot be read lies one that cannot be written again."""
    good = {"series": GOOD, "alerts": [{"labels": {"alertname": "HoistHot"}, "status": {"state": "active"}}]}[kind]
    for depth in (1, *range(960, 1001), 50_000):
        output = ask(tmp_path, {"a.json": body % ("[" * depth + "]" * depth), "b.json": good}, kind)
        assert "metrics/b.json" in [record.source for record in output.records]


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.text("\ud800\x00a")
stamps = st.sampled_from(
    [1777887012, "1777887012.5", "2026-05-04T11:00:00Z", "9999-12-31T23:59:59-09:00", "0001-01-01"]
)
states_ = st.sampled_from(["firing", "pending", "active", "suppressed", "resolved", "inactive", "unknown", "error"])
FIELDS = """
    status data resultType result metric value values labels annotations state alerts groups rules name type
    activeAt startsAt endsAt error errorType warnings infos lastError alertname __name__ histogram
"""
fields = st.sampled_from(FIELDS.split())
kinds = st.sampled_from(["vector", "matrix", "scalar", "string", "streams", "success"])
values = st.recursive(
    scalars | stamps | states_ | kinds,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(fields | st.text(max_size=3), inner, max_size=6),
    max_leaves=20,
)
items = st.lists(st.dictionaries(fields, values, max_size=6) | values, max_size=4)
bodies = (
    values
    | items
    | st.builds(lambda kind, result: {"data": {"resultType": kind, "result": result}}, kinds, items | values)
    | st.builds(lambda alerts: {"data": {"alerts": alerts}}, items)
    | st.builds(lambda found: rules(*found), items)
)


@given(body=bodies, kind=st.sampled_from(["alerts", "series"]), name=st.none() | st.text(max_size=3))
def test_any_json_is_read_or_a_gap_and_can_be_stored(
    tmp_path_factory: pytest.TempPathFactory, body: object, kind: str, name: str | None
) -> None:
    root = tmp_path_factory.mktemp("any")
    output = ask(root, {"a.json": body, "b.json": GOOD, "c.json": {"data": {"alerts": []}}}, kind, name=name)
    assert ToolOutput.model_validate_json(output.model_dump_json()) == output
    assert len(output.records) <= output.aggregates.matched <= output.aggregates.scanned
    assert output.scope.complete or output.scope.gaps
    asyncio.run(DirectorySource(EvidenceDirectory(root)).catalog()).model_dump_json()


@given(content=st.binary(max_size=40))
def test_any_bytes_hide_no_other_file(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    root = tmp_path_factory.mktemp("any")
    (root / "metrics").mkdir()
    (root / "metrics/a.json").write_bytes(content)
    output = ask(root, {"b.json": GOOD})
    assert "metrics/b.json" in [record.source for record in output.records]
