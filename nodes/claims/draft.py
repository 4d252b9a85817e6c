"""A claim before it has a number, and how evidence is quoted in it."""

import re
from collections.abc import Mapping

from superbiz.graph.domain.base import Frozen
from superbiz.graph.domain.contract import Binding, Claim, ClaimType, SourceType, SupportLevel
from superbiz.graph.domain.ids import ClaimId, InvocationId

QUOTE_CHARS = 240
"""Longest quote inside a sentence; the excerpt may be longer."""

EXCERPT_CHARS = 1200
"""Longest excerpt of a binding: enough for an alert with its annotations."""

SALIENT_LINES = 4
"""Lines of an event that are quoted beside its first."""

_LEAD = re.compile(r"^(?:\[\s*\]|[\s\-|,:]|[├└│─]+)+")
"""What is left before a message when its time stamp is gone, and the bars of a tree."""

_MARKS = re.compile("[「」\n]")


class Draft(Frozen):
    """What one record or aggregate shows."""

    claim_type: ClaimType
    source_type: SourceType
    text: str
    tool_name: str
    invocation_id: InvocationId
    excerpt: str
    """Verbatim from the output, within `EXCERPT_CHARS`."""

    def numbered(self, number: int) -> Claim:
        """The claim with its id, `c1` …"""
        binding = Binding(
            source_type=self.source_type,
            tool_name=self.tool_name,
            source_invocation_ids=(self.invocation_id,),
            evidence_excerpt=self.excerpt,
        )
        return Claim(
            claim_id=ClaimId(f"c{number}"),
            claim_type=self.claim_type,
            claim_text=self.text,
            support_level=SupportLevel.DIRECT,
            evidence_bindings=(binding,),
        )


def quote(text: str, terms: tuple[str, ...] = ()) -> str:
    """A line of evidence between 「」, verbatim, `…` outside where something went: the stretch that terms stand in."""
    line = _LEAD.sub("", text.strip())
    piece = max(_MARKS.split(stretch(line, terms, QUOTE_CHARS)), key=len).strip()
    place = line.find(piece)
    return f"{'…' if place > 0 else ''}「{piece}」{'…' if place + len(piece) < len(line) else ''}"


def quotes(text: str, terms: tuple[str, ...], fill: bool = False) -> str:
    """The first line of an event and those below it that tell most, each quoted, in their order.

    Telling are lines with words of the question and the deepest cause of a stack trace; with `fill` (documents, whose
    parts belong together) others make up the number.
    """
    head, *rest = [line for line in text.splitlines() if line.strip()] or [text]
    causes = [line for line in rest if line.lstrip().startswith("Caused by")][-1:]
    telling = causes + [line for line in rest if _hits(line, terms)]
    chosen = list(dict.fromkeys([*telling[:SALIENT_LINES], *(rest if fill else ())]))[:SALIENT_LINES]
    return "".join(quote(line, terms) for line in (head, *(line for line in rest if line in chosen)))


def stretch(text: str, terms: tuple[str, ...], size: int) -> str:
    """At most `size` characters of the text, verbatim: its beginning, or where most of the terms stand."""
    if len(text) <= size:
        return text
    places = sorted({match.start() for term in terms for match in re.finditer(re.escape(term), text, re.IGNORECASE)})
    starts = [0, *(min(place - size // 3, len(text) - size) for place in places if place > size // 3)]
    start = max(starts, key=lambda start: (_hits(text[start : start + size], terms), -start))
    piece = text[start : start + size]
    return piece if not start else piece.partition(" ")[2] or piece


def _hits(text: str, terms: tuple[str, ...]) -> int:
    lowered = text.lower()
    return sum(term.lower() in lowered for term in terms)


def label_text(labels: Mapping[str, str]) -> str:
    """Labels as `{a=1, b=2}` in their own order of names; nothing when there are none."""
    return "{" + ", ".join(f"{name}={value}" for name, value in sorted(labels.items())) + "}" if labels else ""
