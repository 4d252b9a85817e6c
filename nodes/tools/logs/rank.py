"""Which patterns matter: by level, rarity and the question's words, never by frequency (field bug 59)."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from superbiz.nodes.tools.logs.patterns import Pattern

_LEVEL_WORTH = {"FATAL": 5.0, "ERROR": 4.0, "WARN": 2.5, "INFO": 0.0, "DEBUG": -0.5, None: 0.5}
_FAILURE = re.compile(
    r"error|fail|fatal|exception|refused|timed? ?out|timeout|killed|denied|exceeded|unreachable|exhausted|crash|panic|"
    r"abort|corrupt|lost|cannot|can't|unable|not found|no route|oom|back-?off|reject|unavailable|invalid|expired|"
    r"失败|错误|异常|超时|拒绝|崩溃|不可用",
    re.IGNORECASE,
)
_FAILURE_WORTH = 2.0
_WORDS_WORTH = 4.0
_NAME_WORTH = 2.5
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "secs": 1.0, "seconds": 1.0}


@dataclass(frozen=True)
class Ranked:
    """A pattern of a source with its score."""

    source: str
    pattern: Pattern
    score: float


def rank(found: Sequence[tuple[str, Pattern]], entities: Sequence[str], terms: Sequence[str]) -> list[Ranked]:
    """All patterns, the most telling first; ties in the order of source and line."""
    texts = [_text(pattern) for _, pattern in found]
    weights = {term: _rarity(sum(term in text for text in texts), len(texts)) for term in terms}
    named = [_named(pattern, text, entities) for (_, pattern), text in zip(found, texts, strict=True)]
    # A name that every message has tells none of them apart.
    name_worth = _NAME_WORTH * _rarity(sum(map(bool, named)), len(named))
    ranked = [
        Ranked(source, pattern, _score(pattern, text, weights) + name_worth * names)
        for (source, pattern), text, names in zip(found, texts, named, strict=True)
    ]
    return sorted(ranked, key=lambda one: (-one.score, one.source, one.pattern.event.line))


def _text(pattern: Pattern) -> str:
    """What words are looked for in: the first event, whole, and how its variants read."""
    variants = " ".join(variant.event.message for variant in list(pattern.variants.values())[:5])
    return f"{pattern.event.text} {variants}".lower()


def _rarity(patterns: int, total: int) -> float:
    """1 for a word that one pattern has, towards 0 for one that all have."""
    if not patterns or not total:
        return 0.0
    return math.log((total + 1) / patterns) / math.log(total + 1)


def _named(pattern: Pattern, text: str, entities: Sequence[str]) -> float:
    """Half for one name of the question, 1 for two or more."""
    return min(sum(entity in text for entity in entities) + (pattern.named_event is not None), 2) * 0.5


def _score(pattern: Pattern, text: str, weights: dict[str, float]) -> float:
    words = sum(weight for term, weight in weights.items() if weight and term in text)
    failure = _FAILURE_WORTH if _FAILURE.search(text[:2_000]) else 0.0
    return (
        _LEVEL_WORTH[pattern.level]
        + failure
        + min(words, _WORDS_WORTH)
        + 1.0 / (1.0 + math.log10(pattern.count))
        + _slowness(pattern)
    )


def _slowness(pattern: Pattern) -> float:
    """Up to 3 for a pattern whose greatest duration is long: 1 ms counts nothing, 10 s and more all."""
    seconds = [
        found.most * _SECONDS.get(found.unit or "ms", 0.0)
        for found in pattern.ranges.values()
        if (found.unit or "ms") in _SECONDS
    ]
    longest = max(seconds, default=0.0)
    return min(3.0, max(0.0, 0.75 * math.log10(longest * 1000))) if longest > 0.001 else 0.0
