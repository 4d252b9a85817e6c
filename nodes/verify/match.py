"""From a fact and this turn's rows to its floor and ceiling. Pure; the same input gives the same finding."""

from dataclasses import dataclass
from functools import cached_property

from superbiz.graph.domain.contract import SupportLevel
from superbiz.graph.domain.evidence import Status
from superbiz.graph.domain.ids import InvocationId
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.text import fold
from superbiz.graph.domain.verdict import LABEL_ORDER, Label
from superbiz.nodes.verify.absence import absence_holds, absent_things
from superbiz.nodes.verify.atoms import Atoms, atoms_of, is_identifier
from superbiz.nodes.verify.bindings import BindingCheck
from superbiz.nodes.verify.carriers import Carrier, carriers_of
from superbiz.nodes.verify.causes import is_causal
from superbiz.nodes.verify.facts import Fact

_KNOWLEDGE = "lookup_knowledge"
"""Brings the best passages only; what it leaves out is no evidence of an incident anyway (V10)."""


@dataclass(frozen=True)
class Finding:
    """What code proves of a fact (`floor`), the most it permits (`ceiling`), why, and on what."""

    floor: Label
    ceiling: Label
    detail: str
    carriers: tuple[Carrier, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """This turn's evidence, taken apart once for all facts."""

    rows: tuple[Invocation, ...]
    question: str

    @cached_property
    def usable(self) -> tuple[Invocation, ...]:
        """Rows that can support anything: evidence-bearing, succeeded, their own output (V9)."""
        return tuple(row for row in self.rows if row.evidence_bearing and row.success and row.output is not None)

    @cached_property
    def carriers(self) -> tuple[Carrier, ...]:
        """Carriers of all usable rows."""
        return tuple(carrier for row in self.usable for carrier in carriers_of(row))

    @cached_property
    def incident(self) -> tuple[Carrier, ...]:
        """Carriers that speak of this incident: knowledge never proves a fact (V10)."""
        return tuple(carrier for carrier in self.carriers if not carrier.knowledge)

    @cached_property
    def wholly_seen(self) -> bool:
        """Whether every event of the evidence stands in the outputs, so that a missing name is a made-up one."""
        bearing = [row for row in self.rows if row.evidence_bearing]
        return bool(bearing) and all(_wholly_seen(row) for row in bearing)

    def knows(self, name: str) -> bool:
        """Whether the name stands in any evidence, a source label, or the question (V4)."""
        labels = " ".join(label for row in self.usable for label in row.source_labels)
        return name in fold(self.question) or name in fold(labels) or any(c.names(name) for c in self.carriers)


def find(fact: Fact, evidence: Evidence, bindings: BindingCheck | None) -> Finding:
    """Floor and ceiling of a fact. `bindings` is None for a statement outside the claims (V7, V8)."""
    atoms = atoms_of(fact.text)
    named = (*atoms.names, *(label.partition("=")[2] for label in atoms.labels))
    invented = [name for name in named if is_identifier(name) and not evidence.knows(name)]
    if invented:
        label = Label.CONTRADICTED if evidence.wholly_seen else Label.NONE
        return Finding(label, label, f"fabricated_entity: {invented[0]}")
    if absent := absent_things(fact.text):
        return _capped(_absence(absent, atoms, evidence), fact, bindings)
    found = _carried(atoms, evidence, bindings)
    return _capped(found, fact, bindings)


def _absence(absent: tuple[str, ...], atoms: Atoms, evidence: Evidence) -> Finding:
    """Only a statement that denies one thing and says nothing else can be shown by what is not there."""
    says_more = len(absent) > 1 or atoms.quantities or atoms.moments or atoms.states or set(atoms.names) - set(absent)
    rows = () if says_more else absence_holds(absent[0], evidence.rows)
    if not rows:
        return Finding(Label.NONE, Label.INDIRECT if says_more else Label.NONE, f"absence_not_shown: {absent[0]}")
    shown = tuple(Carrier(id, "", "") for id in rows)
    return Finding(Label.DIRECT, Label.DIRECT, f"absent_in_complete_scope: {absent[0]}", shown)


def _carried(atoms: Atoms, evidence: Evidence, bindings: BindingCheck | None) -> Finding:
    """Direct when one carrier holds every hard part and every word is resolved; indirect when only words are open."""
    if not atoms.hard:
        return Finding(Label.NONE, Label.INDIRECT, "nothing_to_check")
    pool = _pool(evidence, bindings)
    misses = [(tuple(carrier.missing(atoms)), carrier) for carrier in pool]
    if not misses:
        return Finding(Label.NONE, Label.NONE, "no_usable_evidence")
    whole = [carrier for missing, carrier in misses if not missing]
    if not whole:
        return _not_carried(atoms, misses)
    best = max(whole, key=lambda carrier: (-len(_open_words(atoms, carrier)), _holds_excerpt(carrier, bindings)))
    if open_words := _open_words(atoms, best):
        return Finding(Label.INDIRECT, Label.DIRECT, f"not_resolved: {open_words[0]}", (best,))
    return Finding(Label.DIRECT, Label.DIRECT, "carried_by_one_record", (best,))


def _not_carried(atoms: Atoms, misses: list[tuple[tuple[str, ...], Carrier]]) -> Finding:
    closest, carrier = min(misses, key=lambda pair: len(pair[0]))
    subjects = [(missing, c) for missing, c in misses if c.subject and c.names(c.subject) and c.subject in atoms.names]
    if subjects and all(_only_state_differs(missing) for missing, _ in subjects):
        return Finding(Label.CONTRADICTED, Label.CONTRADICTED, subjects[0][0][0], (subjects[0][1],))
    spread = [
        c for _, c in misses if any(c.names(name) for name in atoms.names) or any(q in c.folded for q in atoms.quotes)
    ]
    gone = set(closest)
    for other in spread:
        gone &= set(other.missing(atoms))
    if spread and not gone:
        return Finding(Label.INDIRECT, Label.INDIRECT, "spread_over_records", tuple(spread[:2]))
    return Finding(Label.NONE, Label.NONE, closest[0], (carrier,) if len(closest) < _size(atoms) else ())


def _only_state_differs(missing: tuple[str, ...]) -> bool:
    return bool(missing) and all(reason.startswith("state_differs") for reason in missing)


def _capped(found: Finding, fact: Fact, bindings: BindingCheck | None) -> Finding:
    """Caps that hold whatever is carried: causes, bad references, the Executor's own `indirect` (V6)."""
    if is_causal(fact.text):
        found = _cap(found, Label.INDIRECT, "cause_is_not_co_occurrence")
    if bindings is not None and not bindings.valid:
        found = _cap(found, Label.INDIRECT, bindings.problems[0])
    if fact.claim is not None and fact.claim.support_level is SupportLevel.INDIRECT:
        found = _cap(found, Label.INDIRECT, "stated_as_indirect")
    return found


def _cap(found: Finding, limit: Label, why: str) -> Finding:
    if LABEL_ORDER.index(found.floor) <= LABEL_ORDER.index(limit) >= LABEL_ORDER.index(found.ceiling):
        return found
    floor, ceiling = (min(label, limit, key=LABEL_ORDER.index) for label in (found.floor, found.ceiling))
    return Finding(floor, ceiling, why, found.carriers)


def _pool(evidence: Evidence, bindings: BindingCheck | None) -> tuple[Carrier, ...]:
    """Where to look: what good bindings name; without any, everywhere, and the label is capped later."""
    if bindings is None or not bindings.invocations:
        return evidence.incident
    named: set[InvocationId] = set(bindings.invocations)
    return tuple(carrier for carrier in evidence.incident if carrier.invocation_id in named)


def _open_words(atoms: Atoms, carrier: Carrier) -> list[str]:
    return [word for word in atoms.words if not _resolved(word, carrier)]


def _resolved(word: str, carrier: Carrier) -> bool:
    return carrier.names(word) if word.isascii() else word in carrier.folded


def _holds_excerpt(carrier: Carrier, bindings: BindingCheck | None) -> bool:
    excerpts = bindings.excerpts if bindings is not None else ()
    return any(fold(excerpt) in carrier.folded for excerpt in excerpts)


def _size(atoms: Atoms) -> int:
    return len(atoms.quotes) + len(atoms.moments) + len(atoms.quantities) + len(atoms.names) + len(atoms.states)


def _wholly_seen(row: Invocation) -> bool:
    """A limit that was hit hides events, and with them perhaps the name: then absence proves nothing."""
    output = row.output
    if not row.success or output is None or row.output_cut or output.status is Status.PARTIAL:
        return row.deduped
    return output.scope.complete and (row.tool_name == _KNOWLEDGE or len(output.records) >= output.aggregates.matched)
