"""Labels are values, whatever their words mean elsewhere; a single record counts one."""

import pytest

from superbiz.graph.domain.evidence import AlertState
from superbiz.graph.domain.verdict import Label
from superbiz.nodes.verify.absence import absent_things
from superbiz.nodes.verify.atoms import atoms_of
from superbiz.nodes.verify.causes import is_causal
from support.checks import MakeClaim, Run, only


def test_words_inside_labels_state_deny_and_explain_nothing() -> None:
    text = "告警 PodStuck{cause=disk, muted=no, phase=Pending} 处于 firing 状态。"
    atoms = atoms_of(text)
    assert atoms.labels == ("cause=disk", "muted=no", "phase=pending")
    assert atoms.states == (AlertState.FIRING,)
    assert absent_things(text) == ()
    assert not is_causal("alert X{reason=because of disk} is firing")


@pytest.mark.requirement("V4")
@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("告警 BillingErrorsHigh{service=billing-api} 处于 firing 状态。", Label.DIRECT),
        ("告警 BillingErrorsHigh{service=billing} 处于 firing 状态。", Label.NONE),
        ("告警 BillingErrorsHigh{service=payment-gw-7} 处于 firing 状态。", Label.CONTRADICTED),
    ],
)
def test_a_label_is_carried_whole_or_not_at_all(run: Run, make_claim: MakeClaim, claim: str, label: Label) -> None:
    assert (
        only(run(make_claim(claim, "inv-alerts", excerpt="BillingErrorsHigh", tool="query_metrics"))).verification
        is label
    )


@pytest.mark.parametrize("number", ["30", "12"])
def test_digits_of_a_clock_or_port_prove_no_count(run: Run, make_claim: MakeClaim, number: str) -> None:
    said = only(run(make_claim(f"ledger-db refused {number} 次。", "inv-logs")))
    assert said.verification is Label.NONE
