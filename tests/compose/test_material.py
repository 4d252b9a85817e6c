"""What may be said: picked from what was checked, with everything that names the unknown left out and recorded."""

from datetime import UTC, datetime

import pytest

from superbiz.graph.domain.answer import Material
from superbiz.graph.domain.contract import Claim, ClaimType, ExecutorContract, SupportLevel
from superbiz.graph.domain.ids import ClaimId, InvocationId, SessionId, TraceRef
from superbiz.graph.domain.plan import EvidenceGap, Language, RetryContext
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.domain.verdict import CheckedFact, EvidenceRef, Label, Verdict, VerifierResult
from superbiz.nodes.compose.material import Allowed, allowed_material
from support.rows import make_event, make_output, make_row

INQUIRY = Inquiry(
    session_id=SessionId("s-1"),
    turn=1,
    original_query="pay-api 为什么 9 点变慢？",
    language=Language.ZH,
    as_of=datetime(2026, 5, 4, 3, 30, tzinfo=UTC),
    evidence="here",
)
ROW = make_row(1, make_output(make_event(7, "pay-api lost pay-db after 40 ms", "ERROR", "logs/pay.log")))
REF = EvidenceRef(
    trace_ref=TraceRef("T1"), source_invocation_ids=(ROW.invocation_id,), excerpt="pay-api lost pay-db after 40 ms"
)


def fact(text: str, label: Label, critical: bool = True) -> CheckedFact:
    shown = label in (Label.DIRECT, Label.INDIRECT)
    return CheckedFact(
        fact=text,
        is_critical=critical,
        verification=label,
        detail="",
        evidence_refs=(REF,) if shown else (),
        floor=label,
        ceiling=label,
    )


def claim(text: str, kind: ClaimType = ClaimType.LOG_EVENT) -> Claim:
    return Claim(claim_id=ClaimId("c"), claim_type=kind, claim_text=text, support_level=SupportLevel.DIRECT)


def material(
    *facts: tuple[str, Label, ClaimType],
    verdict: Verdict = Verdict.LOW_CONFID,
    hypotheses: tuple[str, ...] = (),
    actions: tuple[str, ...] = (),
    missing: tuple[str, ...] = (),
    carried: tuple[tuple[str, Label], ...] = (),
    before: tuple[EvidenceGap, ...] = (),
) -> Material:
    contract = ExecutorContract(
        claims=tuple(claim(text, kind) for text, _, kind in facts),
        hypotheses=hypotheses,
        recommended_actions=actions,
        missing_info=missing,
    )
    result = VerifierResult(
        verdict=verdict,
        groundedness_score=0.5,
        critical_fact_count=len(facts),
        facts_checked=tuple(fact(text, label) for text, label, _ in facts),
        claim_checks=(),
        rationale="",
    )
    return allowed_material(
        Allowed(
            inquiry=INQUIRY,
            verification=result,
            contract=contract,
            rows=(ROW,),
            carried_claims=tuple(claim(text) for text, _ in carried),
            carried_facts=tuple(fact(text, label) for text, label in carried),
            retry_context=RetryContext(gaps=before, queried=(), score=0.2) if before else None,
        )
    )


EVENT = ClaimType.LOG_EVENT
CAUSE = ClaimType.ROOT_CAUSE


@pytest.mark.requirement("C1", "C8")
def test_confirmed_and_indirect_facts_come_with_references_and_citations() -> None:
    made = material(("pay-api lost pay-db", Label.DIRECT, EVENT), ("pay-db 变慢", Label.INDIRECT, EVENT))
    (confirmed,), (indirect,) = made.confirmed, made.indirect
    assert (confirmed.text, indirect.text) == ("pay-api lost pay-db", "pay-db 变慢")
    assert confirmed.evidence_refs == (REF,)
    (cited,) = confirmed.citations
    assert (cited.source, cited.place) == ("logs/pay.log", "L7 2026-05-04T03:00:00Z")
    assert cited.query.startswith("query_logs(")


