"""Whatever is asked, the shell answers, asks back or refuses: it has no fault, and its JSON is JSON."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from support.shell import Superbiz

WORDS = st.sampled_from(
    [
        "账单服务",
        "billing-api",
        "为什么",
        "503",
        "最近 30 分钟",
        "{",
        "}",
        "$x",
        "%s",
        "\x1b[31m",
        "９９％",
        "-",
        "2026-05-04",
    ]
)
BYTES = st.binary(min_size=1).filter(lambda text: b"\0" not in text)
"""What a system hands over as an argument: anything but NUL; Python shows what is no UTF-8 as lone surrogates."""
ANYTHING = st.one_of(st.text(st.characters(codec="utf-8", exclude_characters="\0")), BYTES.map(os.fsdecode))


@pytest.mark.requirement("C6")
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.one_of(ANYTHING, st.lists(WORDS, min_size=1, max_size=6).map(" ".join)))
@example("{0} {question!r} {")
@example("最近 99999999999999999999 天 billing-api 为什么报错")
@example("billing-api 9999-99-99T99:99:99Z 为什么报错")
@example("\u202egnihton ipa-gnillib")
def test_any_question_is_answered_asked_back_or_refused(superbiz: Superbiz, evidence: Path, question: str) -> None:
    ran = superbiz("diagnose", "--store", "memory:", "--evidence", evidence, "--json", "--", question)
    assert ran.code in (0, 2, 3, 6)
    if ran.code == 2:
        assert (ran.out, ran.err.count("\n")) == ("", 1)
    else:
        assert ran.json["status"] == ("clarify" if ran.code == 6 else "answered")
        assert ran.out.count("\n") == 1
