"""The tools of a directory, and the clock among them."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from pydantic import ValidationError

from superbiz.graph.domain.evidence import Status
from superbiz.nodes.tools.current_time import CurrentTime, NoArguments
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.toolbox import toolbox
from support.script import AT, FixedClock


@pytest.mark.requirement("T3")
def test_every_tool_goes_by_its_name_and_only_the_clock_bears_no_evidence(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/kiln.log").touch()
    tools = toolbox(EvidenceDirectory(tmp_path), FixedClock())

    assert {name: tool.evidence_bearing for name, tool in tools.items()} == {
        "query_logs": True,
        "query_metrics": True,
        "lookup_knowledge": True,
        "current_time": False,
    }
    assert all(tool.name == name and tool.description for name, tool in tools.items())
    assert all(tool.arguments.model_config.get("extra") == "forbid" for tool in tools.values())


async def test_the_clock_tells_now_and_the_moment_that_is_judged_at_in_utc() -> None:
    as_of = datetime(2026, 5, 4, 17, 0, 0, 250_000, tzinfo=timezone(timedelta(hours=8)))
    output = await CurrentTime(FixedClock()).run(NoArguments(), as_of)

    assert output.status is Status.OK
    assert {tally.name: tally.value for tally in output.aggregates.tallies} == {
        "now": "2026-05-04T09:30:12Z",
        "as_of": "2026-05-04T09:00:00.25Z",
    }
    assert AT.tzinfo is UTC


def test_the_clock_takes_nothing() -> None:
    with pytest.raises(ValidationError):
        NoArguments.model_validate({"zone": "UTC"})