@pytest.mark.requirement("C1")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("可能是 cart-db-3 拒绝了连接", "unknown_name: cart-db-3"),
        ("可能有 77 次失败", "unknown_number: 77次"),
        ("可能从 2026-05-04T09:59:00Z 开始", "unknown_time: 2026-05-04T09:59:00+00:00"),
    ],
)
@pytest.mark.parametrize("kind", ["hypotheses", "actions", "missing"])
def test_what_names_the_unknown_is_dropped_and_recorded(text: str, why: str, kind: str) -> None:
    made = material(**{kind: (text, "可能是 pay-db 的问题")})  # type: ignore[arg-type]
    assert text not in (*made.directions, *made.next_steps)
    assert [(dropped.text, dropped.why) for dropped in made.dropped] == [(text, why)]


@pytest.mark.requirement("C1")
def test_what_names_only_what_is_known_is_kept() -> None:
    said = "可能是 pay-db 在 9 点变慢，40 ms"
    made = material(hypotheses=(said,), actions=("检查 pay-db",))
    assert made.directions == (said,)
    assert made.next_steps[0] == "检查 pay-db"


@pytest.mark.requirement("C3")
def test_an_unproven_fact_is_a_gap_by_subject_and_attribute_without_its_value() -> None:
    made = material(("pay-api 的错误率是 88 %", Label.NONE, ClaimType.METRIC))
    assert made.gaps == (EvidenceGap(subject="pay-api", attribute="metric", reason="no_evidence"),)
    assert "88" not in made.model_dump_json()


@pytest.mark.requirement("C3")
def test_a_name_that_nobody_knows_is_not_repeated_as_a_gap() -> None:
    made = material(("cart-db-3 拒绝了连接", Label.CONTRADICTED, EVENT), verdict=Verdict.REJECT)
    assert made.gaps == (EvidenceGap(subject="", attribute="log_event", reason="contradicted"),)
    assert "cart-db-3" not in made.model_dump_json()


@pytest.mark.requirement("C3")
def test_a_cause_that_is_not_direct_is_a_direction() -> None:
    made = material(("pay-db 变慢导致 pay-api 超时", Label.INDIRECT, EVENT))
    assert (made.confirmed, made.indirect) == ((), ())
    assert made.directions == ("pay-db 变慢导致 pay-api 超时",)


@pytest.mark.requirement("C4")
@pytest.mark.parametrize(("text", "kind"), [("pay-db 导致 pay-api 超时", EVENT), ("pay-db 超时", CAUSE)])
def test_reject_has_no_cause_even_a_confirmed_one_and_no_direction(text: str, kind: ClaimType) -> None:
    """Causes are recognised by their type and by their words."""
    made = material(
        (text, Label.DIRECT, kind),
        ("pay-api lost pay-db", Label.DIRECT, EVENT),
        verdict=Verdict.REJECT,
        hypotheses=("可能是 pay-db",),
        actions=("检查 pay-db",),
    )
    assert [finding.text for finding in made.confirmed] == ["pay-api lost pay-db"]
    assert made.directions == ()
    assert "检查 pay-db" not in made.next_steps


@pytest.mark.requirement("R4")
def test_what_round_one_confirmed_stays_as_checked_again_and_its_open_gaps_stay() -> None:
    closed = EvidenceGap(subject="pay-db", attribute="log_event", reason="no_evidence")
    still = EvidenceGap(subject="pay-cache", attribute="metric", reason="no_evidence")
    of_call = EvidenceGap(subject="query_logs()", attribute="", reason="no_data")
    made = material(
        ("pay-api lost pay-db", Label.DIRECT, EVENT),
        carried=(("pay-api ERROR", Label.DIRECT), ("pay-api 9", Label.NONE), ("pay-api lost pay-db", Label.DIRECT)),
        before=(closed, still, of_call),
    )
    assert [finding.text for finding in made.confirmed] == ["pay-api lost pay-db", "pay-api ERROR"]
    assert made.gaps == (still,)


def test_gaps_are_bounded_and_the_rest_is_counted() -> None:
    facts = [(f"pay-api 第 {number} 行没有记录", Label.NONE, kind) for number in range(30) for kind in ClaimType]
    many = material(*facts)
    assert len(many.gaps) <= 25
    assert InvocationId("inv-1") not in many.model_dump_json()
