"""The deterministic planner: alerts, series, each log, runbooks; in round two what was not asked yet (R3)."""

from collections.abc import Iterator

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.plan import Plan, ToolCall, Window
from superbiz.graph.domain.tasks import Catalog, PlanTask
from superbiz.nodes.ledger import call_key
from superbiz.nodes.planning.question import Reading, read_question
from superbiz.nodes.planning.window import names_a_stretch, window_of

LOG_CALLS = 8
"""Logs that are queried one by one; the rest share one call. One call a file keeps a bad file's gap to itself."""

RETRY_CALLS = 8
"""Calls of round two: aimed at what is missing, not a second sweep."""

TERMS = 40
"""Words given to a tool to rank by."""


class DeterministicPlanner:
    """Plays the planner without a model."""

    async def plan(self, task: PlanTask) -> Plan:
        """The calls of one round; `clarify` when the question names nothing to diagnose."""
        question = task.inquiry.original_query
        reading = read_question(question, task.catalog)
        given = task.inquiry.window
        window = given if given.since or given.until else window_of(question, task.inquiry.as_of)
        if not (reading.names_something or names_a_stretch(question)):
            return Plan(clarify=True, window=window)
        if task.retry_context is None:
            calls = tuple(_first_round(question, reading, window, task.catalog))
        else:
            asked = {call_key(call) for call in task.retry_context.queried}
            fresh = (call for call in _second_round(reading, given, task.catalog) if call_key(call) not in asked)
            calls = tuple(fresh)[:RETRY_CALLS]
        return Plan(calls=calls, entities=reading.entities, symptoms=reading.symptoms, window=window)


def _first_round(question: str, reading: Reading, window: Window, catalog: Catalog) -> Iterator[ToolCall]:
    ranking = _ranking(reading)
    if catalog.metrics:
        yield _call("query_metrics", "which alerts are there", {"kind": "alerts", **ranking})
        yield _call("query_metrics", "what the series show", {"kind": "series", **ranking})
    logs = sorted(catalog.logs, key=lambda name: (-_relevance(name, reading.entities), name))
    for name in logs if len(logs) <= LOG_CALLS else logs[: LOG_CALLS - 1]:
        yield _call("query_logs", f"what {name} holds", {"source": name, **ranking, **_times(window)})
    if len(logs) > LOG_CALLS:
        yield _call("query_logs", "what the other logs hold", {**ranking, **_times(window)})
    if catalog.runbooks:
        # Runbooks say it in other words, or in the other language: the symptoms' synonyms go along.
        said = " ".join(dict.fromkeys([question, *reading.synonyms]))
        yield _call("lookup_knowledge", "what the runbooks advise", {"question": said})


def _second_round(reading: Reading, given: Window, catalog: Catalog) -> Iterator[ToolCall]:
    """From the narrowest to the widest: what the entities stand on, then each entity by name, then everything."""
    needed = [name for entity in reading.entities for name in catalog.depends_on.get(entity, ())]
    if needed and catalog.logs:
        yield _call("query_logs", "what it depends on", {"entities": list(needed), "terms": [], **_times(given)})
    for name in (*reading.entities, *needed):
        if catalog.logs:
            yield _call("query_logs", f"every mention of {name}", {"text": name, **_ranking(reading), **_times(given)})
        if catalog.metrics:
            yield _call("query_metrics", f"series named like {name}", {"kind": "series", "name": name})
    if catalog.logs:
        yield _call("query_logs", "errors anywhere", {"level": "ERROR", **_times(given)})
        yield _call("query_logs", "everything, whatever the time", {**_ranking(reading)})
    if catalog.runbooks and reading.terms:
        yield _call(
            "lookup_knowledge", "what the runbooks advise on the symptoms", {"question": " ".join(reading.terms)}
        )


def _ranking(reading: Reading) -> JsonObject:
    return {"entities": list(reading.entities), "terms": list(reading.terms[:TERMS])}


def _times(window: Window) -> JsonObject:
    times: JsonObject = {}
    if window.since is not None:
        times["since"] = window.since.isoformat()
    if window.until is not None:
        times["until"] = window.until.isoformat()
    return times


def _call(tool: str, purpose: str, arguments: JsonObject) -> ToolCall:
    return ToolCall(tool_name=tool, arguments=arguments, purpose=purpose)


def _relevance(name: str, entities: tuple[str, ...]) -> int:
    lowered = name.lower()
    return sum(
        entity.lower() in lowered or lowered.rpartition("/")[2].partition(".")[0] in entity.lower()
        for entity in entities
    )
