"""Material to text by fixed templates (C2-C4, C6-C8). The same material gives the same bytes."""

import re
import unicodedata
from collections.abc import Iterable

from superbiz.graph.domain.answer import Citation, Finding, Material
from superbiz.graph.domain.plan import EvidenceGap, Language
from superbiz.graph.domain.text import shorten
from superbiz.graph.domain.verdict import Verdict
from superbiz.prompts.phrases import attribute_text, phrase, reason
from superbiz.prompts.templates import render

FORMS = {Verdict.PASS: "pass", Verdict.LOW_CONFID: "low_confid", Verdict.REJECT: "reject"}
CITATIONS = 2
"""Citations shown for a fact; more add nothing that a person follows."""

_CITE_CHARS = 200


def render_answer(material: Material, language: Language) -> str:
    """The answer in the form of its verdict."""
    form = FORMS[material.verdict]
    blocks = {
        "confirmed": _findings(material.confirmed, language) or phrase(language, "answer.nothing_confirmed"),
        "gaps": _section("gaps", (_gap(gap, language) for gap in material.gaps), language),
        "steps": _section("steps", map(plain, material.next_steps), language),
    }
    if material.verdict is not Verdict.REJECT:
        blocks["score"] = f"{material.groundedness_score:.2f}"
        proven = any(finding.is_cause for finding in material.confirmed)
        blocks["cause"] = "" if proven or not material.confirmed else phrase(language, "answer.no_cause")
        blocks["indirect"] = _headed("indirect", _findings(material.indirect, language), language)
        blocks["directions"] = _section("directions", map(plain, material.directions), language)
    if material.verdict is Verdict.PASS:
        blocks["count"] = str(len(material.confirmed))
    return render(language, form, **blocks)


def plain(text: str) -> str:
    """Text of evidence as one line that cannot act as Markdown: no heading, list, link, code or table of its own."""
    # No NFKC here: evidence has had it, and it would turn the marks of our own Chinese into ASCII.
    line = " ".join("".join(map(_visible, text)).split()).replace("<*>", "…")
    line = line.replace("`", "'").replace("|", "¦").replace("](", "] (").replace("<", "‹")
    return re.sub(r"^(?:[*+\-=~]+|\d+[.)])(?=\s|$)|^[#>]+", lambda match: f"\\{match.group()}", line)


def _visible(char: str) -> str:
    """A control or format character as a space or nothing: such as could reorder or hide what a person reads."""
    category = unicodedata.category(char)
    return " " if category in ("Cc", "Zl", "Zp") else "" if category in ("Cf", "Cs", "Co") else char


def _findings(findings: tuple[Finding, ...], language: Language) -> str:
    return "\n".join(f"{number}. {_finding(finding, language)}" for number, finding in enumerate(findings, 1))


def _finding(finding: Finding, language: Language) -> str:
    cited = dict.fromkeys(_citation(citation, language) for citation in finding.citations)
    return "\n".join([plain(finding.text), *(f"   - {citation}" for citation in list(cited)[:CITATIONS])])


def _citation(citation: Citation, language: Language) -> str:
    place = f" {citation.place}" if citation.place else ""
    query = shorten(citation.query, _CITE_CHARS)
    return plain(phrase(language, "answer.citation", source=f"{citation.source}{place}", query=query))


def _gap(gap: EvidenceGap, language: Language) -> str:
    """Subject, what of it, and why it is not known."""
    attribute = attribute_text(language, gap.attribute)
    subject = gap.subject or phrase(language, "answer.unnamed")
    what = f"{subject} · {attribute}" if attribute else subject
    return plain(phrase(language, "answer.gap", what=what, why=reason(language, gap.reason)))


def _section(name: str, lines: Iterable[str], language: Language) -> str:
    return _headed(name, "\n".join(f"- {line}" for line in lines), language)


def _headed(name: str, body: str, language: Language) -> str:
    return f"## {phrase(language, f'answer.{name}')}\n\n{body}\n\n" if body else ""
