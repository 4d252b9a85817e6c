"""What is not known, by subject and attribute, never with an unverified value (C3)."""

from collections.abc import Iterator

from superbiz.graph.domain.contract import ExecutorContract
from superbiz.graph.domain.evidence import Status
from superbiz.graph.domain.plan import EvidenceGap
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.text import shorten
from superbiz.graph.domain.verdict import Label, VerifierResult
from superbiz.nodes.compose.citations import query_text
from superbiz.nodes.verify.atoms import atoms_of
from superbiz.nodes.verify.match import Evidence
from superbiz.nodes.verify.mentions import unmentioned

MAX_GAPS = 24
STATEMENT = "statement"
"""Attribute of a fact that is no structured claim."""

_UNPROVEN = (Label.NONE, Label.CONTRADICTED)
_STATUS_REASONS = {Status.NO_DATA: "no_data", Status.PARTIAL: "partial"}
DETAIL_CHARS = 160


def evidence_gaps(
    verification: VerifierResult,
    contract: ExecutorContract | None,
    evidence: Evidence,
) -> tuple[EvidenceGap, ...]:
    """What is not known, equal gaps once, at most `MAX_GAPS`, the rest counted.

    Names of the question that stand nowhere come first, then the Verifier's gaps, then those of the calls.
    """
    of_facts = _of_facts(verification, contract, evidence)
    found = list(dict.fromkeys([*_of_names(evidence), *of_facts, *_of_calls(evidence.rows)]))
    if len(found) <= MAX_GAPS:
        return tuple(found)
    rest = EvidenceGap(subject=f"+{len(found) - MAX_GAPS}", attribute="", reason="more")
    return (*found[:MAX_GAPS], rest)


def _of_names(evidence: Evidence) -> Iterator[EvidenceGap]:
    asked = [row.arguments.get("entities") for row in evidence.rows if row.evidence_bearing]
    names = [str(name) for given in asked if isinstance(given, list) for name in given]
    for name in unmentioned(names, evidence):
        yield EvidenceGap(subject=name, attribute="", reason="not_mentioned")


def _of_facts(
    verification: VerifierResult, contract: ExecutorContract | None, evidence: Evidence
) -> Iterator[EvidenceGap]:
    claims = contract.claims if contract is not None else ()
    for number, fact in enumerate(verification.facts_checked):
        if fact.is_critical and fact.verification in _UNPROVEN:
            attribute = claims[number].claim_type.value if number < len(claims) else STATEMENT
            yield EvidenceGap(
                subject=_subject(fact.fact, evidence), attribute=attribute, reason=fact.verification.value
            )


def _subject(text: str, evidence: Evidence) -> str:
    """The first name of the statement that the evidence or the question knows; unknown ones are not repeated."""
    names = atoms_of(text).names
    return next((name for name in names if evidence.knows(name)), "")


def _of_calls(rows: tuple[Invocation, ...]) -> Iterator[EvidenceGap]:
    for row in rows:
        if not row.evidence_bearing:
            continue
        if row.error is not None:
            message = shorten(row.error.message, DETAIL_CHARS)
            yield EvidenceGap(subject=query_text(row), attribute=message, reason="call_failed")
        elif row.status in _STATUS_REASONS:
            yield EvidenceGap(subject=query_text(row), attribute="", reason=_STATUS_REASONS[row.status])
        for gap in row.output.scope.gaps if row.output is not None else ():
            yield EvidenceGap(subject=gap.source, attribute=shorten(gap.detail, DETAIL_CHARS), reason=gap.reason)
