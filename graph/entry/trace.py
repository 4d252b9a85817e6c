"""`superbiz trace`: the whole story of a turn, from what is stored."""

import argparse
import asyncio
import json
from collections.abc import Iterator

from pydantic import JsonValue

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Language
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.session import Turn
from superbiz.graph.domain.text import shorten
from superbiz.graph.domain.times import show_time
from superbiz.graph.entry.console import say
from superbiz.graph.errors import NotFoundError
from superbiz.graph.settings import load_settings
from superbiz.prompts.phrases import phrase
from superbiz.store.open import open_store

_MANY = 2**31
"""No session has so many turns, and databases take no number of any size."""
_LINE = 200
"""Characters of one line of the trace; the JSON form is whole."""


def run(options: argparse.Namespace) -> int:
    """Run the command. Raises NotFoundError when there is no such session or turn."""
    url = options.store or load_settings().store_url
    turn, rows = asyncio.run(_read(url, SessionId(options.session), options.turn))
    if options.json:
        say(json.dumps(_whole(turn, rows), ensure_ascii=False, allow_nan=False))
    else:
        say("\n".join(story(turn, rows)))
    return 0


async def _read(url: str, session: SessionId, number: int | None) -> tuple[Turn, tuple[Invocation, ...]]:
    async with open_store(url) as store:
        turn = await store.turn(session, number) if number is None or 0 < number < _MANY else None
        if turn is None:
            if number is None:
                raise NotFoundError(
                    "there is no session {session} in the store: `superbiz doctor` says which one is used",
                    session=session,
                )
            raise NotFoundError(
                "there is no turn {number} of session {session} in the store: `superbiz doctor` says which one is used",
                number=number,
                session=session,
            )
        return turn, await store.turn_invocations(session, turn.inquiry.turn)


def _whole(turn: Turn, rows: tuple[Invocation, ...]) -> JsonObject:
    """Everything but the outputs, whose size and digest stand in their rows."""
    return {
        "turn": json.loads(turn.model_dump_json()),
        "invocations": [json.loads(row.model_dump_json(exclude={"output"})) for row in rows],
    }


def story(turn: Turn, rows: tuple[Invocation, ...]) -> Iterator[str]:
    """The turn as lines of text: question, plan, calls, summary, claims and labels, changes, verdicts, answer."""
    language = turn.inquiry.language
    kept = _object((turn.self_evaluation or {}).get("verifier_evaluation"))
    yield from _head(turn)
    for number in (1, 2):
        this_round = _object(kept.get(f"round_{number}"))
        calls = [row for row in rows if row.round == number]
        if this_round or calls:
            yield _heading(language, "round", number=number)
            yield from _plan(_object(this_round.get("plan")), language)
            yield from _calls(calls, language)
            yield from _labels(this_round, language)
    yield from _summary(_object(kept.get("tool_trace_summary")), language)
    yield from _changes(_object(kept.get("gatekeeper_result")), language)
    yield _heading(language, "verdict")
    yield f"  {kept.get('verdict')} {kept.get('groundedness_score')}: {kept.get('rationale')}"
    yield _heading(language, "answer")
    if turn.answer is not None:
        made = turn.answer.composer_output
        yield f"  [{made.mode}, {made.form}: {made.reason}]"
        yield turn.answer.text


def _head(turn: Turn) -> Iterator[str]:
    inquiry = turn.inquiry
    yield phrase(
        inquiry.language,
        "trace.head",
        session=inquiry.session_id,
        turn=inquiry.turn,
        status=turn.status,
        verdict=turn.verdict or "-",
        score="-" if turn.groundedness_score is None else f"{turn.groundedness_score:.2f}",
        rounds=turn.rounds,
    )
    yield f"  {inquiry.original_query}"
    yield f"  as_of {show_time(inquiry.as_of)} · {inquiry.evidence}"


def _plan(plan: JsonObject, language: Language) -> Iterator[str]:
    yield _heading(language, "plan")
    yield f"  {', '.join(_texts(plan.get('entities')))} · {', '.join(_texts(plan.get('symptoms')))}"
    for call in map(_object, _items(plan.get("calls"))):
        yield _line(f"  {call.get('tool_name')} {_compact(call.get('arguments'))} — {call.get('purpose')}")


def _calls(rows: list[Invocation], language: Language) -> Iterator[str]:
    yield _heading(language, "calls")
    for row in rows:
        counts = row.output.aggregates if row.output is not None else None
        seen = f"{counts.matched}/{counts.scanned}" if counts is not None else "-"
        fork = f" fork {row.branch}" if row.branch else ""
        note = f" = {row.deduped_of}" if row.deduped else f" {row.error.type}: {row.error.message}" if row.error else ""
        yield _line(
            f"  {row.invocation_id}{fork} {row.tool_name} {row.status or 'running'} {seen} "
            f"{row.duration_ms or 0} ms {' '.join(row.source_labels)}{note}"
        )
        yield from (
            _line(f"      ! {gap.source}: {gap.reason} {gap.detail}")
            for gap in (row.output.scope.gaps if row.output is not None else ())
        )


def _labels(this_round: JsonObject, language: Language) -> Iterator[str]:
    yield _heading(language, "claims")
    claims = [_object(check) for check in _items(this_round.get("claim_checks"))]
    for number, fact in enumerate(map(_object, _items(this_round.get("facts_checked")))):
        claim = claims[number] if number < len(claims) else {}
        yield _line(f"  {claim.get('claim_id', '·')} {fact.get('verification')} {fact.get('fact')}")
        yield _line(f"      {fact.get('detail')} [{fact.get('floor')} … {fact.get('ceiling')}]")
        yield from (f"      ! {problem}" for problem in _texts(claim.get("problems")))
        for ref in map(_object, _items(fact.get("evidence_refs"))):
            ids = " ".join(_texts(ref.get("source_invocation_ids")))
            yield _line(f"      {ref.get('trace_ref')} {ids}: {ref.get('excerpt')}")
    yield f"  → {this_round.get('verdict')} {this_round.get('groundedness_score')}"


def _summary(summary: JsonObject, language: Language) -> Iterator[str]:
    yield _heading(language, "summary")
    for entry in map(_object, _items(summary.get("entries"))):
        yield _line(
            f"  {entry.get('trace_ref')} {entry.get('tool_name')} {entry.get('status')} "
            f"{entry.get('evidence_level')} {entry.get('input_summary')}"
        )
        yield from (_line(f"      {line}") for line in str(entry.get("output_summary")).splitlines())


def _changes(gatekeeper: JsonObject, language: Language) -> Iterator[str]:
    yield _heading(language, "changes", judge=gatekeeper.get("judge"))
    for change in map(_object, _items(gatekeeper.get("changes"))):
        yield _line(f"  {change.get('rule')} {change.get('before')} → {change.get('after')}: {change.get('fact')}")
        yield _line(f"      {change.get('why')}")


def _heading(language: Language, name: str, **values: object) -> str:
    return f"── {phrase(language, f'trace.{name}', **values)}"


def _line(text: str) -> str:
    return shorten(text.replace("\n", " ⏎ "), _LINE)


def _compact(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _texts(value: JsonValue) -> list[str]:
    return [str(item) for item in _items(value)]
