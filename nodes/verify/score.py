"""Score and verdict, by code alone (V2, V3)."""

from collections.abc import Sequence

from superbiz.graph.domain.verdict import LABEL_ORDER, CheckedFact, Label, Verdict

_TENTHS = {Label.DIRECT: 10, Label.INDIRECT: 6, Label.NONE: 0, Label.CONTRADICTED: 0}


def critical(facts: Sequence[CheckedFact]) -> list[Label]:
    """Labels of the critical facts; facts with the same text count once, by their weakest label."""
    weakest: dict[str, Label] = {}
    for fact in facts:
        if fact.is_critical:
            known = weakest.get(fact.fact, fact.verification)
            weakest[fact.fact] = min(known, fact.verification, key=LABEL_ORDER.index)
    return list(weakest.values())


def groundedness(labels: Sequence[Label]) -> float:
    """Mean over the critical labels, summed in tenths so that 0.5 is 0.5; 0.0 without any or with a contradiction."""
    if not labels or Label.CONTRADICTED in labels:
        return 0.0
    return min(1.0, max(0.0, sum(_TENTHS[label] for label in labels) / (10 * len(labels))))


def verdict(labels: Sequence[Label]) -> Verdict:
    """First match wins; never PASS by default (V3)."""
    if Label.CONTRADICTED in labels:
        return Verdict.REJECT
    if not labels or Label.NONE in labels or Label.DIRECT not in labels:
        return Verdict.LOW_CONFID
    return Verdict.PASS
