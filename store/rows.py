"""How domain values become columns and come back: the same for every database."""

import json
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import BaseModel, JsonValue
from pydantic_core import PydanticSerializationError

from superbiz.graph.domain.answer import Answer, Usage
from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.evidence import ToolOutput
from superbiz.graph.domain.plan import Window
from superbiz.graph.domain.record import ErrorInfo, Invocation
from superbiz.graph.domain.session import RECORD_VERSION, Inquiry, Session, Turn, TurnEnd
from superbiz.graph.domain.text import NUL_SIGN, shorten
from superbiz.graph.errors import StoreError

Row = Mapping[str, Any]
Columns = dict[str, Any]
ModelT = TypeVar("ModelT", bound=BaseModel)

TITLE_CHARS = 80

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Text that every database takes: NUL shown as its sign, a lone surrogate as U+FFFD (field bugs 26, 27)."""
    return _UNSTORABLE.sub(lambda found: NUL_SIGN if found[0] == "\x00" else "\ufffd", text)


def storable_json(value: JsonValue) -> JsonValue:
    """The value with every text in it, keys too, made storable.

    Not by replacing escapes in the dumped text: a log line may well hold the six characters `\\u0000`.
    """
    match value:
        case str():
            return storable(value)
        case list():
            return [storable_json(item) for item in value]
        case dict():
            return {storable(name): storable_json(item) for name, item in value.items()}
        case _:
            return value


def to_json(value: JsonValue) -> str:
    """JSON that every database takes. Raises ValueError for NaN and infinities, which JSON does not have."""
    return json.dumps(storable_json(value), ensure_ascii=False, allow_nan=False)


def to_object(text: str | None) -> JsonObject | None:
    """A JSON object column; None stays None."""
    if text is None:
        return None
    found: JsonObject = json.loads(text)
    return found


def utc_text(moment: datetime) -> str:
    """The moment in UTC, always with microseconds, so that texts sort as times do. ValueError without a zone."""
    if moment.tzinfo is None:
        raise ValueError(f"the time {moment.isoformat()} has no zone")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def invocation_columns(row: Invocation) -> Columns:
    """Columns of `tool_invocation`; the output goes apart."""
    columns: Columns = row.model_dump(mode="json", exclude={"output", "invocation_id"})
    return {
        **columns,
        "id": row.invocation_id,
        "tool_name": storable(row.tool_name),
        "arguments": to_json(columns["arguments"]),
        "source_labels": to_json(columns["source_labels"]),
        "error": None if row.error is None else to_json(columns["error"]),
        "started_at": utc_text(row.started_at),
    }


def to_invocation(row: Row) -> Invocation:
    """A row with its output's `body`."""
    values = {name: row[name] for name in row if name not in ("id", "body")}
    with readable(f"invocation {row['id']} of session {row['session_id']}"):
        return Invocation.model_validate(
            {
                **values,
                "invocation_id": row["id"],
                "arguments": json.loads(row["arguments"]),
                "source_labels": json.loads(row["source_labels"]),
                "error": _model(ErrorInfo, row["error"]),
                "output": None if row["body"] is None else _to_output(row["body"]),
            }
        )


def output_body(output: ToolOutput) -> bytes:
    """The output as stored, byte for byte what `output_sha256` is taken of.

    Level 1: on logs a third of the time of level 6, for a third more bytes.
    """
    try:
        text = output.model_dump_json()
    except PydanticSerializationError:  # A lone surrogate: the boundary replaces them, a foreign tool may not.
        text = to_json(output.model_dump(mode="json"))
    return zlib.compress(text.encode(), 1)


def session_columns(inquiry: Inquiry, now: datetime) -> Columns:
    """Columns of a session that opens with this question."""
    session = Session(
        session_id=inquiry.session_id,
        title=shorten(storable(inquiry.original_query), TITLE_CHARS),
        language=inquiry.language,
        created_at=now,
        updated_at=now,
    )
    columns: Columns = session.model_dump(mode="json", exclude={"session_id", "created_at", "updated_at"})
    return {**columns, "id": inquiry.session_id, "now": utc_text(now)}


def to_session(row: Row) -> Session:
    """A session. Raises StoreError when a newer version wrote it."""
    _check_version(row["id"], row["record_version"])
    values = {name: row[name] for name in row if name != "id"}
    with readable(f"session {row['id']}"):
        return Session.model_validate(
            {**values, "session_id": row["id"], "self_evaluation": to_object(row["self_evaluation"])}
        )


def turn_columns(inquiry: Inquiry, now: datetime) -> Columns:
    """Columns of a turn that opens: everything that decides how it is answered (V13)."""
    window = inquiry.window
    return {
        "session_id": inquiry.session_id,
        "number": inquiry.turn,
        "question": storable(inquiry.original_query),
        "language": inquiry.language.value,
        "as_of": utc_text(inquiry.as_of),
        "since": None if window.since is None else utc_text(window.since),
        "until": None if window.until is None else utc_text(window.until),
        "evidence": storable(inquiry.evidence),
        "now": utc_text(now),
    }


def end_columns(end: TurnEnd) -> Columns:
    """Columns that close a turn."""
    columns: Columns = end.model_dump(mode="json")
    return {
        **columns,
        "status": end.answer.status.value,
        "answer": to_json(columns["answer"]),
        "usage": to_json(columns["usage"]),
    }


def to_turn(row: Row) -> Turn:
    """A turn, of a row with its session's `record_version`. Raises StoreError as `to_session`."""
    _check_version(row["session_id"], row["record_version"])
    with readable(f"turn {row['number']} of session {row['session_id']}"):
        inquiry = Inquiry(
            session_id=row["session_id"],
            turn=row["number"],
            original_query=row["question"],
            language=row["language"],
            as_of=row["as_of"],
            window=Window(since=row["since"], until=row["until"]),
            evidence=row["evidence"],
        )
        return Turn(
            inquiry=inquiry,
            status=row["status"],
            verdict=row["verdict"],
            groundedness_score=row["groundedness_score"],
            rounds=row["rounds"],
            answer=_model(Answer, row["answer"]),
            self_evaluation=to_object(row["self_evaluation"]),
            usage=_model(Usage, row["usage"]),
            created_at=row["created_at"],
            updated_at=row["updated_at"],
        )


def _check_version(session_id: str, found: int) -> None:
    if found > RECORD_VERSION:
        raise StoreError(
            "session {session} was written by a newer superbiz (record version {found}, this one reads up to {known}): "
            "use that version, or start another session",
            session=session_id,
            found=found,
            known=RECORD_VERSION,
        )


def _to_output(body: bytes) -> ToolOutput:
    return ToolOutput.model_validate_json(zlib.decompress(body))


def _model(kind: type[ModelT], text: str | None) -> ModelT | None:
    return None if text is None else kind.model_validate_json(text)


@contextmanager
def readable(what: str) -> Iterator[None]:
    """A row that another version wrote, or that was damaged, is said to be so."""
    try:
        yield
    except (ValueError, zlib.error) as error:
        raise StoreError(
            "{what} cannot be read ({error}): it is damaged, or of another version of superbiz: use that version",
            what=what,
            error=str(error).partition("\n")[0],
        ) from error
