"""How a moment is written for people and read back: UTC, all digits it has, none it does not have."""

from datetime import UTC, datetime


def show_time(moment: datetime) -> str:
    """`2026-03-02T08:15:07Z`, with a fraction only when there is one: `…07.25Z`."""
    moment = moment.astimezone(UTC)
    fraction = f".{moment.microsecond:06d}".rstrip("0") if moment.microsecond else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"
