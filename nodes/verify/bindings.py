"""Whether a claim's bindings hold: the invocation exists in this turn, bears evidence, succeeded, says so (V6)."""

from collections.abc import Iterator
from dataclasses import dataclass

from superbiz.graph.domain.contract import Binding, Claim
from superbiz.graph.domain.ids import InvocationId
from superbiz.graph.domain.record import Invocation, ToolTraceSummary
from superbiz.graph.domain.text import fold
from superbiz.nodes.verify.carriers import carriers_of


@dataclass(frozen=True)
class BindingCheck:
    """What became of one claim's bindings."""

    invocations: tuple[InvocationId, ...]
    """Rows that good bindings name, duplicates resolved to their originals."""
    excerpts: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Every binding holds, and there is at least one."""
        return bool(self.invocations) and not self.problems


def check_bindings(claim: Claim, rows: tuple[Invocation, ...], summary: ToolTraceSummary) -> BindingCheck:
    """Check every binding of a claim against this turn's rows."""
    by_id = {row.invocation_id: row for row in rows}
    entries = {str(entry.trace_ref): entry.source_invocation_ids for entry in summary.entries}
    good: list[InvocationId] = []
    excerpts: list[str] = []
    problems: list[str] = [] if claim.evidence_bindings else ["no_binding"]
    for binding in claim.evidence_bindings:
        named = tuple(id for given in binding.source_invocation_ids for id in entries.get(given, (given,)))
        found = list(_problems(binding, named, by_id))
        problems += found
        if not found:
            good += [_original(by_id[id]) for id in named]
            excerpts.append(binding.evidence_excerpt)
    return BindingCheck(tuple(dict.fromkeys(good)), tuple(excerpts), tuple(problems))


def _problems(binding: Binding, named: tuple[InvocationId, ...], rows: dict[InvocationId, Invocation]) -> Iterator[str]:
    if not named:
        yield "no_invocation"
    for id in named:
        row = rows.get(id)
        if row is None:
            yield f"unknown_invocation: {id}"
        else:
            yield from _row_problems(row, binding)
    known = [rows[id] for id in named if id in rows]
    originals = [rows[_original(row)] for row in known if _original(row) in rows]
    if originals and not any(holds(row, binding.evidence_excerpt) for row in originals):
        yield "excerpt_not_found"


def _row_problems(row: Invocation, binding: Binding) -> Iterator[str]:
    if not row.evidence_bearing:
        yield f"not_evidence: {row.tool_name}"
    elif not row.success:
        yield f"call_failed: {row.invocation_id}"
    elif row.deduped and row.tool_name == "lookup_knowledge":
        yield f"duplicate_knowledge: {row.invocation_id}"
    if row.tool_name != binding.tool_name:
        yield f"other_tool: {row.tool_name}, not {binding.tool_name}"


def holds(row: Invocation, excerpt: str) -> bool:
    """Whether the excerpt stands, folded, in one record or aggregate of the row's output. An empty one does not."""
    wanted = fold(excerpt)
    return bool(wanted) and any(wanted in carrier.folded for carrier in carriers_of(row))


def _original(row: Invocation) -> InvocationId:
    return row.deduped_of or row.invocation_id
