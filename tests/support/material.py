"""Material of an answer, made from what a test cares about."""

from superbiz.graph.domain.answer import Citation, Finding, Material
from superbiz.graph.domain.ids import ClaimId, InvocationId, TraceRef
from superbiz.graph.domain.plan import EvidenceGap
from superbiz.graph.domain.verdict import EvidenceRef, Verdict


def make_finding(text: str, *, cause: bool = False, source: str = "logs/pay.log", place: str = "L7") -> Finding:
    ref = EvidenceRef(trace_ref=TraceRef("T1"), source_invocation_ids=(InvocationId("inv-1"),), excerpt=text)
    query = f'query_logs(source="{source}")'
    citation = Citation(source=source, place=place, query=query)
    return Finding(
        claim_id=ClaimId("c1"), text=text, is_cause=cause, evidence_refs=(ref,), citations=(citation, citation)
    )


def make_material(verdict: Verdict, *, confirmed: tuple[Finding, ...] = ()) -> Material:
    return Material(
        verdict=verdict,
        groundedness_score=0.75,
        confirmed=confirmed or (make_finding("pay-api 第 7 行：「refused」。"),),
        indirect=(make_finding("pay-api 的队列在增长。"),),
        directions=("可能与连接池有关",),
        gaps=(
            EvidenceGap(subject="pay-db", attribute="metric", reason="no_evidence"),
            EvidenceGap(subject="", attribute="statement", reason="contradicted"),
            EvidenceGap(subject="metrics/q.json", attribute="", reason="empty"),
        ),
        next_steps=("检查 pay-db 的连接数",),
    )
