"""The tool over a directory: five statuses told apart, states judged at `as_of`, gaps that hide nothing."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from superbiz.graph.domain.evidence import Alert, Series, Status, ToolOutput
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.query_metrics import MetricQuery, QueryMetrics

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
T = AS_OF.timestamp()
PAST, FUTURE, NEVER = "2026-05-04T11:59:59.5Z", "2026-05-04T20:00:01+08:00", "0001-01-01T00:00:00Z"

Json = dict[str, object]


def point(value: object, name: str = "lifts", **labels: str) -> Json:
    return {"metric": {"__name__": name, **labels}, "value": [T, value]}


def points(*values: object) -> Json:
    return {"metric": {"__name__": "lifts"}, "values": [[T + i, value] for i, value in enumerate(values)]}


def result(*items: Json, kind: str = "vector", **more: object) -> Json:
    return {"status": "success", "data": {"resultType": kind, "result": items}, **more}


def prom(state: str, name: str = "HoistHot", **labels: str) -> Json:
    return {"labels": {"alertname": name, **labels}, "annotations": {}, "state": state, "activeAt": PAST, "value": "1"}


def managed(state: object, ends: object, **labels: str) -> Json:
    status = state if isinstance(state, dict) else {"state": state}
    return {"labels": {"alertname": "HoistHot", **labels}, "status": status, "startsAt": PAST, "endsAt": ends}


def alerts(*items: Json) -> Json:
    return {"status": "success", "data": {"alerts": items}}


class Ask:
    """Writes files below `metrics/`, then runs the tool."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "metrics").mkdir()

    async def __call__(self, files: dict[str, object], kind: object = "series", **query: object) -> ToolOutput:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            (self.root / "metrics" / name).write_bytes(data)
        tool = QueryMetrics(EvidenceDirectory(self.root))
        return await tool.run(MetricQuery.model_validate({"kind": kind, **query}), AS_OF)


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    return Ask(tmp_path)


def gaps(output: ToolOutput) -> list[tuple[str, str]]:
    return [(gap.source.removeprefix("metrics/"), gap.reason) for gap in output.scope.gaps]


def states(output: ToolOutput) -> list[str]:
    return [record.state.value for record in output.records if isinstance(record, Alert)]


@pytest.mark.requirement("T4")
@pytest.mark.parametrize(
    ("body", "status", "reasons"),
    [
        (result(point("3")), Status.OK, []),
        (result(point("0"), point("3", crane="c7")), Status.OK, []),
        (result(point("0")), Status.ZERO, []),
        (result(point(0), point("-0.0", crane="c7")), Status.ZERO, []),
        (result(points("0", "0"), kind="matrix"), Status.ZERO, []),
        (result(points("0", "1"), kind="matrix"), Status.OK, []),
        (result(), Status.NO_DATA, ["empty_result"]),
        (result(kind="matrix"), Status.NO_DATA, ["empty_result"]),
        (result(points(), kind="matrix"), Status.NO_DATA, []),
        (result(point("NaN")), Status.OK, ["special_value"]),
        ({"data": {"resultType": "scalar", "result": [T, "0"]}}, Status.ZERO, []),
        ({"data": {"resultType": "scalar", "result": [T, "2"]}}, Status.OK, []),
        ({"data": {"resultType": "string", "result": [T, "hoist"]}}, Status.OK, ["special_value"]),
        (result(point("3"), {"metric": {}, "histogram": [T, {}]}), Status.PARTIAL, ["unknown_body"]),
        (result(point("3"), warnings=["cut"], infos=["old"]), Status.OK, ["warning", "warning"]),
    ],
)
async def test_zero_is_not_nothing_and_nothing_is_not_zero(
    ask: Ask, body: Json, status: Status, reasons: list[str]
) -> None:
    output = await ask({"a.json": body})
    assert (output.status, [reason for _, reason in gaps(output)]) == (status, reasons)
    assert output.scope.complete is (status is not Status.PARTIAL)


@pytest.mark.parametrize(
    ("raw", "text"),
    [("NaN", "NaN"), ("+Inf", "+Inf"), ("-Inf", "-Inf"), (None, "null"), ("", ""), ("soon", "soon"), (True, "true")],
)
async def test_a_special_value_stays_text_and_good_rows_stay(ask: Ask, raw: object, text: str) -> None:
    output = await ask({"a.json": result(point("7"), point(raw, crane="c7"), {**points("1", raw, 2), "metric": {}})})
    found = {record.count: record for record in output.records if isinstance(record, Series) and record.special}
    assert (output.aggregates.matched, found[1].minimum, found[3].special) == (3, None, 1)
    assert found[1].last is not None
    assert found[3].maximum is not None
    assert (found[1].last.value, found[3].maximum.value) == (text, "2")
    assert [gap.detail for gap in output.scope.gaps] == [f"lifts{{crane=c7}} {text} (1/1)", f" {text} (1/3)"]


