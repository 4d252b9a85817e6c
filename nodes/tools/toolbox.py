"""The tools over an evidence directory, by name."""

from typing import Any

from superbiz.graph.ports import Clock, Tool
from superbiz.nodes.tools.current_time import CurrentTime
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.lookup_knowledge import LookupKnowledge
from superbiz.nodes.tools.query_logs import QueryLogs
from superbiz.nodes.tools.query_metrics import QueryMetrics


def toolbox(directory: EvidenceDirectory, clock: Clock) -> dict[str, Tool[Any]]:
    """Every tool of a directory, and the clock."""
    tools: tuple[Tool[Any], ...] = (
        QueryLogs(directory),
        QueryMetrics(directory),
        LookupKnowledge(directory),
        CurrentTime(clock),
    )
    return {tool.name: tool for tool in tools}
