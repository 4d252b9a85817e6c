"""What each role is given. Nothing else reaches it (I1, I2, C1)."""

from pydantic import Field

from superbiz.graph.domain.base import Frozen
from superbiz.graph.domain.contract import ExecutorContract, ParseStatus
from superbiz.graph.domain.plan import Plan, RetryContext
from superbiz.graph.domain.record import Invocation, ToolTraceSummary
from superbiz.graph.domain.session import Inquiry


class Catalog(Frozen):
    """What an evidence source holds, cheaply found: guides planning and resolves names, is never evidence."""

    logs: tuple[str, ...] = ()
    """Names of log sources, e.g. `logs/payment.log`."""
    metrics: tuple[str, ...] = ()
    """Names of metric sources, e.g. `metrics/alerts.json`."""
    runbooks: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Label values seen (services, instances, pods …)."""
    aliases: dict[str, str] = Field(default_factory=dict)
    depends_on: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class PlanTask(Frozen):
    """For the planner: the question, what there is, and in round two what was missing (R3)."""

    inquiry: Inquiry
    round: int
    catalog: Catalog
    retry_context: RetryContext | None = None
    earlier_facts: tuple[str, ...] = ()
    """Confirmed facts of earlier turns: context, never evidence."""


class ExecuteTask(Frozen):
    """For the Executor: the question, the plan, and the rows that this turn already has."""

    inquiry: Inquiry
    round: int
    plan: Plan
    earlier: tuple[Invocation, ...] = ()
    retry_context: RetryContext | None = None


class VerifierInput(Frozen):
    """The Verifier's explicit input blocks; exactly these reach a judge (I1)."""

    original_query: str
    executor_final_answer: str
    tool_trace_summary: ToolTraceSummary
    executor_structured_output: ExecutorContract | None
    executor_output_parse_status: ParseStatus
    retry_context: RetryContext | None
