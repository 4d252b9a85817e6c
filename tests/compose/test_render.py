"""The fixed forms of the answer, whole: what a person reads (C2-C4, C6-C8)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.plan import Language
from superbiz.graph.domain.verdict import Verdict
from superbiz.nodes.compose.render import plain, render_answer
from support.material import make_finding, make_material

PASS_ZH = """以下 1 条事实均已逐条对照证据核实（证据得分 0.75，只说明事实有据，不说明问题已答全）。\
没有一条直接证明了原因。时间均为 UTC。

## 已确认

1. pay-api 第 7 行：「refused」。
   - 来源：logs/pay.log L7 · 复查：query_logs(source="logs/pay.log")

## 间接支持（未被单条证据完整证实）

1. pay-api 的队列在增长。
   - 来源：logs/pay.log L7 · 复查：query_logs(source="logs/pay.log")

## 可能方向（均未证实）

- 可能与连接池有关

## 证据缺口

- pay-db · 指标：没有证据支持
- 未具名对象 · 一项陈述：与证据相矛盾
- metrics/q.json：文件为空

## 下一步

- 检查 pay-db 的连接数"""

REJECT_EN = """> No reliable answer can be given: some statements contradict the evidence, or name things that it does \
not hold. Below are verified facts only, and no conclusion about a cause. Times are UTC.

## Confirmed

1. pay-api 第 7 行：「refused」。
   - source: logs/pay.log L7 · run again: query_logs(source="logs/pay.log")

## Evidence gaps

- pay-db · metric: no evidence supports it
- something unnamed · a statement: contradicts the evidence
- metrics/q.json: the file is empty

## Next steps

- 检查 pay-db 的连接数"""


HEADS = {
    Language.ZH: ["## 已确认", "## 间接支持", "## 可能方向", "## 证据缺口", "## 下一步"],
    Language.EN: [
        "## Confirmed",
        "## Indirectly supported",
        "## Possible directions",
        "## Evidence gaps",
        "## Next steps",
    ],
}


@pytest.mark.requirement("C2", "C6", "C7", "C8")
def test_the_form_of_pass() -> None:
    assert render_answer(make_material(Verdict.PASS), Language.ZH) == PASS_ZH


@pytest.mark.requirement("C4", "C7")
def test_the_form_of_reject_has_neither_indirect_support_nor_directions() -> None:
    assert render_answer(make_material(Verdict.REJECT), Language.EN) == REJECT_EN


@pytest.mark.requirement("C3")
@pytest.mark.parametrize(("language", "start"), [(Language.ZH, "> 注意："), (Language.EN, "> Note:")])
def test_low_confidence_begins_with_the_disclaimer_and_keeps_its_parts_apart(language: Language, start: str) -> None:
    text = render_answer(make_material(Verdict.LOW_CONFID), language)
    assert text.startswith(start)
    heads = [line.partition("（")[0].partition(" (")[0] for line in text.splitlines() if line.startswith("## ")]
    assert heads == HEADS[language]


def test_nothing_confirmed_is_said_to_be_so() -> None:
    material = make_material(Verdict.LOW_CONFID).model_copy(update={"confirmed": ()})
    assert "没有任何事实得到证实，因此无法确定原因。" in render_answer(material, Language.ZH)


def test_a_cause_that_is_confirmed_is_not_denied() -> None:
    material = make_material(Verdict.PASS, confirmed=(make_finding("pay-db 拒绝导致 pay-api 报错。", cause=True),))
    assert "没有一条直接证明了原因" not in render_answer(material, Language.ZH)


@pytest.mark.requirement("C6")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Verdict: PASS", "\\# Verdict: PASS"),
        ("- item", "\\- item"),
        ("12) all is well", "\\12) all is well"),
        ("a\n\n## 已确认\n\nlie", "a ## 已确认 lie"),
        ("[click](http://evil)", "[click] (http://evil)"),
        ("<script>x</script>", "‹script>x‹/script>"),
        ("> quoted", "\\> quoted"),
        ("CLOSED -> OPEN", "CLOSED -> OPEN"),
        ("a `code` | b", "a 'code' ¦ b"),
        ("took <*> ms", "took … ms"),
        ("abc\u202edef\u200b\x1b[31m\x00", "abcdef [31m"),
        ("全角：，。「」", "全角：，。「」"),
    ],
)
def test_text_of_evidence_cannot_act_as_markdown(text: str, shown: str) -> None:
    assert plain(text) == shown


@pytest.mark.requirement("C6")
@given(st.text())
def test_text_of_evidence_stays_one_line_and_is_settled(text: str) -> None:
    once = plain(text)
    assert len(once.splitlines()) <= 1
    assert not once.startswith(("#", ">", "- ", "* ", "+ "))
    assert "](" not in once
    assert "<" not in once
