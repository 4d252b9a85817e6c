"""The entries of `tool_trace_summary`, from rows alone (T1, T2)."""

import json
from collections.abc import Iterable

from pydantic import JsonValue

from superbiz.graph.domain.evidence import Chunk, Status
from superbiz.graph.domain.record import Invocation, ToolTraceSummary, TraceEntry
from superbiz.graph.domain.text import normalise, shorten
from superbiz.graph.ports import Budgets
from superbiz.nodes.summary.budget import Draft, fitted
from superbiz.nodes.summary.excerpts import with_excerpts
from superbiz.nodes.summary.facts import facts_of
from superbiz.nodes.summary.groups import Group, groups_of
from superbiz.nodes.summary.standing import answered, evidence_level, is_knowledge, status_of

INPUT_CHARS = 200
ARGUMENT_CHARS = 80
LISTED = 3
"""Items shown of a list among the arguments."""
SAMPLES = 3
SAMPLE_CHARS = 80
LABELS = 8
LABEL_CHARS = 120
SUBJECTS = ("text", "name", "question")
"""Arguments that hold what was searched for; shown first and as query samples."""
LAYERS = ("bm25",)
"""How `lookup_knowledge` searches."""


def summarise(
    rows: tuple[Invocation, ...], question: str, excerpts: tuple[str, ...], budgets: Budgets
) -> ToolTraceSummary:
    """The bounded summary of a turn's rows (T1-T9).

    `excerpts` are the claims' quotes, the most important first. At most `budgets.entry_bytes` of JSON an entry and
    `budgets.summary_bytes` in all, counted in UTF-8; what did not fit is counted in `omitted` and `omitted_entries`.
    """
    groups = groups_of(rows)
    refs = {row.invocation_id: group.trace_ref for group in groups for row in group.rows}
    drafts = tuple(
        Draft(_entry(group), with_excerpts(group, facts_of(group, question, refs), excerpts), _looked_at(group))
        for group in groups
    )
    return fitted(drafts, budgets)


def _entry(group: Group) -> TraceEntry:
    """The entry without its output."""
    lead = group.lead
    sources = dict.fromkeys(label for row in group.rows for label in row.source_labels)
    return TraceEntry(
        trace_ref=group.trace_ref,
        source_invocation_ids=tuple(row.invocation_id for row in group.rows),
        tool_name=lead.tool_name,
        round=lead.round,
        success=answered(lead),
        status=status_of(lead),
        input_summary=_input(lead),
        output_summary="",
        evidence_level=evidence_level(lead),
        query_samples=_samples(group.rows),
        retrieval_layers=LAYERS if is_knowledge(lead) and lead.output is not None else (),
        relevance_levels=_relevance(lead),
        source_labels=tuple(shorten(label, LABEL_CHARS) for label in tuple(sources)[:LABELS]),
        deduped=lead.deduped,
        repeated=len(group.rows) - 1,
        failed_calls=group.count(Status.FAILED),
        no_hit_calls=group.count(Status.NO_DATA),
    )


def _input(row: Invocation) -> str:
    """The arguments that have a value, what was searched for first; lists by their first items."""
    given = {name: value for name, value in row.arguments.items() if value not in (None, "", [])}
    names = sorted(given, key=lambda name: (isinstance(given[name], list), name not in SUBJECTS, name))
    return shorten(" ".join(f"{normalise(name)}={_argument(given[name])}" for name in names), INPUT_CHARS)


def _argument(value: JsonValue) -> str:
    if isinstance(value, list):
        more = f", +{len(value) - LISTED}" if len(value) > LISTED else ""
        return f"[{', '.join(map(_argument, value[:LISTED]))}{more}]"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return shorten(normalise(text).replace("\n", " "), ARGUMENT_CHARS)


def _samples(rows: Iterable[Invocation]) -> tuple[str, ...]:
    texts = (row.arguments.get(name) for row in rows for name in SUBJECTS)
    found = dict.fromkeys(text for text in texts if isinstance(text, str) and text)
    return tuple(shorten(normalise(text), SAMPLE_CHARS) for text in tuple(found)[:SAMPLES])


def _relevance(row: Invocation) -> tuple[str, ...]:
    """How near each passage is to the best one: `high` from 80 % of its score, `medium` from 50 %."""
    scores = [record.score for record in row.output.records if isinstance(record, Chunk)] if row.output else []
    best = max(scores, default=0.0)
    return tuple(_nearness(score, best) for score in scores[:LABELS])


def _nearness(score: float, best: float) -> str:
    if best <= 0 or score < 0.5 * best:
        return "low"
    return "high" if score >= 0.8 * best else "medium"


def _looked_at(group: Group) -> str:
    """What the answer covers, in the tool's own numbers; empty when there is no answer."""
    output = group.lead.output
    if output is None or group.lead.deduped:
        return ""
    aggregates = output.aggregates
    unseen = max(aggregates.matched - len(output.records), 0)
    parts = [f"scanned {aggregates.scanned}, matched {aggregates.matched}"]
    parts += [f"{unseen} matches not returned"] if unseen else []
    parts += [f"{aggregates.patterns_left_out} patterns not returned"] if aggregates.patterns_left_out else []
    parts += [] if output.scope.complete else ["incomplete"]
    return "; ".join(parts)
