"""Where a person can look for a fact: source, place, and the query to run again (C8)."""

import json
from collections.abc import Iterator

from superbiz.graph.domain.answer import Citation
from superbiz.graph.domain.evidence import Alert, Chunk, LogEvent, Record, Series, ToolOutput
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.text import fold
from superbiz.graph.domain.times import show_time
from superbiz.graph.domain.verdict import EvidenceRef
from superbiz.nodes.claims.draft import label_text

SHOWN_ARGUMENTS = ("kind", "source", "name", "text", "level", "question", "since", "until")
"""Arguments that decide what a query finds; those that only rank are left out."""


def cite(ref: EvidenceRef, rows: tuple[Invocation, ...], said: str = "") -> tuple[Citation, ...]:
    """A citation for each invocation of a reference among the rows; of several places, one that `said` names."""
    by_id = {row.invocation_id: row for row in rows}
    found = [by_id[id] for id in ref.source_invocation_ids if id in by_id]
    return tuple(_citation(row, row.output, ref.excerpt, said) for row in found if row.output is not None)


def query_text(row: Invocation) -> str:
    """The call to run again, e.g. `query_logs(source="logs/a.log")`."""
    arguments = (
        f"{name}={json.dumps(row.arguments[name], ensure_ascii=False)}"
        for name in SHOWN_ARGUMENTS
        if row.arguments.get(name)
    )
    return f"{row.tool_name}({', '.join(arguments)})"


def _citation(row: Invocation, output: ToolOutput, excerpt: str, said: str) -> Citation:
    wanted, query = fold(excerpt), query_text(row)
    found = [(source, place) for source, place, text in _places(output) if wanted and wanted in fold(text)]
    if found:
        source, place = next((one for one in found if one[0] in said), found[0])
        return Citation(source=source, place=place, query=query)
    return Citation(source=", ".join(row.source_labels), place="", query=query)


def _places(output: ToolOutput) -> Iterator[tuple[str, str, str]]:
    """Source, place and text of every record, then of every aggregate."""
    yield from ((record.source, _place(record), record.text) for record in output.records)
    for pattern in output.aggregates.patterns:
        for variant in pattern.variants:
            yield pattern.source, f"L{variant.line} ×{variant.count}", variant.text
        yield pattern.source, f"L{pattern.line} ×{pattern.count}", pattern.pattern
    for tally in output.aggregates.tallies:
        place = f"L{tally.line} ×{tally.count}" if tally.line else f"×{tally.count}"
        yield tally.source or "", place, tally.example or f"{tally.name}={tally.value}"


def _place(record: Record) -> str:
    match record:
        case LogEvent():
            lines = f"L{record.line}" if record.line == record.end_line else f"L{record.line}-L{record.end_line}"
            return lines if record.time is None else f"{lines} {show_time(record.time)}"
        case Alert():
            return f"{record.name}{label_text({k: v for k, v in record.labels.items() if k != 'alertname'})}"
        case Series():
            return f"{record.metric or ''}{label_text(record.labels)}"
        case Chunk():
            return f"L{record.line}"
