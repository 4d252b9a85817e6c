"""Ids and numbers that identify a piece of the record. Each is a NewType, so that mypy keeps them apart."""

from typing import NewType

SessionId = NewType("SessionId", str)
"""One diagnosis conversation; also the graph's `thread_id`."""

InvocationId = NewType("InvocationId", str)
"""One call of a tool, `inv-<12 hex>`: the same after a resume, another on a fork, in another turn or round."""

TaskId = NewType("TaskId", str)
"""LangGraph's id of a node's execution; the same when that execution is resumed, another on a fork."""

TraceRef = NewType("TraceRef", str)
"""One entry of `tool_trace_summary`, `T1` …: the same rows give the same ref."""

ClaimId = NewType("ClaimId", str)
"""The Executor's name for a claim, unique within its contract."""
