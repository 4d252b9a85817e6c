"""`diagnose --json`: one object for machines, made from the turn as stored (DESIGN: Commands)."""

import json

from superbiz.graph.domain.answer import Finding, TurnStatus
from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.session import Turn
from superbiz.graph.domain.verdict import Verdict

EXIT_BY_VERDICT = {Verdict.PASS: 0, Verdict.LOW_CONFID: 3, Verdict.REJECT: 4}
EXIT_CLARIFY = 6
EXIT_INTERRUPTED = 130


def exit_code(turn: Turn) -> int:
    """The exit code that tells how the turn ended."""
    match turn.status:
        case TurnStatus.CLARIFY:
            return EXIT_CLARIFY
        case TurnStatus.ANSWERED if turn.verdict is not None:
            return EXIT_BY_VERDICT[turn.verdict]
        case _:
            return EXIT_INTERRUPTED


def report(turn: Turn) -> JsonObject:
    """The object; a turn that is not answered has an empty answer and no items."""
    material = turn.answer.material if turn.answer is not None else None
    status = TurnStatus.INTERRUPTED if turn.status is TurnStatus.RUNNING else turn.status
    return {
        "session_id": turn.inquiry.session_id,
        "turn": turn.inquiry.turn,
        "status": status.value,
        "verdict": turn.verdict.value if turn.verdict is not None else None,
        "groundedness_score": turn.groundedness_score,
        "rounds": turn.rounds,
        "language": turn.inquiry.language.value,
        "answer": turn.answer.text if turn.answer is not None else "",
        "confirmed": [_item(finding) for finding in material.confirmed] if material else [],
        "indirect": [_item(finding) for finding in material.indirect] if material else [],
        "directions": list(material.directions) if material else [],
        "gaps": [json.loads(gap.model_dump_json()) for gap in material.gaps] if material else [],
        "next_steps": list(material.next_steps) if material else [],
        "usage": json.loads(turn.usage.model_dump_json()) if turn.usage is not None else None,
    }


def _item(finding: Finding) -> JsonObject:
    return {
        "claim_id": finding.claim_id,
        "text": finding.text,
        "evidence_refs": [json.loads(ref.model_dump_json()) for ref in finding.evidence_refs],
    }
