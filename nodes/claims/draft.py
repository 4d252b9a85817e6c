"""A claim before it has a number, and how evidence is quoted in it."""

from collections.abc import Mapping

from superbiz.graph.domain.base import Frozen
from superbiz.graph.domain.contract import Binding, Claim, ClaimType, SourceType, SupportLevel
from superbiz.graph.domain.ids import ClaimId, InvocationId

QUOTE_CHARS = 240
"""Longest quote inside a sentence; the excerpt may be longer."""

EXCERPT_CHARS = 1200
"""Longest excerpt of a binding: enough for an alert with its annotations."""

SALIENT_LINES = 3


class Draft(Frozen):
    """What one record or aggregate shows."""

    claim_type: ClaimType
    source_type: SourceType
    text: str
    tool_name: str
    invocation_id: InvocationId
    excerpt: str

    def numbered(self, number: int) -> Claim:
        """The claim with its id, `c1` …"""
        binding = Binding(
            source_type=self.source_type,
            tool_name=self.tool_name,
            source_invocation_ids=(self.invocation_id,),
            evidence_excerpt=self.excerpt[:EXCERPT_CHARS],
        )
        return Claim(
            claim_id=ClaimId(f"c{number}"),
            claim_type=self.claim_type,
            claim_text=self.text,
            support_level=SupportLevel.DIRECT,
            evidence_bindings=(binding,),
        )


def quote(text: str) -> str:
    """One line of evidence between 「」, verbatim; what is too long is cut at its end, with `…` outside."""
    line = text.strip()
    kept = line[:QUOTE_CHARS]
    for mark in "「」\n":
        kept = kept.partition(mark)[0]
    kept = kept.rstrip()
    return f"「{kept}」" if len(kept) == len(line) else f"「{kept}」…"


def quotes(text: str, terms: tuple[str, ...]) -> str:
    """The first line of an event and the lines below it that the question's words occur in, each quoted."""
    head, *rest = [line for line in text.splitlines() if line.strip()] or [text]
    telling = [line for line in rest if any(term.lower() in line.lower() for term in terms)]
    return "".join(quote(line) for line in (head, *telling[:SALIENT_LINES]))


def label_text(labels: Mapping[str, str]) -> str:
    """Labels as `{a=1, b=2}` in their own order of names; nothing when there are none."""
    return "{" + ", ".join(f"{name}={value}" for name, value in sorted(labels.items())) + "}" if labels else ""
