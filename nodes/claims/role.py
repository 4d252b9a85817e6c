"""The deterministic Executor: runs the plan's calls, states what they show, leaves causes to hypotheses (E4)."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator

from superbiz.graph.domain.contract import Claim, ExecutorContract
from superbiz.graph.domain.evidence import Chunk, Gap
from superbiz.graph.domain.plan import Language, Plan
from superbiz.graph.domain.record import Invocation
from superbiz.graph.domain.tasks import ExecuteTask
from superbiz.graph.domain.text import shorten
from superbiz.graph.ports import CallTool
from superbiz.nodes.claims.draft import Draft
from superbiz.nodes.claims.logs import LogClaims
from superbiz.nodes.claims.metrics import alert_claims, series_claims
from superbiz.nodes.verify.match import Evidence
from superbiz.nodes.verify.mentions import unmentioned
from superbiz.prompts.phrases import phrase, reason

ALERT_CLAIMS = 24
SERIES_CLAIMS = 12
LOG_PATTERNS = 10
"""Message patterns over all logs: the best of each log, then the second best of each, and so on."""
CHUNKS = 4
CHUNK_CHARS = 300
MISSING = 12


class DeterministicExecutor:
    """Plays the Executor without a model."""

    async def execute(self, task: ExecuteTask, call: CallTool) -> str:
        """Run all calls of the plan and return the V2 contract as JSON over every row of the turn."""
        rows = await asyncio.gather(*map(call, task.plan.calls))
        contract = state_claims((*task.earlier, *rows), task.plan, task.inquiry.language)
        return contract.model_dump_json()


def state_claims(rows: tuple[Invocation, ...], plan: Plan, language: Language) -> ExecutorContract:
    """The contract for rows: extractive claims, runbook passages as advice, and what could not be seen."""
    usable = tuple(row for row in rows if row.success and not row.deduped and row.output is not None)
    # A question about what stands nowhere: whatever else is there would look like an answer to it.
    beside_the_point = plan.entities and len(unmentioned(plan.entities, Evidence(rows, ""))) == len(set(plan.entities))
    if beside_the_point:
        usable = ()
    chunks = [record for row in usable if row.output for record in row.output.records if isinstance(record, Chunk)]
    advice = tuple(_advice(chunk, language) for chunk in chunks[:CHUNKS])
    hypotheses = tuple(
        phrase(language, "claims.hypothesis", source=chunk.source, heading=_one_phrase(chunk.heading))
        for chunk in chunks[:1]
    )
    return ExecutorContract(
        claims=tuple(_numbered(_drafts(usable, plan, language))),
        hypotheses=hypotheses,
        recommended_actions=advice,
        missing_info=tuple(dict.fromkeys(_missing(rows, language)))[:MISSING],
    )


def _drafts(rows: tuple[Invocation, ...], plan: Plan, language: Language) -> Iterator[Draft]:
    terms = tuple(term for row in rows for term in _terms(row)) or plan.entities
    for row in rows:
        if row.arguments.get("kind") == "alerts":
            yield from list(alert_claims(row, language))[:ALERT_CLAIMS]
    for row in rows:
        if row.arguments.get("kind") == "series":
            yield from list(series_claims(row, language))[:SERIES_CLAIMS]
    logs = [LogClaims(row, language, terms) for row in rows if row.tool_name == "query_logs"]
    places = sorted((place, number) for number, log in enumerate(logs) for place in range(len(log.telling)))
    shown = Counter(number for _, number in places[: max(LOG_PATTERNS, len(logs))])
    for number, log in enumerate(logs):
        yield from log.drafts(shown[number])


def _terms(row: Invocation) -> Iterator[str]:
    for name in ("entities", "terms"):
        words = row.arguments.get(name)
        yield from (str(word) for word in words) if isinstance(words, list) else ()


def _numbered(drafts: Iterator[Draft]) -> Iterator[Claim]:
    seen: set[str] = set()
    for draft in drafts:
        if draft.text not in seen:
            seen.add(draft.text)
            yield draft.numbered(len(seen))


def _advice(chunk: Chunk, language: Language) -> str:
    text = shorten(" ".join(chunk.text.split()), CHUNK_CHARS)
    return phrase(language, "claims.advice", source=chunk.source, line=chunk.line, text=text)


def _missing(rows: tuple[Invocation, ...], language: Language) -> Iterator[str]:
    for row in rows:
        if row.error is not None:
            yield phrase(language, "claims.call_failed", tool=row.tool_name, message=row.error.message)
        if row.output is not None:
            yield from (_gap(gap, language) for gap in row.output.scope.gaps)


def _one_phrase(heading: str) -> str:
    """A heading without the marks that end a sentence or a quote: what follows one would stand there as a statement."""
    return " ".join(re.sub(r"[。！？!?；;.「」\"]", " ", heading).split())


def _gap(gap: Gap, language: Language) -> str:
    detail = f" {gap.detail}" if gap.detail else ""
    return phrase(language, "claims.gap", source=gap.source, reason=reason(language, gap.reason), detail=detail)
