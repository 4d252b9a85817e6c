"""Where the machine goes next: one function a fork, nothing else decides (R1-R6)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, assert_never

from superbiz.graph.domain.verdict import Verdict

RETRY_BELOW = 0.5
"""A LOW_CONFID below this score is worth a second round (R3)."""


class Route(StrEnum):
    """Names of the edges that leave `retry_router`."""

    PASS = "PASS"
    LOW_CONFID = "LOW_CONFID"
    REJECT = "REJECT"
    RETRY = "RETRY"


def choose_route(verdict: Verdict, score: float, round: int, rounds: int) -> Route:
    """The route of a round that ended with `verdict`: a RETRY only from LOW_CONFID below 0.5 with a round left."""
    match verdict:
        case Verdict.PASS:
            return Route.PASS
        case Verdict.REJECT:
            return Route.REJECT
        case Verdict.LOW_CONFID:
            return Route.RETRY if score < RETRY_BELOW and round < rounds else Route.LOW_CONFID
        case _:
            assert_never(verdict)


def after_planner(state: Mapping[str, Any]) -> Literal["clarify", "diagnose"]:
    """A question that names nothing to diagnose spends no round."""
    return "clarify" if state["plan"].clarify else "diagnose"


def after_retry_router(state: Mapping[str, Any]) -> Literal["PASS", "LOW_CONFID", "REJECT", "RETRY"]:
    """The route that `retry_router` wrote; without one the graph is broken, and says so."""
    route: Route = state["route"]
    return route.value
