"""What the tests of the Verifier share: a true statement, and the one fact of a check."""

from collections.abc import Callable

from superbiz.graph.domain.contract import Claim
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.verdict import CheckedFact
from superbiz.nodes.verify.check import Checked

MakeClaim = Callable[..., Claim]
MakeRow = Callable[..., Invocation]
Run = Callable[..., Checked]

REFUSED = "logs/billing.log 第 41 行：「billing-api upstream ledger-db refused」，时间 2026-05-04T09:30:12Z。"


def only(checked: Checked) -> CheckedFact:
    (fact,) = checked.result.facts_checked
    return fact
