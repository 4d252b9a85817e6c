"""Short texts for people, in Chinese and English: `phrase(language, "claims.alert", name=…)`.

They stand in `zh.toml` and `en.toml`, tables of named phrases with `{field}` places. Rendering is strict: an unknown
phrase, a missing or an unused value is a TemplateError, so that a typo never reaches a reader.
"""

import string
import tomllib
from functools import cache
from importlib.resources import files

from superbiz.graph.domain.plan import Language
from superbiz.graph.errors import SuperBizError, TemplateError


def phrase(language: Language, key: str, **values: object) -> str:
    """The phrase with its values. Raises TemplateError naming the key and what is wrong."""
    text = template(language, key)
    wanted = fields(text)
    if missing := sorted(wanted - values.keys()):
        raise TemplateError(f"phrase {key!r} ({language}) needs a value for {missing[0]!r}")
    if unused := sorted(values.keys() - wanted):
        raise TemplateError(f"phrase {key!r} ({language}) has no place for {unused[0]!r}")
    return text.format_map(values)


def template(language: Language, key: str) -> str:
    """The phrase as written. Raises TemplateError when there is none of that name."""
    text = phrases(language).get(key)
    if text is None:
        raise TemplateError(f"there is no phrase {key!r} in {language}.toml")
    return text


def reason(language: Language, word: str) -> str:
    """A machine word for why something is not known, as people say it; a word without a phrase stays as it is."""
    return phrases(language).get(f"reasons.{word}", word)


def attribute_text(language: Language, attribute: str) -> str:
    """What of a subject is not known, as people say it; the detail of a gap stays as it is."""
    return phrases(language).get(f"attributes.{attribute}") or reason(language, attribute)


def explain(language: Language, error: SuperBizError) -> str:
    """An error as people of that language read it; English where there is no translation."""
    if language is Language.EN:
        return str(error)
    translated = error_texts().get(error.template)
    return translated.format(**error.values) if translated is not None else str(error)


@cache
def error_texts() -> dict[str, str]:
    """Chinese texts of errors by their English template."""
    found: dict[str, str] = tomllib.loads(files("superbiz.prompts").joinpath("errors_zh.toml").read_text("utf-8"))
    return found


def fields(text: str) -> set[str]:
    """Names of the places of a phrase."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@cache
def phrases(language: Language) -> dict[str, str]:
    """All phrases of a language by dotted key."""
    tables = tomllib.loads(files("superbiz.prompts").joinpath(f"{language}.toml").read_text(encoding="utf-8"))
    return {f"{table}.{name}": text for table, entries in tables.items() for name, text in entries.items()}
