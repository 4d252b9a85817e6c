"""Where the machine goes: the table of R1-R5, by another way of asking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from superbiz.graph.domain.plan import Plan
from superbiz.graph.domain.verdict import Verdict
from superbiz.graph.routing import Route, after_planner, after_retry_router, choose_route


@pytest.mark.requirement("R1", "R2", "R3", "R4", "R5")
@pytest.mark.parametrize(
    ("verdict", "score", "round", "route"),
    [
        (Verdict.PASS, 1.0, 1, Route.PASS),
        (Verdict.PASS, 0.5, 2, Route.PASS),
        (Verdict.LOW_CONFID, 0.5, 1, Route.LOW_CONFID),
        (Verdict.LOW_CONFID, 0.6, 1, Route.LOW_CONFID),
        (Verdict.LOW_CONFID, 0.49, 1, Route.RETRY),
        (Verdict.LOW_CONFID, 0.0, 1, Route.RETRY),
        (Verdict.LOW_CONFID, 0.0, 2, Route.LOW_CONFID),
        (Verdict.REJECT, 0.0, 1, Route.REJECT),
        (Verdict.REJECT, 0.0, 2, Route.REJECT),
    ],
)
def test_the_route_of_a_round(verdict: Verdict, score: float, round: int, route: Route) -> None:
    assert choose_route(verdict, score, round, rounds=2) is route


@pytest.mark.requirement("R6")
@given(st.sampled_from(list(Verdict)), st.floats(0, 1), st.integers(2, 9))
def test_nothing_leads_to_a_third_round(verdict: Verdict, score: float, round: int) -> None:
    assert choose_route(verdict, score, round, rounds=2) is not Route.RETRY


def test_forks_read_what_the_nodes_wrote() -> None:
    assert after_planner({"plan": Plan(clarify=True)}) == "clarify"
    assert after_planner({"plan": Plan()}) == "diagnose"
    assert after_retry_router({"route": Route.RETRY}) == "RETRY"
