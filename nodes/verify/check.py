"""The Verifier as one pure function: explicit inputs and rows in, result and the gatekeeper's record out (V5, V13)."""

from superbiz.graph.domain.base import Frozen, JsonObject
from superbiz.graph.domain.contract import ClaimType
from superbiz.graph.domain.record import Invocation, ToolTraceSummary
from superbiz.graph.domain.tasks import VerifierInput
from superbiz.graph.domain.text import fold
from superbiz.graph.domain.verdict import CheckedFact, ClaimCheck, EvidenceRef, GateChange, Label, VerifierResult
from superbiz.nodes.verify.bindings import BindingCheck, check_bindings
from superbiz.nodes.verify.carriers import Carrier
from superbiz.nodes.verify.contract import parse_contract
from superbiz.nodes.verify.facts import Fact, facts_of
from superbiz.nodes.verify.gatekeeper import Proposals, clamp
from superbiz.nodes.verify.match import Evidence, Finding, find
from superbiz.nodes.verify.score import critical, groundedness, verdict

EXCERPT_CHARS = 600
"""Longest excerpt of a reference that the claim did not quote itself."""


class GatekeeperResult(Frozen):
    """What the gatekeeper changed, and what it made of the judge's reply (V11)."""

    judge: str
    """`used`, or why there was nothing to use: `absent`, `empty`, `unreadable`, `off_menu`."""
    changes: tuple[GateChange, ...]
    claimed: JsonObject
    """Score and verdict that a model wrote: recorded, never used (V2)."""


class Checked(Frozen):
    """The Verifier's result with the gatekeeper's."""

    result: VerifierResult
    gatekeeper: GatekeeperResult


def check(given: VerifierInput, rows: tuple[Invocation, ...], judge_reply: str | None) -> Checked:
    """Check every fact of the Executor's output against this turn's rows."""
    parsed = parse_contract(given.executor_final_answer)
    evidence = Evidence(rows, given.original_query)
    facts = facts_of(parsed, given.executor_final_answer)
    proposals = Proposals(judge_reply)
    checked = [_check_fact(fact, evidence, given.tool_trace_summary, proposals) for fact in facts]
    labels = critical([fact for fact, _, _ in checked])
    final = verdict(labels)
    result = VerifierResult(
        verdict=final,
        groundedness_score=groundedness(labels),
        critical_fact_count=len(labels),
        facts_checked=tuple(fact for fact, _, _ in checked),
        claim_checks=tuple(claim for _, claim, _ in checked if claim is not None),
        rationale=_rationale(labels),
    )
    changes = tuple(change for _, _, changes in checked for change in changes)
    gatekeeper = GatekeeperResult(judge=proposals.problem or "used", changes=changes, claimed=proposals.claimed)
    return Checked(result=result, gatekeeper=gatekeeper)


def check_again(
    facts: tuple[Fact, ...], rows: tuple[Invocation, ...], question: str, summary: ToolTraceSummary
) -> tuple[CheckedFact, ...]:
    """Check facts of round one against all rows of the turn, without a judge (R4)."""
    evidence = Evidence(rows, question)
    return tuple(_check_fact(fact, evidence, summary, Proposals(None))[0] for fact in facts)


def _check_fact(
    fact: Fact, evidence: Evidence, summary: ToolTraceSummary, proposals: Proposals
) -> tuple[CheckedFact, ClaimCheck | None, tuple[GateChange, ...]]:
    bindings = check_bindings(fact.claim, evidence.rows, summary) if fact.claim is not None else None
    found = find(fact, evidence, bindings)
    label, changes = clamp(fact.text, found, proposals)
    refs = _refs(found, bindings, summary) if label in (Label.DIRECT, Label.INDIRECT) else ()
    checked = CheckedFact(
        fact=fact.text,
        is_critical=_is_critical(fact),
        verification=label,
        detail=found.detail,
        evidence_refs=refs,
        floor=found.floor,
        ceiling=found.ceiling,
    )
    if fact.claim is None or bindings is None:
        return checked, None, changes
    claim = ClaimCheck(
        claim_id=fact.claim.claim_id,
        verification=label,
        bindings_valid=bindings.valid,
        problems=bindings.problems,
    )
    return checked, claim, changes


def _is_critical(fact: Fact) -> bool:
    """Everything asserted is critical but a claim that calls itself `other` and names nothing (V12)."""
    if fact.claim is not None and fact.claim.claim_type is not ClaimType.OTHER:
        return True
    return any(char.isdigit() or (char.isascii() and char.isalpha()) for char in fact.text) or fact.claim is None


def _refs(found: Finding, bindings: BindingCheck | None, summary: ToolTraceSummary) -> tuple[EvidenceRef, ...]:
    refs: list[EvidenceRef] = []
    for carrier in found.carriers:
        trace = next((e for e in summary.entries if carrier.invocation_id in e.source_invocation_ids), None)
        if trace is not None:
            excerpt = _excerpt(carrier, bindings)
            refs.append(
                EvidenceRef(trace_ref=trace.trace_ref, source_invocation_ids=(carrier.invocation_id,), excerpt=excerpt)
            )
    return tuple(refs)


def _excerpt(carrier: Carrier, bindings: BindingCheck | None) -> str:
    """The words that the claim quoted from this carrier; else the record itself, shortened."""
    quoted = bindings.excerpts if bindings is not None else ()
    return next((text for text in quoted if fold(text) in carrier.folded), carrier.text[:EXCERPT_CHARS])


def _rationale(labels: list[Label]) -> str:
    counts = ", ".join(f"{labels.count(label)} {label}" for label in Label if label in labels)
    return f"{len(labels)} critical facts: {counts}" if labels else "no critical fact"
