"""What alerts and series show. Annotations are left alone: somebody's guess may stand in them (V10)."""

import re
from collections.abc import Iterator
from decimal import Decimal

from superbiz.graph.domain.contract import ClaimType, SourceType
from superbiz.graph.domain.evidence import Alert, AlertState, Series
from superbiz.graph.domain.plan import Language
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.times import show_time
from superbiz.nodes.claims.draft import Draft, label_text
from superbiz.prompts.phrases import phrase

_NUMBER = re.compile(r"[-+]?\d{1,20}(?:\.\d{1,20})?(?:[eE][-+]?\d{1,2})?")

_HIDDEN_LABELS = ("alertname", "severity")
"""Said otherwise, or no help in finding the instance."""

STATE_ORDER = (AlertState.FIRING, AlertState.PENDING, AlertState.SUPPRESSED, AlertState.RESOLVED, AlertState.INACTIVE)


def alert_claims(row: Invocation, language: Language) -> Iterator[Draft]:
    """One claim an alert instance, firing ones first; rules that are inactive are not worth a claim."""
    alerts = [record for record in row.output.records if isinstance(record, Alert)] if row.output else []
    for alert in sorted(alerts, key=lambda alert: STATE_ORDER.index(alert.state)):
        if alert.state is not AlertState.INACTIVE:
            yield _draft(row, ClaimType.ALERT, SourceType.ALERT, _alert_text(alert, language), alert.text)


def series_claims(row: Invocation, language: Language) -> Iterator[Draft]:
    """One claim a series that has a finite sample; NaN and ±Inf support no claim, they are gaps (field bug 33)."""
    for record in row.output.records if row.output else ():
        if isinstance(record, Series) and (text := _series_text(record, language)):
            yield _draft(row, ClaimType.METRIC, SourceType.METRIC, text, record.text)


def _alert_text(alert: Alert, language: Language) -> str:
    labels = {name: value for name, value in alert.labels.items() if name not in _HIDDEN_LABELS}
    state = phrase(language, f"states.{alert.state}")
    text = phrase(language, "claims.alert", name=alert.name, labels=label_text(labels), state=state)
    if alert.active_at is not None:
        # Only of a firing alert is it the state that has lasted since then.
        key = "claims.since" if alert.state is AlertState.FIRING else "claims.started"
        text += phrase(language, key, time=show_time(alert.active_at))
    if alert.state is AlertState.RESOLVED and alert.ends_at is not None:
        text += phrase(language, "claims.ended", time=show_time(alert.ends_at))
    if alert.value is not None:
        text += phrase(language, "claims.value", value=_plain(alert.value))
    return text + phrase(language, "claims.stop")


def _series_text(series: Series, language: Language) -> str | None:
    least, most, first, last = series.minimum, series.maximum, series.first, series.last
    if least is None or most is None or first is None or last is None:
        return None
    if series.count == 1:
        said = phrase(
            language, "claims.instant", name=_name(series), time=show_time(last.time), value=_plain(last.value)
        )
    else:
        said = phrase(
            language,
            "claims.range",
            name=_name(series),
            start=show_time(first.time),
            end=show_time(last.time),
            count=series.count,
            least=_plain(least.value),
            least_time=show_time(least.time),
            most=_plain(most.value),
            most_time=show_time(most.time),
            last=_plain(last.value),
        )
    return said + phrase(language, "claims.stop")


def _plain(value: str) -> str:
    """A value as people write it, `23` for `2.3e+01`, digit for digit the same number; other texts as they are."""
    return f"{Decimal(value).normalize():f}" if _NUMBER.fullmatch(value) else value


def _name(series: Series) -> str:
    return (series.metric or "") + label_text(series.labels)


def _draft(row: Invocation, claim: ClaimType, source: SourceType, text: str, excerpt: str) -> Draft:
    return Draft(
        claim_type=claim,
        source_type=source,
        text=text,
        tool_name=row.tool_name,
        invocation_id=row.invocation_id,
        excerpt=excerpt,
    )
