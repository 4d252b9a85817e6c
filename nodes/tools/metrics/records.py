"""Bodies to records: series with their ends and extremes, alerts with their state at `as_of`."""

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime

from pydantic import JsonValue

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.evidence import Alert, AlertState, Gap, Sample, Series
from superbiz.graph.domain.text import normalise
from superbiz.graph.domain.times import to_utc
from superbiz.nodes.tools.metrics.body import Body, BodyKind

WHOLE_SAMPLES = 24
"""A range up to this long is quoted whole; a longer one keeps its first, last, least and greatest samples."""


def series_of(body: Body) -> Iterator[tuple[Series, tuple[Gap, ...]]]:
    """Series of a body, each with gaps for the samples that are no finite number (field bugs 33, 34)."""
    for item in body.items:
        samples = [sample for raw in _raw_samples(item) if (sample := _sample(raw)) is not None]
        if not samples:
            continue
        labels = _labels(item.get("metric"))
        metric = labels.pop("__name__", None)
        finite = [sample for sample in samples if is_finite(sample.value)]
        least = min(finite, key=lambda sample: float(sample.value), default=None)
        most = max(finite, key=lambda sample: float(sample.value), default=None)
        kept = samples if len(samples) <= WHOLE_SAMPLES else _ends(samples, least, most)
        yield (
            Series(
                source=body.file.path,
                metric=metric,
                labels=labels,
                count=len(samples),
                special=len(samples) - len(finite),
                first=samples[0],
                last=samples[-1],
                minimum=least,
                maximum=most,
                text=_series_text(item, kept),
            ),
            tuple(_special(body, metric, labels, samples)),
        )


def alerts_of(body: Body, as_of: datetime) -> Iterator[Alert]:
    """Alerts of a body; exact duplicates on the full label set are one (T5)."""
    seen: set[tuple[str, str]] = set()
    for item in body.items:
        labels = _labels(item.get("labels"))
        state = _state(body, item, as_of)
        if state is None or (key := (json.dumps(labels, sort_keys=True), state.value)) in seen:
            continue
        seen.add(key)
        value = item.get("value")
        yield Alert(
            source=body.file.path,
            name=labels.get("alertname", ""),
            state=state,
            labels=labels,
            annotations=_labels(item.get("annotations")),
            active_at=_moment(item.get("activeAt", item.get("startsAt"))),
            ends_at=_moment(item.get("endsAt")),
            value=None if value is None else normalise(str(value)),
            text=_text(item),
        )


def unread_of(body: Body, as_of: datetime) -> Iterator[Gap]:
    """One gap for alerts without a known state, or for samples that cannot be read: none is lost silently."""
    if body.kind is BodyKind.ALERTS:
        unread = sum(_state(body, item, as_of) is None for item in body.items)
    else:
        unread = sum(not _is_read(item) for item in body.items)
    if unread + body.lost:
        detail = f"{unread + body.lost}/{len(body.items) + body.lost}"
        yield Gap(source=body.file.path, reason="unknown_body", detail=detail)


def is_finite(value: str) -> bool:
    """Whether the text is a finite number; "NaN", "+Inf", "" and "null" are not."""
    try:
        return "_" not in value and math.isfinite(float(value))
    except ValueError:
        return False


def _raw_samples(item: JsonObject) -> list[JsonValue]:
    values = item.get("values")
    if isinstance(values, list):
        return values
    return [item["value"]] if "value" in item else []


def _is_read(item: JsonObject) -> bool:
    """Whether every sample is one we know; a native histogram has none."""
    raw = _raw_samples(item)
    return all(_sample(sample) is not None for sample in raw) and bool(raw or "values" in item)


def _sample(raw: JsonValue) -> Sample | None:
    if not isinstance(raw, list) or len(raw) != 2:
        return None
    stamp, value = raw
    try:
        moment = datetime.fromtimestamp(float(str(stamp)), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    text = "null" if value is None else value if isinstance(value, str) else json.dumps(value)
    return Sample(time=moment, value=normalise(text))


def _ends(samples: list[Sample], least: Sample | None, most: Sample | None) -> list[Sample]:
    kept = {sample.time: sample for sample in (samples[0], least, most, samples[-1]) if sample is not None}
    return [kept[time] for time in sorted(kept)]


def _series_text(item: JsonObject, kept: list[Sample]) -> str:
    if "values" not in item:
        return _text(item)
    values: list[JsonValue] = [[sample.time.timestamp(), sample.value] for sample in kept]
    return _text({**item, "values": values})


def _special(body: Body, metric: str | None, labels: dict[str, str], samples: list[Sample]) -> Iterator[Gap]:
    """One gap a series: which values, how many."""
    special = [sample.value for sample in samples if not is_finite(sample.value)]
    if special:
        name = (metric or "") + ("{" + ", ".join(f"{k}={v}" for k, v in sorted(labels.items())) + "}" if labels else "")
        values = ", ".join(dict.fromkeys(special))
        yield Gap(
            source=body.file.path, reason="special_value", detail=f"{name} {values} ({len(special)}/{len(samples)})"
        )


def _state(body: Body, item: JsonObject, as_of: datetime) -> AlertState | None:
    return _alertmanager_state(item, as_of) if body.alertmanager else _prometheus_state(item)


def _prometheus_state(item: JsonObject) -> AlertState | None:
    state = item.get("state")
    return AlertState(state) if state in ("firing", "pending", "inactive") else None


def _alertmanager_state(item: JsonObject, as_of: datetime) -> AlertState | None:
    """`active` says only that Alertmanager still holds it: an end in the past means resolved (field bug 41)."""
    status = item.get("status")
    state = status.get("state") if isinstance(status, dict) else status
    ends = _moment(item.get("endsAt"))
    if ends is not None and ends <= as_of:
        return AlertState.RESOLVED
    match state:
        case "active" | "firing" | "unprocessed":
            return AlertState.FIRING
        case "suppressed":
            return AlertState.SUPPRESSED
        case "resolved":
            return AlertState.RESOLVED
        case _:
            return None


def _moment(value: JsonValue) -> datetime | None:
    """A time, UTC; absent, unreadable and year-0001 ones are None: they mean "no end"."""
    try:
        moment = datetime.fromisoformat(str(value))
        if moment.year == 1:
            return None
        return to_utc(moment)
    except (ValueError, OverflowError):
        return None


def _labels(value: JsonValue) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {normalise(str(name)): normalise(str(text)) for name, text in sorted(value.items())}


def _text(item: JsonObject) -> str:
    return normalise(json.dumps(item, ensure_ascii=False))
