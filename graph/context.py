"""The run's context: how a node reaches its ports."""

from dataclasses import dataclass

from langgraph.runtime import Runtime

from superbiz.graph.domain.ids import SessionId, TaskId
from superbiz.graph.domain.record import Origin
from superbiz.graph.errors import SettingsError
from superbiz.graph.ports import Ports


@dataclass(frozen=True)
class Context:
    """Given by the caller with `context=`."""

    ports: Ports | None = None


def ports_of(runtime: Runtime[Context]) -> Ports:
    """The ports of this run. Raises SettingsError when the caller passed none."""
    if runtime.context is None or runtime.context.ports is None:
        raise SettingsError("the graph was run without ports: pass context=Context(ports=…)")
    return runtime.context.ports


def session_of(runtime: Runtime[Context]) -> SessionId:
    """The session, which is the graph's thread. Raises SettingsError when the run has no thread."""
    info = runtime.execution_info
    if info is None or info.thread_id is None:
        raise SettingsError("the graph was run without a thread: pass config={'configurable': {'thread_id': …}}")
    return SessionId(info.thread_id)


def origin_of(runtime: Runtime[Context], turn: int, round: int) -> Origin:
    """Which piece of work this node's execution is, for the ledger."""
    info = runtime.execution_info
    if info is None:
        raise SettingsError("the node was run outside a graph: there is no task to file calls under")
    return Origin(
        session_id=session_of(runtime),
        turn=turn,
        round=round,
        task_id=TaskId(info.task_id),
        attempt=info.node_attempt,
    )
