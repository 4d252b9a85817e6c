"""The degraded node: a REJECT says that no reliable answer can be given, and gives no cause (R5, C4)."""

from langgraph.runtime import Runtime

from superbiz.graph.context import Context, ports_of
from superbiz.graph.domain.answer import ComposerOutput
from superbiz.graph.state import DiagnosisState, StateUpdate
from superbiz.nodes.compose.finish import finish, material_of
from superbiz.nodes.compose.render import FORMS, render_answer


async def degraded(state: DiagnosisState, runtime: Runtime[Context]) -> StateUpdate:
    """The fixed form, always: no model words a REJECT."""
    ports = ports_of(runtime)
    material, tool_calls = await material_of(state, ports)
    made = ComposerOutput(mode="template", form=FORMS[material.verdict], reason="a rejected answer has a fixed form")
    text = render_answer(material, state["inquiry"].language)
    return await finish(state, ports, material, tool_calls, text=text, made=made)
