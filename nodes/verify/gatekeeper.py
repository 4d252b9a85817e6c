"""Clamps a judge's proposal between floor and ceiling; fails closed; records every change (V1, V11, V12)."""

import json
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.text import fold
from superbiz.graph.domain.verdict import LABEL_ORDER, GateChange, Label
from superbiz.nodes.verify.contract import answer_text
from superbiz.nodes.verify.match import Finding


class Proposals:
    """What a judge proposed, by fact; the score and verdict it wrote are kept beside, never used (V2)."""

    def __init__(self, reply: str | None) -> None:
        self.problem, self._labels, self.claimed = _read(reply)

    def of(self, fact: str) -> str | None:
        """The label proposed for a fact as written, or None."""
        return self._labels.get(fold(fact))


def clamp(fact: str, found: Finding, proposals: Proposals) -> tuple[Label, tuple[GateChange, ...]]:
    """The final label of a fact, and the changes that led from the proposal to it (V11)."""
    proposed = proposals.of(fact)
    if proposals.problem is not None:
        return found.floor, ()
    if proposed is None:
        change = GateChange(rule="G2", fact=fact, before="(left out)", after=found.floor, why="the judge left it out")
        return found.floor, (change,)
    if proposed not in set(Label):
        change = GateChange(rule="G1", fact=fact, before=proposed, after=found.floor, why="not one of the four labels")
        return found.floor, (change,)
    final, rule, why = _between(Label(proposed), found)
    if final is Label(proposed):
        return final, ()
    return final, (GateChange(rule=rule, fact=fact, before=proposed, after=final, why=why),)


def _between(proposed: Label, found: Finding) -> tuple[Label, str, str]:
    if proposed is Label.CONTRADICTED and found.floor is not Label.CONTRADICTED:
        # A contradiction is a REJECT: without a record that says so it is worth no more than missing evidence.
        lowered = Label.INDIRECT if found.floor is Label.DIRECT else found.floor
        return lowered, "G5", "a contradiction needs a record that contradicts"
    if found.floor is Label.DIRECT and LABEL_ORDER.index(proposed) < LABEL_ORDER.index(Label.INDIRECT):
        return Label.INDIRECT, "G4", "what a record proves can be lowered to indirect_support at most"
    if found.floor is Label.DIRECT and proposed is Label.INDIRECT:
        return Label.INDIRECT, "G4", ""
    if LABEL_ORDER.index(proposed) > LABEL_ORDER.index(found.ceiling):
        return found.ceiling, "G3", f"above what the evidence permits: {found.detail}"
    if LABEL_ORDER.index(proposed) < LABEL_ORDER.index(found.floor):
        return found.floor, "G6", f"below what the evidence proves: {found.detail}"
    return proposed, "", ""


def _read(reply: str | None) -> tuple[str | None, Mapping[str, str], JsonObject]:
    """Why there are no usable proposals (None when there are), the labels by folded fact, the claimed numbers."""
    if reply is None:
        return "absent", {}, {}
    if not reply.strip():
        return "empty", {}, {}
    try:
        found = json.loads(answer_text(reply), object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        return "unreadable", {}, {}
    if not isinstance(found, dict) or not isinstance(found.get("facts_checked"), list):
        return "off_menu", {}, {}
    claimed: JsonObject = {key: found[key] for key in ("verdict", "groundedness_score") if key in found}
    return None, dict(_labels(found["facts_checked"])), claimed


def _labels(facts: list[JsonValue]) -> Iterator[tuple[str, str]]:
    for fact in facts:
        if isinstance(fact, dict) and isinstance(fact.get("fact"), str):
            yield fold(str(fact["fact"])), str(fact.get("verification"))


def _unique(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("duplicate key")
    return found
