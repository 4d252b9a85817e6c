"""How good a turn's evidence is, by rules over its rows: no claim, no model, no clock (P3).

It says whether enough was looked at, not whether the answer is right: that is the Verifier's verdict.
"""

from pydantic import Field

from superbiz.graph.domain.base import Frozen
from superbiz.graph.domain.evidence import Status
from superbiz.graph.domain.record import EvidenceLevel, Invocation
from superbiz.nodes.summary.standing import KNOWLEDGE_TOOL, evidence_level, is_hit, status_of

EXPECTED_TOOLS = ("query_logs", "query_metrics", KNOWLEDGE_TOOL)
"""A diagnosis that asked all three has looked in every kind of place."""

ENOUGH_SOURCES = 4
"""Different sources that brought something; more of them do not raise the score."""

LEVEL_VALUES = {EvidenceLevel.DIRECT: 1.0, EvidenceLevel.INDIRECT: 0.5, EvidenceLevel.NONE: 0.0}
DIGITS = 4


class RulePart(Frozen):
    """One aspect of the evidence."""

    name: str
    value: float = Field(ge=0.0, le=1.0)
    weight: float = Field(ge=0.0, le=1.0)
    detail: str
    """The numbers behind the value."""


class RuleEvaluation(Frozen):
    """`rule_evaluation`: the weighted sum of its parts; 0 without any evidence call."""

    score: float = Field(ge=0.0, le=1.0)
    parts: tuple[RulePart, ...]


def score_rows(rows: tuple[Invocation, ...]) -> RuleEvaluation:
    """Score a turn's rows; helper tools do not count. The order of the rows does not matter."""
    calls = tuple(row for row in rows if row.evidence_bearing)
    hits = tuple(filter(is_hit, calls))
    parts = (_coverage(calls), _success(calls), _fresh(calls, hits), _levels(calls), _diversity(hits))
    return RuleEvaluation(score=round(sum(part.value * part.weight for part in parts), DIGITS), parts=parts)


def _coverage(calls: tuple[Invocation, ...]) -> RulePart:
    answered = {row.tool_name for row in calls if status_of(row) is not Status.FAILED}
    asked = tuple(name for name in EXPECTED_TOOLS if name in answered)
    return _share("coverage", 0.25, len(asked), len(EXPECTED_TOOLS), f"answered: {', '.join(asked) or 'none'}")


def _success(calls: tuple[Invocation, ...]) -> RulePart:
    good = sum(status_of(row) is not Status.FAILED for row in calls)
    return _share("success", 0.15, good, len(calls), f"{good} of {len(calls)} calls succeeded")


def _fresh(calls: tuple[Invocation, ...], hits: tuple[Invocation, ...]) -> RulePart:
    return _share("fresh_hits", 0.2, len(hits), len(calls), f"{len(hits)} of {len(calls)} calls brought something new")


def _levels(calls: tuple[Invocation, ...]) -> RulePart:
    """Mean over the tools of the best level that each reached: asking one tool often does not raise it."""
    best: dict[str, float] = {}
    for row in calls:
        best[row.tool_name] = max(best.get(row.tool_name, 0.0), LEVEL_VALUES[evidence_level(row)])
    levels = [evidence_level(row) for row in calls]
    detail = ", ".join(f"{level.value} {levels.count(level)}" for level in EvidenceLevel)
    return _share("evidence_levels", 0.25, sum(best.values()), len(best), detail)


def _diversity(hits: tuple[Invocation, ...]) -> RulePart:
    sources = {label for row in hits for label in row.source_labels}
    detail = f"{len(sources)} sources, {ENOUGH_SOURCES} are enough"
    return _share("diversity", 0.15, min(len(sources), ENOUGH_SOURCES), ENOUGH_SOURCES, detail)


def _share(name: str, weight: float, part: float, whole: int, detail: str) -> RulePart:
    return RulePart(name=name, value=round(part / whole, DIGITS) if whole else 0.0, weight=weight, detail=detail)
