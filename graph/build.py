"""The wiring: nodes and edges of the machine, uncompiled; whoever embeds it compiles it with what is theirs."""

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy

from superbiz.graph.context import Context
from superbiz.graph.errors import StoreBusyError
from superbiz.graph.ports import Budgets
from superbiz.graph.routing import Route, after_planner, after_retry_router
from superbiz.graph.state import DiagnosisInput, DiagnosisOutput, DiagnosisState
from superbiz.nodes.clarify import clarify
from superbiz.nodes.composer import composer
from superbiz.nodes.degraded import degraded
from superbiz.nodes.evaluator import evaluator
from superbiz.nodes.evidence import evidence
from superbiz.nodes.executor import executor
from superbiz.nodes.planner import planner
from superbiz.nodes.retry_router import retry_router
from superbiz.nodes.verifier import verifier

STEPS_PER_ROUND = 5
"""planner, executor, evidence, verifier beside evaluator, retry_router."""

STEPS_AROUND = 2
"""The step that takes the input, and the one that answers."""

COMPOSER_LOW_CONFID = "composer_low_confid"
"""The composer as LOW_CONFID reaches it: the uncertain form."""

DiagnosisGraph = StateGraph[DiagnosisState, Context, DiagnosisInput, DiagnosisOutput]

_RETRY = RetryPolicy(max_attempts=3, initial_interval=0.2, retry_on=StoreBusyError)
"""Explicit: LangGraph's own predicate retries neither OSError nor TimeoutError, and does retry what will not heal."""


def build_graph() -> DiagnosisGraph:
    """The state machine of DESIGN.md; every fork is a labelled conditional edge (R1-R6)."""
    graph: DiagnosisGraph = StateGraph(
        DiagnosisState, context_schema=Context, input_schema=DiagnosisInput, output_schema=DiagnosisOutput
    )
    for node in (planner, clarify, executor, evidence, verifier, evaluator, retry_router, composer, degraded):
        graph.add_node(node, retry_policy=_RETRY)
    # The same node under two names: LangGraph draws one edge between two nodes, and PASS would not show (R6).
    graph.add_node(COMPOSER_LOW_CONFID, composer, retry_policy=_RETRY)
    graph.add_edge(START, "planner")
    graph.add_conditional_edges("planner", after_planner, {"clarify": "clarify", "diagnose": "executor"})
    graph.add_edge("executor", "evidence")
    graph.add_edge("evidence", "verifier")
    graph.add_edge("evidence", "evaluator")
    # Both run in one super-step, so two plain edges join there. The barrier of a list of sources outlives it: with
    # asynchronous durability, checkpoints of the second round listed `retry_router` beside its first nodes.
    graph.add_edge("verifier", "retry_router")
    graph.add_edge("evaluator", "retry_router")
    graph.add_conditional_edges(
        "retry_router",
        after_retry_router,
        {
            Route.PASS.value: "composer",
            Route.LOW_CONFID.value: COMPOSER_LOW_CONFID,
            Route.REJECT.value: "degraded",
            Route.RETRY.value: "planner",
        },
    )
    for last in ("clarify", "composer", COMPOSER_LOW_CONFID, "degraded"):
        graph.add_edge(last, END)
    return graph


def recursion_limit(budgets: Budgets) -> int:
    """Super-steps that a turn can take: computed, since LangGraph's default of 10,007 is no limit."""
    return budgets.rounds * STEPS_PER_ROUND + STEPS_AROUND
