"""The executor node: gives the executor's role a ledger to call tools through, and keeps its raw final text."""

from langgraph.runtime import Runtime

from superbiz.graph.context import Context, origin_of, ports_of
from superbiz.graph.domain.tasks import ExecuteTask
from superbiz.graph.state import DiagnosisState, StateUpdate
from superbiz.nodes.ledger import Ledger


async def executor(state: DiagnosisState, runtime: Runtime[Context]) -> StateUpdate:
    """Run the plan. The text goes on as it is: whether it is a contract is for the Verifier to say (E5)."""
    ports, inquiry = ports_of(runtime), state["inquiry"]
    origin = origin_of(runtime, inquiry.turn, state["round"])
    earlier = await ports.store.invocations(inquiry.session_id, state["invocation_ids"])
    ledger = Ledger(ports, inquiry, origin, await ports.store.branch(origin), earlier)
    task = ExecuteTask(
        inquiry=inquiry,
        round=state["round"],
        plan=state["plan"],
        earlier=earlier,
        retry_context=state.get("retry_context"),
    )
    text = await ports.roles.executor.execute(task, ledger.call)
    return {
        "executor_final_answer": text,
        "invocation_ids": (*state["invocation_ids"], *ledger.ids),
    }
