"""Which calls make one entry: one tool on one topic in one round (T5)."""

import json
from dataclasses import dataclass

from superbiz.graph.domain.evidence import Status
from superbiz.graph.domain.ids import TraceRef
from superbiz.graph.domain.record import Invocation
from superbiz.nodes.summary.standing import is_hit, status_of

HOW_MUCH = frozenset({"since", "until", "limit", "terms"})
"""Arguments that say how far or how ranked to look. All others are the topic: where, and for what."""

MERGED_CALLS = 32
"""Calls in one entry, so that naming all of them (T2) keeps within an entry's budget; further ones open another."""


@dataclass(frozen=True)
class Group:
    """The calls of one entry, in the order of the rows."""

    trace_ref: TraceRef
    rows: tuple[Invocation, ...]

    @property
    def lead(self) -> Invocation:
        """The first effective hit, or the first call when there is none."""
        return next(filter(is_hit, self.rows), self.rows[0])

    def count(self, status: Status) -> int:
        """How many of the calls ended so; duplicates of another call are not counted again."""
        return sum(status_of(row) is status and not row.deduped for row in self.rows)


def groups_of(rows: tuple[Invocation, ...]) -> tuple[Group, ...]:
    """Evidence-bearing calls (T3) by topic. Refs count up by round, then by the order of the rows (T2).

    A ref depends on the rows before it alone: round two adds refs and changes none.
    """
    topics: dict[tuple[str, int], list[Invocation]] = {}
    for row in sorted((row for row in rows if row.evidence_bearing), key=lambda row: row.round):
        topic = _topic(row)
        part = 0
        while len(topics.get((topic, part), ())) >= MERGED_CALLS:
            part += 1
        topics.setdefault((topic, part), []).append(row)
    return tuple(
        Group(TraceRef(f"T{number}"), tuple(members)) for number, members in enumerate(topics.values(), start=1)
    )


def _topic(row: Invocation) -> str:
    """Tool, round, and the arguments that have a value and name a place or a subject."""
    given = {name: value for name, value in row.arguments.items() if value not in (None, "", [])}
    about = {name: value for name, value in given.items() if name not in HOW_MUCH}
    return json.dumps([row.tool_name, row.round, about], sort_keys=True)
