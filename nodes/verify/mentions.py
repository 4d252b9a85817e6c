"""Which names of a question stand anywhere in the evidence: a question about what is not there has no answer there."""

from collections.abc import Iterable

from superbiz.graph.domain.text import fold
from superbiz.nodes.verify.match import Evidence


def unmentioned(names: Iterable[str], evidence: Evidence) -> tuple[str, ...]:
    """The names, folded and once each, that stand in no record, aggregate or source of this turn's incident evidence.

    Log calls count the mentions of the names they are given over everything scanned, so what they do not show in
    their records is seen too.
    """
    labels = " ".join(fold(label) for row in evidence.usable for label in row.source_labels)
    wanted = dict.fromkeys(map(fold, names))
    return tuple(
        name
        for name in wanted
        if name not in labels and not any(name in carrier.folded for carrier in evidence.incident)
    )
