"""A small scripted world: roles that say what a test wrote, a log with one event, a clock that stands still."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict

from superbiz.graph.domain.evidence import Aggregates, LogEvent, Scope, SourceFile, Status, ToolOutput
from superbiz.graph.domain.plan import Plan, ToolCall
from superbiz.graph.domain.tasks import Catalog, ExecuteTask, PlanTask, VerifierInput
from superbiz.graph.errors import ToolError
from superbiz.graph.ports import CallTool, Ports, Roles, Store

AT = datetime(2026, 5, 4, 9, 30, 12, tzinfo=UTC)
EVENT = LogEvent(
    source="logs/billing.log",
    line=41,
    end_line=41,
    time=AT,
    level="ERROR",
    text="billing-api upstream ledger-db refused",
)
TRUE = "logs/billing.log 第 41 行：「ledger-db refused」，时间 2026-05-04T09:30:12Z。"
UNPROVEN = "logs/billing.log 第 41 行：「ledger-db refused」，时间 2026-05-04T09:59:59Z。"
INVENTED = "payment-gw-7 拒绝了 billing-api。"


class FixedClock:
    """Always the same moment."""

    def now(self) -> datetime:
        return AT

    def monotonic(self) -> float:
        return 1.0


class Query(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str = ""


@dataclass
class LogTool:
    """A query_logs that finds one event; counts how often it ran."""

    name: str = "query_logs"
    description: str = "finds one event"
    evidence_bearing: bool = True
    arguments: type[Query] = Query
    runs: list[str] = field(default_factory=list)

    async def run(self, arguments: Query, as_of: datetime) -> ToolOutput:
        self.runs.append(arguments.text)
        if arguments.text == "fail":
            raise ToolError("unreadable", "logs/billing.log cannot be read")
        if arguments.text == "nothing":
            return ToolOutput(status=Status.NO_DATA)
        source = SourceFile(path="logs/billing.log", bytes=90, sha256="0" * 64)
        return ToolOutput(
            status=Status.OK,
            records=(EVENT,),
            aggregates=Aggregates(scanned=1, matched=1),
            scope=Scope(sources=(source,)),
        )


class Here:
    """An evidence source of one log."""

    location = "here"

    def as_of(self) -> datetime | None:
        return AT

    async def catalog(self) -> Catalog:
        return Catalog(logs=("logs/billing.log",))


@dataclass
class ScriptedPlanner:
    """Gives the plans of the script, one a round; keeps what it was given."""

    plans: list[Plan]
    given: list[PlanTask] = field(default_factory=list)

    async def plan(self, task: PlanTask) -> Plan:
        self.given.append(task)
        return self.plans.pop(0)


@dataclass
class ScriptedExecutor:
    """Runs the plan's calls and says the texts of the script; `{0}` stands for the first row's id."""

    texts: list[str]

    async def execute(self, task: ExecuteTask, call: CallTool) -> str:
        rows = [await call(planned) for planned in task.plan.calls]
        text = self.texts.pop(0)
        return text.replace("{0}", rows[0].invocation_id) if rows else text


@dataclass
class ScriptedJudge:
    """Replies what the script says; keeps what it was given."""

    replies: list[str | None]
    given: list[VerifierInput] = field(default_factory=list)

    async def judge(self, given: VerifierInput) -> str | None:
        self.given.append(given)
        return self.replies.pop(0)


def contract(*claims: str, hypotheses: tuple[str, ...] = (), kind: str = "log_event") -> str:
    """A V2 contract whose claims are bound to the first row of the round."""
    binding = {
        "source_type": "log",
        "tool_name": "query_logs",
        "source_invocation_ids": ["{0}"],
        "evidence_excerpt": "ledger-db refused",
    }
    items = [
        {
            "claim_id": f"c{number}",
            "claim_type": kind,
            "claim_text": text,
            "support_level": "direct",
            "evidence_bindings": [binding],
        }
        for number, text in enumerate(claims, 1)
    ]
    return json.dumps(
        {
            "answer_version": "executor_evidence_v2",
            "claims": items,
            "hypotheses": list(hypotheses),
            "recommended_actions": [],
            "missing_info": [],
        },
        ensure_ascii=False,
    )


def looking(*texts: str) -> Plan:
    """A plan of log queries."""
    return Plan(calls=tuple(ToolCall(tool_name="query_logs", arguments={"text": text}) for text in texts))


def scripted_ports(
    store: Store,
    plans: list[Plan],
    texts: list[str],
    *,
    judge: ScriptedJudge | None = None,
    tool: LogTool | None = None,
) -> Ports:
    """Ports with scripted roles over a store."""
    tool = tool or LogTool()
    roles = Roles(planner=ScriptedPlanner(plans), executor=ScriptedExecutor(texts), judge=judge)
    return Ports(store=store, evidence=Here(), tools={tool.name: tool}, roles=roles, clock=FixedClock())
