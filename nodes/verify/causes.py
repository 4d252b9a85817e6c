"""Statements that say why: two true facts do not make their link direct (DESIGN decision 5)."""

import re

from superbiz.nodes.verify.atoms import ASIDE

_CAUSAL = re.compile(
    r"导致|引起|引发|造成|致使|由于|因为|因此|所以|根因|根本原因|原因是|原因在于|归因|源于|所致|触发了|拖垮|"
    r"\b(?:because|caus(?:e|es|ed|ing)|due to|root cause|led to|leads? to|results? (?:from|in)|resulted|"
    r"triggered by|owing to|thanks to|stems? from|as a result|therefore|so that|attributed to)\b",
    re.IGNORECASE,
)


def is_causal(text: str) -> bool:
    """Whether the text asserts a cause outside its quotes: `Caused by` in a quoted stack trace is no assertion."""
    return _CAUSAL.search(ASIDE.sub(" ", text)) is not None
