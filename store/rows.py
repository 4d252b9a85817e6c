"""How domain values become columns and come back: the same for every database."""

import json
import zlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from superbiz.graph.domain.answer import Answer, Usage
from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.evidence import ToolOutput
from superbiz.graph.domain.record import ErrorInfo, Invocation
from superbiz.graph.domain.session import Inquiry, Session, Turn
from superbiz.graph.domain.text import NUL_SIGN

Row = Mapping[str, Any]
Columns = dict[str, Any]

TITLE_CHARS = 80


def to_json(value: JsonValue) -> str:
    """JSON that any database takes: no NaN, NUL shown as a sign, lone surrogates replaced (field bugs 26, 27)."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return storable(text.replace("\\u0000", NUL_SIGN))


def storable(text: str) -> str:
    """Text without NUL and lone surrogates."""
    return text.replace("\x00", NUL_SIGN).encode("utf-8", "replace").decode("utf-8")


def to_object(text: str | None) -> JsonObject | None:
    """A JSON object column; None stays None."""
    if text is None:
        return None
    found: JsonObject = json.loads(text)
    return found


def invocation_columns(row: Invocation) -> Columns:
    """Columns of `tool_invocation`; the output goes apart."""
    columns: Columns = row.model_dump(mode="json", exclude={"output", "invocation_id"})
    columns["id"] = row.invocation_id
    for name in ("arguments", "source_labels"):
        columns[name] = to_json(columns[name])
    columns["error"] = None if row.error is None else to_json(columns["error"])
    columns["started_at"] = row.started_at.isoformat()
    return columns


def to_invocation(row: Row, body: bytes | None) -> Invocation:
    """A row with its output."""
    values = {name: row[name] for name in row if name != "id"}
    values["invocation_id"] = row["id"]
    values["arguments"] = json.loads(row["arguments"])
    values["source_labels"] = json.loads(row["source_labels"])
    values["error"] = None if row["error"] is None else ErrorInfo.model_validate_json(row["error"])
    values["output"] = None if body is None else ToolOutput.model_validate_json(zlib.decompress(body))
    return Invocation.model_validate(values)


def output_body(output: ToolOutput) -> bytes:
    """The output as stored. Level 1: a tenth of the time of level 6 for a few percent more bytes."""
    return zlib.compress(storable(output.model_dump_json()).encode(), 1)


def session_columns(inquiry: Inquiry, version: int, now: datetime) -> Columns:
    """Columns of a new `diagnosis_session`."""
    return {
        "id": inquiry.session_id,
        "tenant": "default",
        "title": storable(inquiry.original_query)[:TITLE_CHARS],
        "language": inquiry.language.value,
        "status": "open",
        "record_version": version,
        "now": now.isoformat(),
    }


def to_session(row: Row) -> Session:
    """A session."""
    values = {name: row[name] for name in row if name != "id"}
    return Session.model_validate(
        {**values, "session_id": row["id"], "self_evaluation": to_object(row["self_evaluation"])}
    )


def to_turn(row: Row) -> Turn:
    """A turn."""
    return Turn(
        inquiry=Inquiry.model_validate_json(row["inquiry"]),
        status=row["status"],
        verdict=row["verdict"],
        groundedness_score=row["groundedness_score"],
        rounds=row["rounds"],
        answer=None if row["answer"] is None else Answer.model_validate_json(row["answer"]),
        self_evaluation=to_object(row["self_evaluation"]),
        usage=None if row["usage"] is None else Usage.model_validate_json(row["usage"]),
        created_at=datetime.fromisoformat(row["created_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
    )
