"""Phrases and templates: the same in both languages, rendered strictly."""

import string
from pathlib import Path

import pytest

from superbiz.graph.domain.plan import Language
from superbiz.graph.errors import NotFoundError, SuperBizError, TemplateError
from superbiz.prompts.phrases import attribute_text, explain, fields, phrase, phrases, reason
from superbiz.prompts.templates import render

PROMPTS = Path(__file__).parents[2] / "prompts"


@pytest.mark.requirement("C7")
def test_both_languages_have_the_same_phrases_with_the_same_places() -> None:
    chinese, english = phrases(Language.ZH), phrases(Language.EN)
    assert sorted(chinese) == sorted(english)
    assert {key: fields(text) for key, text in chinese.items()} == {key: fields(text) for key, text in english.items()}


@pytest.mark.requirement("C7")
def test_both_languages_have_the_same_templates_with_the_same_places() -> None:
    chinese, english = (
        {path.stem: sorted(string.Template(path.read_text("utf-8")).get_identifiers()) for path in folder.glob("*.md")}
        for folder in (PROMPTS / "zh", PROMPTS / "en")
    )
    assert set(chinese) >= {"pass", "low_confid", "reject", "clarify"}
    assert chinese == english


@pytest.mark.parametrize("path", sorted(PROMPTS.glob("*/*.md")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_template_is_well_formed(path: Path) -> None:
    """A `$` that starts no place would end an answer with a ValueError."""
    assert string.Template(path.read_text("utf-8")).is_valid()


@pytest.mark.parametrize(
    ("key", "values", "said"),
    [
        ("claims.value", {"value": "1"}, "，值为 1"),
        ("claims.stop", {}, "。"),
    ],
)
def test_a_phrase_takes_its_values(key: str, values: dict[str, str], said: str) -> None:
    assert phrase(Language.ZH, key, **values) == said


@pytest.mark.parametrize(
    ("key", "values", "says"),
    [
        ("claims.value", {}, "needs a value for 'value'"),
        ("claims.value", {"value": 1, "unit": "s"}, "has no place for 'unit'"),
        ("claims.nonsense", {}, "there is no phrase 'claims.nonsense'"),
    ],
)
def test_a_phrase_is_rendered_strictly(key: str, values: dict[str, object], says: str) -> None:
    with pytest.raises(TemplateError, match=says):
        phrase(Language.ZH, key, **values)


@pytest.mark.parametrize(
    ("name", "values", "says"),
    [
        ("clarify", {"extra": "x"}, "has no place for extra"),
        ("pass", {}, "needs a value for"),
        ("nothing", {}, "there is no template nothing"),
    ],
)
def test_a_template_is_rendered_strictly(name: str, values: dict[str, str], says: str) -> None:
    with pytest.raises(TemplateError, match=says):
        render(Language.EN, name, **values)


def test_a_value_is_never_read_for_places() -> None:
    """Text of a log that looks like a place must not reach another value."""
    values = {"confirmed": "$gaps ${steps}", "gaps": "G", "steps": "S"}
    assert "$gaps ${steps}" in render(Language.EN, "reject", **values)


def test_machine_words_are_said_as_people_say_them() -> None:
    assert reason(Language.ZH, "no_data") == "没有数据"
    assert reason(Language.EN, "a_new_word") == "a_new_word"
    assert attribute_text(Language.ZH, "root_cause") == "根因"
    assert attribute_text(Language.ZH, "unreadable") == "无法读取"


def test_an_error_is_explained_in_the_language_of_the_reader() -> None:
    error = NotFoundError("session {session} has no interrupted turn to resume: ask a question", session="s-1")
    assert explain(Language.EN, error) == "session s-1 has no interrupted turn to resume: ask a question"
    assert explain(Language.ZH, error).startswith("会话 s-1 没有被中断")
    assert explain(Language.ZH, SuperBizError("never translated")) == "never translated"
