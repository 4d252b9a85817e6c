"""The checkpointer beside the store, and the types that a checkpoint may bring back to life (P4, DESIGN decision 9)."""

import enum
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, get_args, get_type_hints

import aiosqlite
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from pydantic import BaseModel

from superbiz.graph.state import DiagnosisState
from superbiz.store.open import sqlite_path
from superbiz.store.sqlite import BUSY_SECONDS, readable_errors


@asynccontextmanager
async def open_checkpointer(url: str) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """A checkpointer in the store's file, or in memory for `memory:`. The same errors as `open_store`."""
    path = sqlite_path(url)
    if path == ":memory:":
        yield InMemorySaver(serde=serializer())
        return
    async with aiosqlite.connect(path, timeout=BUSY_SECONDS) as connection:
        saver = AsyncSqliteSaver(connection, serde=serializer())
        with readable_errors(path):
            await saver.setup()
        yield saver


def serializer() -> JsonPlusSerializer:
    """Strict whatever the environment says: LangGraph reads its own switch at import, too late inside a host."""
    return JsonPlusSerializer(allowed_msgpack_modules=[(kind.__module__, kind.__name__) for kind in state_types()])


def state_types() -> tuple[type, ...]:
    """Every model and enumeration that the state's annotations reach."""
    found: dict[type, None] = {}
    for hint in get_type_hints(DiagnosisState).values():
        _collect(hint, found)
    return tuple(found)


def _collect(hint: object, found: dict[type, None]) -> None:
    for kind in _types_in(hint):
        if kind in found:
            continue
        found[kind] = None
        if issubclass(kind, BaseModel):
            for field in kind.model_fields.values():
                _collect(field.annotation, found)


def _types_in(hint: object) -> Iterator[type]:
    if isinstance(hint, type) and issubclass(hint, (BaseModel, enum.Enum)):
        yield hint
    for argument in get_args(hint):
        yield from _types_in(argument)
