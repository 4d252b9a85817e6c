"""BM25 over passages. `bm25s` and `rjieba` are loaded on first use: together they cost a third of a second."""

import re
from collections.abc import Iterator, Sequence

from superbiz.graph.domain.text import fold
from superbiz.nodes.tools.knowledge.chunks import Passage

_STOP_TEXT = """
    的 了 是 在 和 与 或 有 没有 为 为什么 什么 怎么 怎样 哪 哪个 哪些 哪条 吗 呢 请 请问 如何 这 那 个 到底 现在 还
    都 也 就 很 又 被 把 从 到
    the a an of to in on at is are was were be and or for with by from as it its this that what which why how when who
    do does did not no any all can could should would we our you your i my me please
"""
_STOP = frozenset(_STOP_TEXT.split())


class Search:
    """An index of passages; `best` ranks them for a question."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        import bm25s  # type: ignore[import-untyped]

        self._passages = tuple(passages)
        self._index = None
        corpus = [list(tokens(f"{passage.heading}\n{passage.text}")) or ["\u2400"] for passage in self._passages]
        if corpus:
            self._index = bm25s.BM25()
            self._index.index(corpus, show_progress=False)

    def best(self, question: str) -> list[tuple[Passage, float]]:
        """Passages with their scores, best first; one that shares no word with the question is no hit."""
        words = list(dict.fromkeys(tokens(question)))
        if self._index is None or not words:
            return []
        scores = self._index.get_scores(words)
        ranked = sorted(range(len(self._passages)), key=lambda i: (-scores[i], self._passages[i].source, i))
        return [(self._passages[i], float(scores[i])) for i in ranked if scores[i] > 0]


def tokens(text: str) -> Iterator[str]:
    """Words to match: Chinese ones segmented, Latin ones in lower case, identifiers whole and in parts."""
    import rjieba

    folded = fold(text)
    for word in re.findall(r"[a-z0-9][a-z0-9_./:-]*[a-z0-9]|[a-z0-9]", folded):
        yield from (part for part in _parts(word) if part not in _STOP)
    for run in re.findall(r"[\u3400-\u9fff]+", folded):
        yield from (word for word in rjieba.cut_for_search(run) if word not in _STOP)


def _parts(word: str) -> Iterator[str]:
    yield word
    parts = re.split(r"[_./:-]+", word)
    if len(parts) > 1:
        yield from (part for part in parts if part)
