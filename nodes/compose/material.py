"""All that may be said, picked from what was checked (C1). The Executor's own words for the rest stay behind."""

from collections.abc import Iterator
from dataclasses import dataclass

from superbiz.graph.domain.answer import Dropped, Finding, Material
from superbiz.graph.domain.contract import Claim, ClaimType, ExecutorContract
from superbiz.graph.domain.plan import EvidenceGap, Language, RetryContext
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.domain.verdict import CheckedFact, Label, Verdict, VerifierResult
from superbiz.nodes.compose.citations import cite
from superbiz.nodes.compose.gaps import evidence_gaps
from superbiz.nodes.verify.atoms import atoms_of
from superbiz.nodes.verify.causes import is_causal
from superbiz.nodes.verify.match import Evidence
from superbiz.prompts.phrases import phrase


@dataclass(frozen=True)
class Allowed:
    """What the material is picked from."""

    inquiry: Inquiry
    verification: VerifierResult
    contract: ExecutorContract | None
    rows: tuple[Invocation, ...]
    carried_claims: tuple[Claim, ...] = ()
    carried_facts: tuple[CheckedFact, ...] = ()
    retry_context: RetryContext | None = None


def allowed_material(given: Allowed) -> Material:
    """The material of the answer. On REJECT no cause and no direction is part of it (C4)."""
    evidence = Evidence(given.rows, given.inquiry.original_query)
    rejected = given.verification.verdict is Verdict.REJECT
    findings = list(_findings(given))
    confirmed = tuple(f for label, f in findings if label is Label.DIRECT and not (rejected and f.is_cause))
    indirect = tuple(f for label, f in findings if label is Label.INDIRECT and not f.is_cause)
    causes = tuple(f.text for label, f in findings if label is not Label.DIRECT and f.is_cause)
    advice = given.contract.recommended_actions if given.contract is not None else ()
    hypotheses = given.contract.hypotheses if given.contract is not None else ()
    missing = given.contract.missing_info if given.contract is not None else ()
    directions, no_directions = _admitted("hypothesis", (*causes, *hypotheses), evidence)
    steps, no_steps = _admitted("recommended_action", advice, evidence)
    _, no_missing = _admitted("missing_info", missing, evidence)
    gaps = _gaps(given, evidence, confirmed)
    return Material(
        verdict=given.verification.verdict,
        groundedness_score=given.verification.groundedness_score,
        confirmed=confirmed,
        indirect=indirect,
        directions=() if rejected else directions,
        gaps=gaps,
        next_steps=(*(() if rejected else steps), *_generic_steps(gaps, given)),
        dropped=(*no_directions, *no_steps, *no_missing),
    )


def _findings(given: Allowed) -> Iterator[tuple[Label, Finding]]:
    """This round's facts with their claims, then those carried from round one that it does not state itself."""
    claims = given.contract.claims if given.contract is not None else ()
    facts = given.verification.facts_checked
    stated = {fact.fact for fact in facts}
    paired: list[tuple[CheckedFact, Claim | None]] = [
        (fact, claims[number] if number < len(claims) else None) for number, fact in enumerate(facts)
    ]
    paired += [
        (fact, claim)
        for fact, claim in zip(given.carried_facts, given.carried_claims, strict=True)
        if fact.fact not in stated
    ]
    seen: set[str] = set()
    for fact, claim in paired:
        if fact.fact not in seen and (fact.evidence_refs or fact.verification in (Label.NONE, Label.CONTRADICTED)):
            seen.add(fact.fact)
            yield fact.verification, _finding(fact, claim, given.rows)


def _finding(fact: CheckedFact, claim: Claim | None, rows: tuple[Invocation, ...]) -> Finding:
    is_root = claim is not None and claim.claim_type is ClaimType.ROOT_CAUSE
    return Finding(
        claim_id=claim.claim_id if claim is not None else None,
        text=fact.fact,
        is_cause=is_root or is_causal(fact.fact),
        evidence_refs=fact.evidence_refs,
        citations=tuple(citation for ref in fact.evidence_refs for citation in cite(ref, rows, fact.fact)),
    )


def _admitted(kind: str, texts: tuple[str, ...], evidence: Evidence) -> tuple[tuple[str, ...], tuple[Dropped, ...]]:
    """The texts that name nothing unknown, and the others with what they name (C1)."""
    kept: list[str] = []
    dropped: list[Dropped] = []
    for text in dict.fromkeys(texts):
        unknown = next(_unknown(text, evidence), None)
        if unknown is None:
            kept.append(text)
        else:
            dropped.append(Dropped(kind=kind, text=text, why=unknown))
    return tuple(kept), tuple(dropped)


def _unknown(text: str, evidence: Evidence) -> Iterator[str]:
    """Names, numbers and moments of a text that stand in no evidence, runbooks included, nor in the question."""
    atoms = atoms_of(text.replace("`", " "))
    asked = atoms_of(evidence.question)
    yield from (f"unknown_name: {name}" for name in atoms.names if not evidence.knows(name))
    asked_values = {quantity.value for quantity in asked.quantities}
    for quantity in atoms.quantities:
        if quantity.value not in asked_values and not any(c.holds(quantity) for c in evidence.carriers):
            yield f"unknown_number: {quantity.value:f}{quantity.unit}"
    for moment in atoms.moments:
        if moment not in asked.moments and not any(moment in c.moments for c in evidence.carriers):
            yield f"unknown_time: {moment.isoformat()}"


def _gaps(given: Allowed, evidence: Evidence, confirmed: tuple[Finding, ...]) -> tuple[EvidenceGap, ...]:
    """This round's gaps, and those of round one that it did not close (R4)."""
    now = evidence_gaps(given.verification, given.contract, evidence)
    before = given.retry_context.gaps if given.retry_context is not None else ()
    open_before = [
        gap for gap in before if not any(gap.subject and gap.subject in f.text.casefold() for f in confirmed)
    ]
    return tuple(dict.fromkeys([*now, *(gap for gap in open_before if gap.reason in _FACT_REASONS)]))


_FACT_REASONS = (Label.NONE.value, Label.CONTRADICTED.value)
"""Gaps of calls are made anew from all rows of the turn; only those of facts must be carried over."""


def _generic_steps(gaps: tuple[EvidenceGap, ...], given: Allowed) -> Iterator[str]:
    language: Language = given.inquiry.language
    reasons = {gap.reason for gap in gaps}
    if reasons & {"call_failed", "partial", "unreadable", "truncated", "not_json", "binary", "outside", "query_error"}:
        yield phrase(language, "next.repair")
    if reasons & {"no_data", "empty", "empty_result", "special_value"}:
        yield phrase(language, "next.collect")
    if given.verification.verdict is not Verdict.PASS:
        yield phrase(language, "next.narrow")
