"""Every error that a person may meet has a Chinese text with the same places, and every text has its error."""

import ast
from collections.abc import Iterator
from pathlib import Path

from superbiz.graph import errors
from superbiz.graph.domain.plan import Language
from superbiz.prompts.phrases import error_texts, fields, phrases

ROOT = Path(__file__).parents[2]
FOLDERS = ("graph", "nodes", "prompts", "store")
NOT_FOR_PEOPLE = (errors.ToolError, errors.TemplateError)
"""A row keeps those of tools; those of templates are faults of a developer."""


def _trees() -> Iterator[ast.Module]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield ast.parse(path.read_text("utf-8"))


def _for_people(name: str) -> bool:
    kind = getattr(errors, name, None)
    return isinstance(kind, type) and issubclass(kind, errors.SuperBizError) and not issubclass(kind, NOT_FOR_PEOPLE)


def _templates() -> Iterator[ast.expr]:
    """First arguments where an error for people is made; a name is looked up among the module's assignments."""
    for tree in _trees():
        texts = {
            target.id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and _for_people(node.func.id):
                first = node.args[0]
                yield texts[first.id] if isinstance(first, ast.Name) and first.id in texts else first


def test_every_error_for_people_is_raised_with_a_template() -> None:
    """A text with values already in it could not be looked up."""
    assert [ast.unparse(text) for text in _templates() if not isinstance(text, ast.Constant)] == []


def test_every_template_has_a_chinese_text_and_no_text_is_left_over() -> None:
    raised = {str(text.value) for text in _templates() if isinstance(text, ast.Constant)}
    assert len(raised) > 20
    assert raised == set(error_texts())


def test_texts_have_the_places_of_their_templates() -> None:
    assert {en: fields(zh) for en, zh in error_texts().items() if "thread_id" not in en} == {
        en: fields(en) for en in error_texts() if "thread_id" not in en
    }


MADE_AS_WORDS = {
    "Gap": "reason",
    "EvidenceGap": "reason",
    "ErrorInfo": "type",
    "ToolError": "0",
    "_failed": "1",
    "_unreadable": "1",
}
"""Which argument of a call is a machine word: its keyword, or its place."""
COMPUTED = {
    "_STATUS_REASONS[row.status]",  # no_data, partial
    "_why(content, error)",  # not_json, truncated
    "fact.verification.value",  # the labels
    # The reason of a gap or of a failure that was made elsewhere, so is found there.
    "error.type",
    "first.reason",
    "gap.reason",
    "gaps[0].reason",
    "reason",
    "type",
}
"""Words that no constant shows, looked through by eye; a new one must be too."""
WORDS_COMPUTED = {"no_data", "partial", "not_json", "truncated", "no_evidence", "contradicted", "bad_arguments"}


def _name(called: ast.expr) -> str:
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""


def _words() -> Iterator[ast.expr]:
    """Where a machine word is given as the reason of a gap or the type of a tool's failure."""
    for tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (called := _name(node.func)) in MADE_AS_WORDS:
                name = MADE_AS_WORDS[called]
                yield from (keyword.value for keyword in node.keywords if keyword.arg == name)
                yield from node.args[int(name) : int(name) + 1] if name.isdigit() else ()


def test_every_machine_word_has_a_phrase() -> None:
    words = {str(word.value) for word in _words() if isinstance(word, ast.Constant)} | WORDS_COMPUTED
    assert {"unreadable", "outside", "more", "timeout"} <= words
    for language in Language:
        assert sorted(word for word in words if f"reasons.{word}" not in phrases(language)) == []


def test_a_machine_word_is_a_constant_or_one_that_was_looked_at() -> None:
    """Else a word without a phrase could reach a reader past the test above."""
    assert {ast.unparse(word) for word in _words() if not isinstance(word, ast.Constant)} <= COMPUTED
