"""Which statements are checked: the claims, and what else sounds confirmed (V6-V8).

Questions, advice and hedged statements assert nothing; everything else in prose does.
"""

import re
from collections.abc import Iterator

from superbiz.graph.domain.base import Frozen
from superbiz.graph.domain.contract import Claim, ParsedOutput
from superbiz.nodes.verify.contract import answer_text


class Fact(Frozen):
    """One statement to check, with the claim that it comes from, if any."""

    text: str
    claim: Claim | None = None


_BREAK = re.compile(r"(?<=[。！？!?；;])\s*|\n+|(?<=\.)\s+(?=[A-Z\u4e00-\u9fff])")
_MARKUP = re.compile(r"^[\s>#*•\-–]+|^\d+[.)、]\s*|\*\*")
_QUESTION = re.compile(r"[?？]\s*$")
_ADVICE = re.compile(
    r"^(?:建议|请|可以|需要|应当|应该|检查|查看|确认|考虑|尝试|下一步|"
    r"recommend|please|check|consider|verify|try|you should|next)",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"可能|也许|或许|疑似|怀疑|推测|大概|似乎|假设|方向|待确认|未确认|"
    r"\b(?:may|might|could|possibl[ey]|perhaps|likely|probabl[ey]|suspect\w*|hypothes\w*)\b",
    re.IGNORECASE,
)


def facts_of(parsed: ParsedOutput, raw: str) -> tuple[Fact, ...]:
    """The claims' facts first, in their order, then extra ones; without a contract, the prose's (V7, V8)."""
    if parsed.contract is None:
        return tuple(Fact(text=text) for text in _unique(assertions(answer_text(raw))))
    claims = tuple(Fact(text=claim.claim_text, claim=claim) for claim in parsed.contract.claims)
    said = {fact.text for fact in claims}
    beside = (text for part in (*parsed.extra_text, *parsed.contract.hypotheses) for text in assertions(part))
    return (*claims, *(Fact(text=text) for text in _unique(beside) if text not in said))


def assertions(prose: str) -> Iterator[str]:
    """The statements of a text that assert something."""
    for piece in _BREAK.split(prose):
        text = _MARKUP.sub("", piece).strip()
        if len(text) > 1 and any(char.isalnum() for char in text) and not _asserts_nothing(text):
            yield text


def _asserts_nothing(text: str) -> bool:
    return any(pattern.search(text) for pattern in (_QUESTION, _ADVICE, _HEDGE))


def _unique(texts: Iterator[str]) -> Iterator[str]:
    yield from dict.fromkeys(texts)