async def test_bare_words_that_are_no_json_are_kept_as_text(ask: Ask) -> None:
    output = await ask({"a.json": json.dumps(result(points(float("nan"), float("inf"), 4))).encode()})
    assert [gap.detail for gap in output.scope.gaps] == ["lifts NaN, Infinity (2/3)"]


@pytest.mark.requirement("T4")
@pytest.mark.parametrize(
    ("body", "found"),
    [
        (alerts(prom("firing"), prom("pending", crane="c7"), prom("inactive", crane="c8")), "firing pending inactive"),
        ({"data": {"groups": [{"rules": [{"name": "A", "alerts": [prom("firing")]}]}]}}, "firing"),
        ([managed("active", FUTURE)], "firing"),
        ([managed("active", NEVER)], "firing"),
        ([managed("unprocessed", None)], "firing"),
        ([managed("active", "soon")], "firing"),
        ([managed("active", "9999-12-31T23:59:59-01:00")], "firing"),
        ([managed("active", PAST)], "resolved"),
        ([managed("active", "2026-05-04T12:00:00")], "resolved"),
        ([managed("suppressed", FUTURE)], "suppressed"),
        ([managed("suppressed", PAST)], "resolved"),
        ([managed("resolved", NEVER)], "resolved"),
        ([{**managed("", FUTURE), "status": "firing"}], "firing"),
    ],
)
async def test_states_are_told_apart(ask: Ask, body: object, found: str) -> None:
    output = await ask({"a.json": body}, "alerts")
    assert (output.status, states(output)) == (Status.OK, found.split())
    assert {tally.value: tally.count for tally in output.aggregates.tallies} == dict.fromkeys(found.split(), 1)


@pytest.mark.parametrize("body", [alerts(prom("loud")), [managed({}, FUTURE)], [{"labels": {}, "alerts": []}]])
async def test_an_alert_without_a_known_state_is_a_gap(ask: Ask, body: object) -> None:
    output = await ask({"a.json": body}, "alerts")
    assert (output.status, gaps(output), output.records) == (Status.PARTIAL, [("a.json", "unknown_body")], ())


@pytest.mark.requirement("T5")
async def test_only_alerts_with_the_same_full_label_set_are_one(ask: Ask) -> None:
    one, other = prom("firing", crane="c7"), prom("firing", crane="c8")
    output = await ask({"a.json": alerts(one, other, one, prom("pending", crane="c7"))}, "alerts")
    found = [(r.labels["crane"], r.state.value, r.name) for r in output.records if isinstance(r, Alert)]
    assert found == [("c7", "firing", "HoistHot"), ("c8", "firing", "HoistHot"), ("c7", "pending", "HoistHot")]


async def test_times_are_utc_and_no_end_is_none(ask: Ask) -> None:
    output = await ask({"a.json": [managed("active", NEVER), managed("active", FUTURE, crane="c7")]}, "alerts")
    found = {r.ends_at: r.active_at for r in output.records if isinstance(r, Alert)}
    assert found == dict.fromkeys((None, AS_OF + timedelta(seconds=1)), AS_OF - timedelta(seconds=0.5))


@pytest.mark.parametrize(
    ("query", "crane", "matched"),
    [
        ({"limit": 1}, "c0", 30),
        ({"limit": 1, "entities": ["c7"], "terms": ["c8"]}, "c7", 30),
        ({"limit": 1, "terms": ["C8"]}, "c8", 30),
        ({"limit": 1, "name": "LIFT"}, "c0", 30),
        ({"limit": 1, "name": "lifts_c9"}, "c9", 1),
    ],
)
async def test_a_limit_cuts_records_and_never_the_count(ask: Ask, query: Json, crane: str, matched: int) -> None:
    items = [point("1", f"lifts_c{i}", crane=f"c{i}") for i in reversed(range(30))]
    output = await ask({"a.json": result(*items)}, **query)
    found = [record.labels["crane"] for record in output.records if isinstance(record, Series)]
    assert (found, output.aggregates.matched, output.aggregates.scanned) == ([crane], matched, 30)


async def test_what_is_down_comes_first_and_a_name_that_fits_nothing_is_no_data(ask: Ask) -> None:
    body = result(point("9", "a"), point("1", "up"), point("0", "up", crane="c7"))
    first = (await ask({"a.json": body})).records[0]
    assert isinstance(first, Series)
    assert first.labels == {"crane": "c7"}
    assert (await ask({}, name="gate")).status is Status.NO_DATA
