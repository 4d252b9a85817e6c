"""Reads a composed text: every name, number and moment in it must stand in the allowed material (C5, its core)."""

from superbiz.nodes.verify.atoms import atoms_of, numbers_in
from superbiz.nodes.verify.causes import is_causal


def foreign_parts(text: str, allowed: str) -> tuple[str, ...]:
    """Parts of `text` that `allowed` (the same material by template) does not hold; empty when all trace to it."""
    ours, theirs = atoms_of(allowed.replace("`", "'")), atoms_of(text.replace("`", "'"))
    known = numbers_in(allowed)
    found = [f"name {name}" for name in theirs.names if name not in allowed.casefold()]
    found += [f"number {q.value:f}{q.unit}" for q in theirs.quantities if q.value not in known]
    found += [f"time {moment.isoformat()}" for moment in theirs.moments if moment not in ours.moments]
    found += [f"quote {quote}" for quote in theirs.quotes if quote not in allowed.casefold()]
    if is_causal(text) and not is_causal(allowed):
        found.append("a cause")
    return tuple(found)
