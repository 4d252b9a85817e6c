"""The guard reads composed text; citations lead to the place of every kind of record."""

from datetime import UTC, datetime

import pytest

from superbiz.graph.domain.answer import Citation
from superbiz.graph.domain.evidence import Chunk, LogEvent, Record, Sample, Scope, Series, SourceFile, Tally, Variant
from superbiz.graph.domain.ids import InvocationId, TraceRef
from superbiz.graph.domain.verdict import EvidenceRef
from superbiz.nodes.compose.citations import cite, query_text
from superbiz.nodes.compose.guard import foreign_parts
from support.rows import make_alert, make_event, make_output, make_pattern, make_row

ALLOWED = "pay-api 在 2026-05-04T03:00:00Z 共 7 次「connection refused」，最长 40 ms。"
NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


@pytest.mark.requirement("C5")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pay-api 有 7 次「connection refused」。", ()),
        ("最长耗时 40 ms，发生在 2026-05-04T03:00:00Z。", ()),
        ("pay-db-9 有 7 次错误。", ("name pay-db-9",)),
        ("pay-api 有 8 次错误。", ("number 8次",)),
        ("pay-api 在 2026-05-04T04:00:00Z 报错。", ("time 2026-05-04T04:00:00+00:00",)),
        ("pay-api 报「disk full」。", ("quote disk full",)),
        ("pay-api 因为网络报错。", ("a cause",)),
    ],
)
def test_every_part_of_a_composed_text_traces_to_allowed_material(text: str, found: tuple[str, ...]) -> None:
    assert foreign_parts(text, ALLOWED) == found


@pytest.mark.requirement("C5")
def test_a_cause_that_is_allowed_may_be_said() -> None:
    assert foreign_parts("pay-api 因为网络报错。", ALLOWED + "由于网络，pay-api 报错。") == ()


SERIES = Series(
    source="metrics/q.json",
    metric="up",
    labels={"job": "pay"},
    count=1,
    special=0,
    first=Sample(time=NOON, value="1"),
    last=Sample(time=NOON, value="1"),
    minimum=None,
    maximum=None,
    text="the series",
)
CHUNK = Chunk(source="runbooks/a.md", line=3, heading="H", chunk_id="k", score=1.0, text="the passage")
ALERT = make_alert("PayDown", labels={"alertname": "PayDown", "pod": "p-1"})
TRACE = LogEvent(source="logs/app.log", line=4, end_line=6, text="the stack")


@pytest.mark.requirement("C8")
@pytest.mark.parametrize(
    ("record", "source", "place"),
    [
        (make_event(7, "the event"), "logs/app.log", "L7 2026-05-04T03:00:00Z"),
        (TRACE, "logs/app.log", "L4-L6"),
        (
            make_alert("PayDown", labels={"alertname": "PayDown", "pod": "p-1"}),
            "metrics/alerts.json",
            "PayDown{pod=p-1}",
        ),
        (SERIES, "metrics/q.json", "up{job=pay}"),
        (CHUNK, "runbooks/a.md", "L3"),
    ],
)
def test_a_citation_names_source_place_and_query(record: Record, source: str, place: str) -> None:
    assert _cited(record.text, record) == Citation(source=source, place=place, query=QUERY)


@pytest.mark.requirement("C8")
@pytest.mark.parametrize(
    ("excerpt", "place"),
    [("took <*> ms", "L3 ×9"), ("took 5 ms", "L3 ×2"), ("status: 404", "L8 ×41"), ("level=ERROR", "×5")],
)
def test_an_aggregate_is_cited_by_its_first_line_and_count(excerpt: str, place: str) -> None:
    assert _cited(excerpt).place == place


def test_what_stands_nowhere_is_cited_by_the_sources_of_its_call() -> None:
    assert _cited("gone") == Citation(source="logs/app.log, logs/b.log", place="", query=QUERY)


ROW = make_row(1, arguments={"source": "logs/app.log", "terms": ["x"], "since": None})
QUERY = 'query_logs(source="logs/app.log")'


def _cited(excerpt: str, *records: Record) -> Citation:
    output = make_output(
        *records,
        patterns=(make_pattern(3, "took <*> ms", 9, variants=(Variant(text="took 5 ms", count=2, line=3),)),),
        tallies=(
            Tally(name="status", value="404", count=41, line=8, example="status: 404", source="logs/app.log"),
            Tally(name="level", value="ERROR", count=5, source="logs/app.log"),
        ),
        scope=Scope(sources=(SourceFile(path="logs/app.log", bytes=1, sha256=""),)),
    )
    row = ROW.model_copy(update={"output": output, "source_labels": ("logs/app.log", "logs/b.log")})
    ref = EvidenceRef(
        trace_ref=TraceRef("T1"), source_invocation_ids=(row.invocation_id, InvocationId("inv-gone")), excerpt=excerpt
    )
    (cited,) = cite(ref, (row,))
    return cited


def test_a_query_is_told_by_what_decides_its_result() -> None:
    assert query_text(ROW) == QUERY
