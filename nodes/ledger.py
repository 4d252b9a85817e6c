"""Runs tool calls and keeps a row of each, before and after (P5): the only way from a role to a tool.

A call that fails is a row too, never an exception: the turn goes on and the gap stays visible (V9).
"""

import asyncio
import json
from dataclasses import dataclass, field
from hashlib import blake2b, sha256
from typing import Any

from pydantic import BaseModel, ValidationError

from superbiz.graph.domain.evidence import Chunk, Status, ToolOutput
from superbiz.graph.domain.ids import InvocationId
from superbiz.graph.domain.plan import ToolCall
from superbiz.graph.domain.record import ErrorInfo, Invocation, Origin
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.domain.text import normalise
from superbiz.graph.errors import ToolArgumentError, ToolError
from superbiz.graph.ports import Ports, Tool


def call_key(call: ToolCall) -> str:
    """What makes two calls the same: the tool and its arguments, whatever their order."""
    return call.tool_name + json.dumps(call.arguments, sort_keys=True, ensure_ascii=False)


@dataclass
class _Call:
    """A call that was made; `row` is there once it ended, unless it was cancelled."""

    tool_name: str
    key: str
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    row: Invocation | None = None


@dataclass
class Ledger:
    """The calls of one executor run.

    What repeats what goes by the order of `call`, whichever ends first: a resumed run says the same.
    """

    ports: Ports
    inquiry: Inquiry
    origin: Origin
    branch: int
    earlier: tuple[Invocation, ...] = ()
    """Rows of this turn that exist already (round one's)."""
    ids: list[InvocationId] = field(default_factory=list)
    _calls: list[_Call] = field(default_factory=list)
    _slots: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.ports.budgets.concurrent_calls)

    async def call(self, call: ToolCall) -> Invocation:
        """Run one call and return its finished row; a row that is finished already is not run again."""
        row = self._row(call)
        self.ids.append(row.invocation_id)
        before, mine = tuple(self._calls), _Call(call.tool_name, call_key(call))
        self._calls.append(mine)
        try:
            async with self._slots:  # First come, first served: no call waits for one that has no slot yet.
                row = await self.ports.store.begin(row)
                if row.success is None:
                    row = await self._refuse_or_run(row, before)
                    await self.ports.store.finish(row)
            mine.row = row
        finally:
            mine.ended.set()
        return row

    def _row(self, call: ToolCall) -> Invocation:
        tool = self.ports.tools.get(call.tool_name)
        where = (self.origin.session_id, self.origin.turn, self.origin.round, self.branch, len(self.ids))
        digest = blake2b(json.dumps([*where, call_key(call)]).encode(), digest_size=6).hexdigest()
        return Invocation(
            invocation_id=InvocationId(f"inv-{digest}"),
            session_id=self.origin.session_id,
            turn=self.origin.turn,
            round=self.origin.round,
            attempt=self.origin.attempt,
            branch=self.branch,
            tool_name=call.tool_name,
            arguments=call.arguments,
            evidence_bearing=tool.evidence_bearing if tool else False,
            started_at=self.ports.clock.now(),
        )

    async def _refuse_or_run(self, row: Invocation, before: tuple[_Call, ...]) -> Invocation:
        limit = self.ports.budgets.calls_per_round
        if len(before) >= limit:
            return _failed(row, "budget", f"more than {limit} calls in a round", 0)
        if same := await self._same(row, before):
            original = same.deduped_of or same.invocation_id
            return row.model_copy(
                update={"status": same.status, "success": True, "deduped_of": original, "duration_ms": 0}
            )
        start = self.ports.clock.monotonic()
        try:
            output = await self._run(row)
            ended = self._succeeded(row, output, self._since(start))
        except TimeoutError:
            return _failed(row, "timeout", f"no answer in {self.ports.budgets.call_seconds:g} s", self._since(start))
        except ToolError as error:
            return _failed(row, error.type, str(error), self._since(start))
        except Exception as error:  # A defect of one tool must not take the turn with it: it is a failed call (V9).
            return _failed(row, "internal", f"{type(error).__name__}: {error}", self._since(start))
        return ended.model_copy(update={"deduped_of": await self._same_chunks(ended, before)})

    async def _run(self, row: Invocation) -> ToolOutput:
        tool = self.ports.tools.get(row.tool_name)
        if tool is None:
            known = ", ".join(sorted(self.ports.tools))
            raise ToolError("unknown_tool", f"no tool is named {row.tool_name!r}; there are: {known}")
        arguments = _arguments(tool, row)
        return await asyncio.wait_for(tool.run(arguments, self.inquiry.as_of), self.ports.budgets.call_seconds)

    def _succeeded(self, row: Invocation, output: ToolOutput, milliseconds: int) -> Invocation:
        kept, cut = _capped(output, self.ports.budgets.output_bytes)
        body = kept.model_dump_json().encode()
        return row.model_copy(
            update={
                "status": kept.status,
                "success": True,
                "output": kept,
                "output_sha256": sha256(body).hexdigest(),
                "output_bytes": len(body),
                "output_cut": cut,
                "source_labels": tuple(file.path for file in kept.scope.sources),
                "duration_ms": milliseconds,
            }
        )

    async def _same(self, row: Invocation, before: tuple[_Call, ...]) -> Invocation | None:
        """The first successful row of this turn with the same query: nothing is gained by asking again."""
        key = call_key(_call_of(row))
        known = await self._known(row, tuple(call for call in before if call.key == key))
        return next((one for one in known if call_key(_call_of(one)) == key), None)

    async def _same_chunks(self, row: Invocation, before: tuple[_Call, ...]) -> InvocationId | None:
        """The row that brought the last of these chunks; only a look-up that brings no new one is a duplicate (T8)."""
        missing = _chunk_ids(row)
        for known in await self._known(row, before) if missing else ():
            missing -= _chunk_ids(known)
            if not missing:
                return known.deduped_of or known.invocation_id
        return None

    async def _known(self, row: Invocation, before: tuple[_Call, ...]) -> list[Invocation]:
        """Successful rows of the same tool: round one's, and those of the calls before, once they ended."""
        same = [call for call in before if call.tool_name == row.tool_name]
        for call in same:
            await call.ended.wait()
        rows = (*self.earlier, *(call.row for call in same if call.row is not None))
        return [known for known in rows if known.tool_name == row.tool_name and known.success]

    def _since(self, start: float) -> int:
        return round((self.ports.clock.monotonic() - start) * 1000)


