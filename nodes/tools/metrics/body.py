"""One metrics file: bytes to a JSON body, and what kind of body it is, told by the body and not by the file's name."""

import json
from codecs import BOM_UTF8
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from pydantic import JsonValue

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.evidence import Gap, SourceFile
from superbiz.graph.domain.text import normalise
from superbiz.nodes.tools.directory import EvidenceFile


class BodyKind(StrEnum):
    """What a body holds."""

    SERIES = "series"
    ALERTS = "alerts"
    ERROR = "error"


@dataclass(frozen=True)
class Body:
    """A body that was read. `items` are result objects, or alert objects as their service writes them."""

    file: SourceFile
    kind: BodyKind
    items: tuple[JsonObject, ...] = ()
    alertmanager: bool = False
    gaps: tuple[Gap, ...] = ()
    lost: int = 0
    """Entries beside `items` that could not be read: what is missing there can not be told."""


@dataclass(frozen=True)
class Unusable:
    """A file that could not be used, and why."""

    gap: Gap
    file: SourceFile | None = None


def read_body(file: EvidenceFile) -> Body | Unusable:
    """Read one file. Never raises for what the file holds."""
    try:
        content = file.path.read_bytes()
    except OSError as error:
        return Unusable(Gap(source=file.name, reason="unreadable", detail=error.strerror or ""))
    source = SourceFile(path=file.name, bytes=len(content), sha256=sha256(content).hexdigest(), encoding="utf-8")
    if not content.strip():
        return Unusable(Gap(source=file.name, reason="empty"), source)
    try:
        # NaN and Infinity as bare words are not JSON, but services write them: kept as the text they are.
        return _body(json.loads(content.decode("utf-8-sig"), parse_constant=str), source)
    except (ValueError, RecursionError) as error:
        return Unusable(Gap(source=file.name, reason=_why(content, error), detail=normalise(str(error))[:200]), source)


def _why(content: bytes, error: Exception) -> str:
    """A body that starts as JSON and breaks at its end was cut; anything else is no JSON."""
    if isinstance(error, UnicodeDecodeError) and error.reason == "unexpected end of data":
        return "truncated"
    if isinstance(error, json.JSONDecodeError) and content.removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"["):
        at_end = not error.doc[error.pos :].strip() or error.msg.startswith("Unterminated")
        return "truncated" if at_end else "not_json"
    return "not_json"


def _body(found: JsonValue, source: SourceFile) -> Body | Unusable:
    if isinstance(found, list):
        return _alertmanager(found, source)
    if isinstance(found, dict) and found.get("status") == "error":
        detail = normalise(f"{found.get('errorType')}: {found.get('error')}")
        return Body(source, BodyKind.ERROR, gaps=(Gap(source=source.path, reason="query_error", detail=detail),))
    data = found.get("data", found) if isinstance(found, dict) else None
    if isinstance(found, dict) and isinstance(data, dict):
        gaps = tuple(_warnings(found, source))
        if "result" in data and "resultType" in data:
            return _series(data, source, gaps)
        if isinstance(alerts := data.get("alerts"), list):
            items = _objects(alerts)
            return Body(source, BodyKind.ALERTS, items, gaps=gaps, lost=len(alerts) - len(items))
        if isinstance(data.get("groups"), list):
            return _rules(data["groups"], source, gaps)
    return Unusable(Gap(source=source.path, reason="unknown_body"), source)


def _alertmanager(found: list[JsonValue], source: SourceFile) -> Body | Unusable:
    items = _objects(found)
    if len(items) < len(found) or not all("labels" in item for item in items):
        return Unusable(Gap(source=source.path, reason="unknown_body"), source)
    return Body(source, BodyKind.ALERTS, items, alertmanager=True)


def _series(data: JsonObject, source: SourceFile, gaps: tuple[Gap, ...]) -> Body | Unusable:
    result = data["result"]
    if data["resultType"] in ("scalar", "string"):
        return Body(source, BodyKind.SERIES, ({"metric": {}, "value": result},), gaps=gaps)
    if not isinstance(result, list | None):
        return Unusable(Gap(source=source.path, reason="unknown_body"), source)
    items = _objects(result)
    return Body(source, BodyKind.SERIES, items, gaps=gaps, lost=len(_list(result)) - len(items))


def _rules(groups: JsonValue, source: SourceFile, gaps: tuple[Gap, ...]) -> Body:
    """Alerts of the alerting rules; of a rule that could not be evaluated nothing is known."""
    items: list[JsonObject] = []
    failed: list[Gap] = []
    for group in _objects(groups):
        for rule in _objects(group.get("rules")):
            if rule.get("type") == "recording" or "alerts" not in rule:
                continue
            alerts = _objects(rule["alerts"])
            if error := rule.get("lastError"):
                detail = normalise(f"{rule.get('name')}: {error}")
                failed.append(Gap(source=source.path, reason="query_error", detail=detail))
            elif not alerts:
                alerts = (_rule(rule),)
            items += alerts
    return Body(source, BodyKind.ALERTS, tuple(items), gaps=(*gaps, *failed))


def _rule(rule: JsonObject) -> JsonObject:
    """A rule without alerts as one alert in the rule's state: a service may be asked to leave its alerts out."""
    labels = rule.get("labels")
    named: JsonObject = {"alertname": rule.get("name"), **(labels if isinstance(labels, dict) else {})}
    return {"labels": named, "annotations": {}, "state": rule.get("state", "inactive")}


def _warnings(found: JsonObject, source: SourceFile) -> list[Gap]:
    texts = [text for name in ("warnings", "infos") for text in _list(found.get(name))]
    return [Gap(source=source.path, reason="warning", detail=normalise(str(text))) for text in texts]


def _objects(value: JsonValue) -> tuple[JsonObject, ...]:
    return tuple(item for item in _list(value) if isinstance(item, dict))


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
