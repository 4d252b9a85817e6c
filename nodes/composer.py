"""The composer node: PASS and LOW_CONFID become an answer made of allowed material only (R1, R2, C1-C3)."""

from langgraph.runtime import Runtime

from superbiz.graph.context import Context, ports_of
from superbiz.graph.domain.answer import ComposerOutput, Material
from superbiz.graph.ports import Ports
from superbiz.graph.state import DiagnosisState, StateUpdate
from superbiz.nodes.compose.finish import finish, material_of
from superbiz.nodes.compose.guard import foreign_parts
from superbiz.nodes.compose.render import FORMS, render_answer


async def composer(state: DiagnosisState, runtime: Runtime[Context]) -> StateUpdate:
    """Word the material: by the composer's role when there is one and its text passes the guard, else by template."""
    ports = ports_of(runtime)
    material, tool_calls = await material_of(state, ports)
    text, made = await _worded(material, state, ports)
    return await finish(state, ports, material, tool_calls, text=text, made=made)


async def _worded(material: Material, state: DiagnosisState, ports: Ports) -> tuple[str, ComposerOutput]:
    language, form = state["inquiry"].language, FORMS[material.verdict]
    template = render_answer(material, language)
    if ports.roles.composer is None:
        return template, ComposerOutput(mode="template", form=form, reason="no composer is configured")
    text = await ports.roles.composer.compose(material, language)
    if text is None or not text.strip():
        return template, ComposerOutput(mode="template", form=form, reason="the composer gave no text")
    if foreign := foreign_parts(text, template):
        return template, ComposerOutput(mode="template", form=form, reason=f"the guard found {foreign[0]}")
    return text, ComposerOutput(mode="model", form=form, reason="every part traces to allowed material")
