"""Writes the noisy log of the example incident: some thousand routine lines, and the two dozen that matter.

`python examples/make_checkout_incident.py` writes it anew, the same bytes every time; a path as argument writes it
there instead. All names, hosts and orders are made up.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

PLACE = Path(__file__).parent / "checkout-incident" / "logs" / "checkout.log"
SEED = 20260416
LINES = 2100
START = datetime(2026, 4, 16, 9, 40, tzinfo=timezone(timedelta(hours=8)))
SECONDS = 50 * 60

FAILED = """
1:07.004 2:31.440 3:02.918 3:48.207 4:20.655 5:11.083 5:59.302 6:25.771 7:02.116 7:29.540
13:10.221 15:41.098 18:05.367 20:37.812 23:14.450 26:02.733 28:44.109
"""
"""Minutes and seconds after ten o'clock at which payment-service answered 502."""

REJECTED = "8:15.300 9:02.846 9:57.019 10:40.662 11:33.508 12:20.174"
"""While the circuit breaker was open."""

FIRST_ORDER = 20771


def _pick(rng: random.Random, items: Sequence[str]) -> str:
    """`rng.random()` alone is the same in every version of Python; `choice` is not promised to be."""
    return items[int(rng.random() * len(items))]


def _between(rng: random.Random, low: int, high: int) -> int:
    return low + int(rng.random() * (high - low))


def _routine(rng: random.Random) -> str:
    kind, thread = rng.random(), f"http-{_between(rng, 1, 9)}"
    if kind < 0.45:
        path = _pick(rng, ("/api/cart", "/api/cart/items", "/api/coupons", "/api/address"))
        return f"INFO  [{thread}] access - GET {path} 200 {_between(rng, 4, 60)}ms"
    if kind < 0.75:
        return f"DEBUG [{thread}] cache - hit cart:{_between(rng, 10000, 99999)} age={_between(rng, 1, 300)}s"
    if kind < 0.9:
        return f"INFO  [{thread}] access - POST /api/checkout/preview 200 {_between(rng, 70, 260)}ms"
    if kind < 0.96:
        return f"INFO  [pool] heartbeat - ok inflight={_between(rng, 0, 24)}"
    return f"WARN  [{thread}] recommend - no answer in {_between(rng, 800, 960)}ms, showing the popular list"


def _after_ten(moment: str) -> datetime:
    minutes, seconds = moment.split(":")
    return START + timedelta(minutes=20 + int(minutes), milliseconds=round(float(seconds) * 1000))


def _incident() -> Iterator[tuple[datetime, str]]:
    yield START + timedelta(minutes=12, seconds=8), "INFO  [config] reload - recommend.timeout 600ms -> 800ms"
    for number, moment in enumerate(FAILED.split()):
        took = 31 + number * 7 % 23
        call = f"order=LH{FIRST_ORDER + number} POST payment-service/v1/charges answered 502 after {took}ms"
        yield _after_ten(moment), f"ERROR [pay-{1 + number % 4}] PaymentClient - {call}"
    yield _after_ten("7:41.660"), "WARN  [breaker] CircuitBreaker - payment-service CLOSED -> OPEN: 10 failures"
    for number, moment in enumerate(REJECTED.split()):
        call = f"order=LH{FIRST_ORDER + 20 + number} not sent to payment-service: circuit open"
        yield _after_ten(moment), f"ERROR [pay-{1 + number % 4}] PaymentClient - {call}"
    yield _after_ten("12:41.660"), "INFO  [breaker] CircuitBreaker - payment-service OPEN -> HALF_OPEN"


def log() -> str:
    """The whole log, in the order of time."""
    rng = random.Random(SEED)  # noqa: S311 - noise for an example, no secret
    moments = sorted(rng.random() * SECONDS for _ in range(LINES))
    lines = [(START + timedelta(milliseconds=round(at * 1000)), _routine(rng)) for at in moments]
    ordered = sorted([*lines, *_incident()], key=lambda line: line[0])
    return "".join(f"{moment.isoformat(timespec='milliseconds')} {text}\n" for moment, text in ordered)


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PLACE
    place.write_bytes(log().encode())
