"""A name of the question that stands nowhere is a gap, and nothing else is stated in its place."""

from pathlib import Path

import pytest

from superbiz.graph.domain.evidence import Tally
from superbiz.graph.entry.shell import main
from superbiz.nodes.verify.match import Evidence
from superbiz.nodes.verify.mentions import unmentioned
from support.rows import make_alert, make_event, make_output, make_row


def test_a_name_may_stand_in_a_record_a_count_or_a_source() -> None:
    tallies = (Tally(name="mention", value="cart-db", count=9, line=3, source="logs/app.log"),)
    rows = (
        make_row(1, make_output(make_event(1, "pay-api refused"), tallies=tallies), labels=("logs/app.log",)),
        make_row(2, make_output(make_alert("PayDown", labels={"pod": "p-17"})), tool="query_metrics"),
    )
    asked = ("Pay-API", "cart-db", "p-17", "paydown", "app.log", "kafka-broker", "kafka-broker")
    assert unmentioned(asked, Evidence(rows, "kafka-broker?")) == ("kafka-broker",)


@pytest.mark.requirement("C3", "R3", "E4")
def test_a_question_about_what_is_nowhere_is_not_answered_with_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """End to end, without a model: both rounds look, the answer says what was not found."""
    (tmp_path / "e/logs").mkdir(parents=True)
    (tmp_path / "e/runbooks").mkdir()
    (tmp_path / "e/logs/app.log").write_text("2026-05-04T09:30:12Z ERROR pay-api refused\n")
    (tmp_path / "e/runbooks/a.md").write_text("# kafka-broker\n\nRestart kafka-broker.\n")
    code = main(["diagnose", "kafka-broker 为什么报错？", "--evidence", str(tmp_path / "e"), "--store", "memory:"])
    answer = capsys.readouterr().out
    assert code == 3
    assert "- kafka-broker：没有出现在任何日志、指标或告警中" in answer
    assert "pay-api" not in answer
    assert "a.md" not in answer