def _arguments(tool: Tool[Any], row: Invocation) -> BaseModel:
    try:
        arguments: BaseModel = tool.arguments.model_validate(row.arguments)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ToolArgumentError(f"{tool.name} does not take this {place or 'input'}: {first['msg']}") from error
    return arguments


def _call_of(row: Invocation) -> ToolCall:
    return ToolCall(tool_name=row.tool_name, arguments=row.arguments)


def _chunk_ids(row: Invocation) -> set[str]:
    records = row.output.records if row.output else ()
    return {record.chunk_id for record in records if isinstance(record, Chunk)}


def _failed(row: Invocation, type: str, message: str, milliseconds: int) -> Invocation:
    return row.model_copy(
        update={
            "status": Status.FAILED,
            "success": False,
            "error": ErrorInfo(type=type, message=normalise(message)[:500]),
            "duration_ms": milliseconds,
        }
    )


def _capped(output: ToolOutput, limit: int) -> tuple[ToolOutput, bool]:
    """The output within `limit` bytes of JSON: the last records go first, and then it is partial, never silently."""
    if len(output.model_dump_json().encode()) <= limit:
        return output, False
    scope = output.scope.model_copy(update={"complete": False})
    cut = output.model_copy(update={"records": (), "status": Status.PARTIAL, "scope": scope})
    left = limit - len(cut.model_dump_json().encode())
    kept = 0
    for record in output.records:
        left -= len(record.model_dump_json().encode()) + 1
        if left < 0:
            break
        kept += 1
    return cut.model_copy(update={"records": output.records[:kept]}), True
