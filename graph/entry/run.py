"""Compiles the graph and runs or resumes one turn: the one place that does so for the shell."""

from collections.abc import Callable
from contextlib import aclosing
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import GraphDrained
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import RunControl

from superbiz.graph.build import build_graph, recursion_limit
from superbiz.graph.context import Context
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.session import Turn
from superbiz.graph.errors import NotFoundError, StoreError
from superbiz.graph.ports import Ports
from superbiz.graph.state import DiagnosisInput, DiagnosisOutput, DiagnosisState

Compiled = CompiledStateGraph[DiagnosisState, Context, DiagnosisInput, DiagnosisOutput]

OnStep = Callable[[str, bool], None]
"""Told of every node: its name, and whether it has ended (False: it starts)."""


async def run_turn(
    ports: Ports,
    saver: BaseCheckpointSaver[Any],
    session: SessionId,
    given: DiagnosisInput | None,
    *,
    on_step: OnStep = lambda node, ended: None,
    control: RunControl | None = None,
) -> Turn:
    """Run a turn for a question, or resume the interrupted one when `given` is None; the turn as stored afterwards.

    A drain asked for through `control` stops at the next super-step; the turn is then marked as interrupted and can be
    resumed. Raises NotFoundError when there is nothing to resume.
    """
    graph: Compiled = build_graph().compile(checkpointer=saver)
    config: RunnableConfig = {
        "configurable": {"thread_id": session},
        "recursion_limit": recursion_limit(ports.budgets),
    }
    # Not `next`: that leaves out tasks that have ended and whose step was not yet written, all of them perhaps.
    if given is None and not (await graph.aget_state(config)).tasks:
        raise NotFoundError("session {session} has no interrupted turn to resume: ask a question", session=session)
    finished = False
    try:
        stream = graph.astream(
            given, config, context=Context(ports=ports), stream_mode="tasks", durability="sync", control=control
        )
        # Closed at once, not when collected: nodes that still run must not outlive the store that they write to.
        async with aclosing(stream) as parts:  # type: ignore[type-var]
            async for part in parts:
                _tell(part, on_step)
        finished = True
    except GraphDrained:
        pass
    finally:
        # Also on cancellation and failure: whoever looks at the session next sees that it can be resumed.
        if not finished:
            await _mark_interrupted(ports, session)
    turn = await ports.store.turn(session)
    if turn is None:
        raise StoreError("session {session} has no turn in the store after it ran: was it replaced?", session=session)
    return turn


def _tell(part: object, on_step: OnStep) -> None:
    if isinstance(part, dict) and isinstance(part.get("name"), str):
        on_step(part["name"], "result" in part)


async def _mark_interrupted(ports: Ports, session: SessionId) -> None:
    turn = await ports.store.turn(session)
    if turn is not None:
        await ports.store.interrupt_turn(turn.inquiry, ports.clock.now())
