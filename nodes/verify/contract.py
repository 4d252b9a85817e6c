"""Reads the Executor's final text strictly into `executor_evidence_v2`, or says why it cannot (E1-E5, V7).

Nothing is guessed: reasoning and one fence are removed, the object starts at the first brace, and what is cut, doubled
or foreign fails. A failed text is checked as prose instead (V8).
"""

import json
from collections.abc import Iterator
from typing import NoReturn

from pydantic import JsonValue, ValidationError

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.contract import Binding, Claim, ExecutorContract, ParsedOutput, ParseOutcome, ParseStatus

MAX_CHARS = 1_000_000
"""Longer texts are no contract: the biggest honest one is some tens of kilobytes."""

END_OF_REASONING = "</think>"
SHOWN_FIELDS = ("user_facing_answer", "diagnosis_summary")
"""Not part of the contract (E1); what they say is checked as prose and never shown (V7)."""


class _Refused(Exception):
    """The text is no contract; the message is the reason."""


def parse_contract(text: str) -> ParsedOutput:
    """Read a contract. Never raises; a failure has a reason: `empty`, `too_large`, `no_object`, `truncated`,
    `invalid_json`, `duplicate_key`, `not_finite`, `too_deep`, `schema`, `duplicate_claim_id`."""
    try:
        return _parse(text)
    except _Refused as refusal:
        return ParsedOutput(status=ParseStatus(status=ParseOutcome.FAILED, reason=str(refusal)), contract=None)


def answer_text(text: str) -> str:
    """The text that counts as the answer when it is no contract: reasoning and one fence removed (I2)."""
    return _without_fence(without_reasoning(text))[0].strip()


def _parse(text: str) -> ParsedOutput:
    if not text.strip():
        raise _Refused("empty")
    if len(text) > MAX_CHARS:
        raise _Refused("too_large")
    body, fenced = _without_fence(without_reasoning(text))
    start = body.find("{")
    if start < 0:
        raise _Refused("no_object")
    found, end = _decode(body, start)
    notes = ["reasoning"] if len(without_reasoning(text)) != len(text) else []
    notes += ["fence"] if fenced else []
    around = [part.strip() for part in (body[:start], body[end:]) if part.strip(" \t\r\n`")]
    notes += ["text_around"] if around else []
    shown = [str(found[name]).strip() for name in SHOWN_FIELDS if isinstance(found.get(name), str)]
    notes += [f"forbidden_field: {name}" for name in SHOWN_FIELDS if name in found]
    known, unknown = _known_fields(found)
    notes += [f"unknown_field: {name}" for name in unknown]
    contract = _validate(known)
    outcome = ParseOutcome.REPAIRED if notes else ParseOutcome.PARSED
    return ParsedOutput(
        status=ParseStatus(status=outcome, reason="; ".join(notes) or None),
        contract=contract,
        extra_text=tuple(part for part in (*around, *shown) if part),
    )


def without_reasoning(text: str) -> str:
    """Drops everything up to the last `</think>` that is not inside the object (field bugs 4, 5)."""
    while END_OF_REASONING in text:
        head, _, tail = text.partition(END_OF_REASONING)
        if head.lstrip().startswith("{") and _object_end(text) > len(head):
            break
        text = tail
    return text


def _object_end(text: str) -> int:
    try:
        return _decode(text, text.find("{"))[1]
    except _Refused:
        return -1


def _without_fence(text: str) -> tuple[str, bool]:
    stripped = text.strip()
    if not stripped.startswith("```"):
        return text, False
    inner = stripped.partition("\n")[2]
    return inner.rpartition("```")[0] or inner, True


def _decode(text: str, start: int) -> tuple[JsonObject, int]:
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse_constant)
    try:
        found, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise _Refused("truncated" if _looks_cut(text, error) else "invalid_json") from error
    except RecursionError as error:
        raise _Refused("too_deep") from error
    return found, end


def _looks_cut(text: str, error: json.JSONDecodeError) -> bool:
    return error.msg.startswith("Unterminated") or not text[error.pos :].strip()


def _unique(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Refused("duplicate_key")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise _Refused("not_finite")


def _known_fields(found: JsonObject) -> tuple[JsonObject, list[str]]:
    """The object without fields that the contract does not have, and their names, so that they are reported."""
    known: JsonObject = {name: value for name, value in found.items() if name in ExecutorContract.model_fields}
    unknown = sorted(found.keys() - known.keys() - set(SHOWN_FIELDS))
    claims = known.get("claims")
    if isinstance(claims, list):
        known["claims"] = [_known_claim(claim) for claim in claims]
        unknown += sorted({name for claim in claims for name in _unknown_in_claim(claim)})
    return known, unknown


def _known_claim(claim: JsonValue) -> JsonValue:
    if not isinstance(claim, dict):
        return claim
    kept: JsonObject = {name: value for name, value in claim.items() if name in Claim.model_fields}
    bindings = kept.get("evidence_bindings")
    if isinstance(bindings, list):
        kept["evidence_bindings"] = [
            {k: v for k, v in binding.items() if k in Binding.model_fields} if isinstance(binding, dict) else binding
            for binding in bindings
        ]
    return kept


def _unknown_in_claim(claim: JsonValue) -> Iterator[str]:
    if not isinstance(claim, dict):
        return
    yield from (f"claims.{name}" for name in claim.keys() - Claim.model_fields.keys())
    bindings = claim.get("evidence_bindings")
    for binding in bindings if isinstance(bindings, list) else ():
        if isinstance(binding, dict):
            yield from (f"evidence_bindings.{name}" for name in binding.keys() - Binding.model_fields.keys())


def _validate(known: JsonObject) -> ExecutorContract:
    try:
        contract = ExecutorContract.model_validate_json(json.dumps(known))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise _Refused(f"schema: {place}: {first['msg']}") from error
    ids = [claim.claim_id for claim in contract.claims]
    if len(set(ids)) < len(ids):
        raise _Refused("duplicate_claim_id")
    return contract
