"""Words that carry no claim of their own: the form of our own sentences, and the names of alert states."""

import re
from functools import cache

from superbiz.graph.domain.evidence import AlertState
from superbiz.graph.domain.plan import Language
from superbiz.graph.domain.text import fold
from superbiz.prompts.phrases import template

_FORMS = (
    "alert",
    "since",
    "value",
    "instant",
    "range",
    "many",
    "shape",
    "values",
    "unnamed_values",
    "from_to",
    "window",
    "started",
    "ended",
    "line",
    "within",
    "at",
    "status",
)
_EXTRA_STATES = {
    AlertState.FIRING: ("firing", "正在触发", "触发中", "告警中"),
    AlertState.PENDING: ("pending", "等待触发"),
    AlertState.SUPPRESSED: ("suppressed", "silenced", "已被抑制"),
    AlertState.RESOLVED: ("resolved", "已恢复"),
    AlertState.INACTIVE: ("inactive", "未触发"),
}


@cache
def form_words(language: Language) -> tuple[str, ...]:
    """The fixed words of the claim phrases, longest first: what a checker may pass over."""
    found: set[str] = set()
    for name in _FORMS:
        text = re.sub(r"\{[^{}]*\}|「[^」]*」", " ", template(language, f"claims.{name}"))
        found |= set(re.findall(r"[A-Za-z]+|[\u4e00-\u9fff]+", fold(text)))
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


@cache
def state_words() -> tuple[tuple[str, AlertState], ...]:
    """Words for the state of an alert in both languages, longest first."""
    words = {word: state for state, extra in _EXTRA_STATES.items() for word in extra}
    for language in Language:
        words |= {fold(template(language, f"states.{state}")): state for state in AlertState}
    return tuple(sorted(words.items(), key=lambda pair: (-len(pair[0]), pair[0])))
