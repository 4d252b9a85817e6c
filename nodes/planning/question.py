"""What a question is about: names, symptoms, and words to rank by."""

import re
from collections.abc import Iterator

from superbiz.graph.domain.base import Frozen
from superbiz.graph.domain.tasks import Catalog
from superbiz.graph.domain.text import fold
from superbiz.nodes.planning.lexicon import Concept, concepts_in

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_./:@$-]*[A-Za-z0-9])?")
_COMMON_TEXT = """
    a about after all an and any are as at be been before but by can cannot could did do does for from get give had has
    have here how i if in into is it its just keep keeps list many me more most much my near no not now of off on or our
    out over please really reach real reports say see show side since slow so some tell than that the their them then
    there these they this those to up us very was we were what when where which while who why will with would you your
    happen happened happening hello hi hey thanks thank ok okay yes help error errors fail failed failing fails
    service services server servers system application app node nodes host hosts query queries log logs metric metrics
"""
_COMMON = frozenset(_COMMON_TEXT.split())
"""English words that name nothing; a name of the catalog wins over this list."""

_QUANTITY = re.compile(r"\d+(?:\.\d+)?[A-Za-z]{1,3}")
_SHORT_FORM = re.compile(r"[A-Za-z]{1,2}/[A-Za-z]{1,2}")
"""I/O, n/a, A/B."""

_ONLY_ASKING = ("cause", "count")
"""Concepts that ask (why, how many) without naming a complaint."""


class Reading(Frozen):
    """A question as read."""

    entities: tuple[str, ...]
    """Names, aliases resolved, in the order of the question."""
    symptoms: tuple[str, ...]
    terms: tuple[str, ...]
    """What to rank evidence by: the symptoms' words, then other words of the question."""
    synonyms: tuple[str, ...]
    """Other words, of both languages, that people use for the symptoms."""
    names_something: bool
    """False when there is nothing to diagnose: no name that is known or shaped like one, no complaint."""


def read_question(question: str, catalog: Catalog) -> Reading:
    """Read a question with the help of what the evidence holds."""
    folded = fold(question)
    concepts = tuple(concepts_in(folded))
    aliased = [target for alias, target in catalog.aliases.items() if fold(alias) in folded]
    known = {fold(name) for name in (*catalog.names, *catalog.aliases.values(), *catalog.depends_on)}
    parts = {part for name in (*known, *map(_stem, (*catalog.logs, *catalog.metrics))) for part in _parts(name)}
    words = tuple(match.group() for match in _NAME.finditer(question))
    # In a Chinese sentence a Latin word is a name or a quote, whatever its shape.
    chinese = any("\u4e00" <= char <= "\u9fff" for char in question)
    names = (word for word in words if _is_name(word, known, parts) or (chinese and _is_foreign_word(word)))
    entities = tuple(dict.fromkeys([*aliased, *names]))
    terms = dict.fromkeys([*_written(concepts), *(word.lower() for word in words if word.lower() not in _COMMON)])
    return Reading(
        entities=entities,
        symptoms=tuple(concept.name for concept in concepts),
        terms=tuple(terms),
        synonyms=tuple(dict.fromkeys(word for concept in concepts for word in concept.asked)),
        names_something=bool(entities or any(concept.name not in _ONLY_ASKING for concept in concepts)),
    )


def _is_name(word: str, known: set[str], parts: set[str]) -> bool:
    lowered = word.lower()
    if lowered in known or (len(lowered) > 2 and lowered in parts and lowered not in _COMMON):
        return True
    return lowered not in _COMMON and _shaped_like_a_name(word)


def _is_foreign_word(word: str) -> bool:
    return len(word) > 1 and word.lower() not in _COMMON and not word[0].isdigit() and not _SHORT_FORM.fullmatch(word)


def _shaped_like_a_name(word: str) -> bool:
    """Joined parts, or inner capitals, or letters with digits: not a plain word or number."""
    if _QUANTITY.fullmatch(word) or _SHORT_FORM.fullmatch(word):
        return False
    letters = any(char.isalpha() for char in word)
    joined = bool(re.search(r"[A-Za-z0-9][-_./:@$][A-Za-z0-9]", word))
    inner_capital = any(char.isupper() for char in word[1:]) and not word.isupper()
    lettered_digits = letters and any(char.isdigit() for char in word)
    return letters and len(word) > 1 and (joined or inner_capital or lettered_digits)


def _written(concepts: tuple[Concept, ...]) -> Iterator[str]:
    for concept in concepts:
        yield from concept.written


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower()


def _parts(name: str) -> Iterator[str]:
    yield name
    yield from (part for part in re.split(r"[^a-z0-9]+", name) if len(part) > 2 and not part.isdigit())
