"""Claims of absence ("no ERROR in the log"): shown only by successful, complete calls of matching scope (V9)."""

import re

from superbiz.graph.domain.ids import InvocationId
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.text import fold
from superbiz.nodes.verify.atoms import ASIDE

_NEGATION = re.compile(
    r"没有(?:出现|发现|任何)?|未(?:出现|发现|见)|不存在|无任何|\b(?:no|never|without|none of|not any|zero)\b",
    re.IGNORECASE,
)
_THING = re.compile(r"「([^」]+)」|([A-Za-z][A-Za-z0-9_.-]*)")
_LEVELS = ("fatal", "error", "warn", "info", "debug")
_FILTERS = ("text", "level", "since", "until")


def absent_things(statement: str) -> tuple[str, ...]:
    """What the statement says is not there: the quotes and Latin words after its negation, folded; or nothing."""
    outside = ASIDE.sub(lambda match: " " * len(match.group()), statement)
    negation = _NEGATION.search(outside)
    if negation is None:
        return ()
    after = statement[negation.end() :]
    things = tuple(fold(next(filter(None, match.groups()))) for match in _THING.finditer(after))
    return things or (fold(negation.group()),)


def absence_holds(thing: str, rows: tuple[Invocation, ...]) -> tuple[InvocationId, ...]:
    """The complete, unfiltered log calls that together show that the thing is absent; none when they do not."""
    logs = [row for row in rows if row.tool_name == "query_logs" and not row.deduped]
    if not logs or any(not row.success for row in logs):
        return ()
    whole = [row for row in logs if row.output and not any(row.arguments.get(name) for name in _FILTERS)]
    if not whole or any(not row.output.scope.complete for row in logs if row.output):
        return ()
    if any(_occurs(thing, row) for row in logs):
        return ()
    return tuple(row.invocation_id for row in whole)


def _occurs(thing: str, row: Invocation) -> bool:
    """Whether the thing is there, or cannot be told from what the output shows."""
    output = row.output
    if output is None:
        return True
    if thing in _LEVELS:
        return any(fold(tally.value) == thing for tally in output.aggregates.tallies if tally.name == "level")
    patterns = output.aggregates.patterns
    if output.aggregates.patterns_left_out or any(not pattern.variants_complete for pattern in patterns):
        return True
    texts = [record.text for record in output.records]
    texts += [text for p in patterns for text in (p.pattern, *(variant.text for variant in p.variants))]
    return any(thing in fold(text) for text in texts)
