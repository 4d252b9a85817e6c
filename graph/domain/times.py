"""Moments: UTC everywhere, written for people with all digits they have and none they do not have."""

from datetime import UTC, datetime


def to_utc(moment: datetime) -> datetime:
    """The moment in UTC; one without a zone counts as UTC. Raises OverflowError where that leaves the calendar."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def show_time(moment: datetime) -> str:
    """`2026-03-02T08:15:07Z`, with a fraction only when there is one: `…07.25Z`."""
    moment = moment.astimezone(UTC)
    fraction = f".{moment.microsecond:06d}".rstrip("0") if moment.microsecond else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"
