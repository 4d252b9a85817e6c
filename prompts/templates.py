"""Longer texts for people: Markdown files in `zh/` and `en/` with `$name` places, rendered strictly.

A value is put in as it is and never read again for places, so text from logs cannot reach another value.
"""

import string
from functools import cache
from importlib.resources import files

from superbiz.graph.domain.plan import Language
from superbiz.graph.errors import TemplateError


def render(language: Language, name: str, **values: str) -> str:
    """The template `name` with its values. Raises TemplateError naming what is missing or unused."""
    template = string.Template(source(language, name))
    wanted = set(template.get_identifiers())
    if missing := sorted(wanted - values.keys()):
        raise TemplateError(
            "template {name} ({language}) needs a value for {field}", name=name, language=language, field=missing[0]
        )
    if unused := sorted(values.keys() - wanted):
        raise TemplateError(
            "template {name} ({language}) has no place for {field}", name=name, language=language, field=unused[0]
        )
    return template.substitute(values).strip()


@cache
def source(language: Language, name: str) -> str:
    """The template as written. Raises TemplateError when there is none of that name."""
    file = files("superbiz.prompts").joinpath(language.value, f"{name}.md")
    if not file.is_file():
        raise TemplateError("there is no template {name} in {language}/", name=name, language=language)
    return file.read_text(encoding="utf-8")
