"""The checkpointer beside the store, and the types that a checkpoint may bring back to life (P4, DESIGN decision 9)."""

import enum
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, get_args, get_type_hints

import aiosqlite
import ormsgpack
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel, TypeAdapter

from superbiz.graph.errors import StoreError
from superbiz.graph.state import DiagnosisState
from superbiz.store.open import sqlite_path
from superbiz.store.rows import readable
from superbiz.store.sqlite import BUSY_SECONDS, readable_errors
from superbiz.store.sqlite_saver import SqliteSaver


@asynccontextmanager
async def open_checkpointer(url: str) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """A checkpointer in the store's file, or in memory for `memory:`. The same errors as `open_store`."""
    path = sqlite_path(url)
    if path == ":memory:":
        yield InMemorySaver(serde=serializer())
        return
    async with aiosqlite.connect(path, timeout=BUSY_SECONDS) as connection:
        saver = SqliteSaver(connection, serde=serializer())
        with readable_errors(path):
            await saver.setup()
        yield saver


class StateSerializer(JsonPlusSerializer):
    """LangGraph's, but where that hands back plain data or None, this raises StoreError (field bugs 23, 24).

    That is where a type is not of the state (renamed meanwhile, or never meant to be there) and where a value does not
    fit its type. Strict whatever the environment says: LangGraph reads its switch at import, too late inside a host.
    """

    def __init__(self) -> None:
        self._types = {(kind.__module__, kind.__name__): TypeAdapter[object](kind) for kind in state_types()}
        super().__init__(allowed_msgpack_modules=list(self._types))

    def loads_typed(self, data: tuple[str, bytes]) -> object:
        """The value. Raises StoreError."""
        form, body = data
        if form != "msgpack":
            return super().loads_typed(data)
        faults: list[StoreError] = []
        revive = partial(self._revived, faults)
        with readable("a checkpoint"):
            value: object = ormsgpack.unpackb(body, ext_hook=revive, option=ormsgpack.OPT_NON_STR_KEYS)
        if faults:
            raise faults[0]
        return value

    def _revived(self, faults: list[StoreError], code: int, body: bytes) -> object:
        """The object. A fault is noted, not raised: ormsgpack would lose it."""
        revive = partial(self._revived, faults)
        module, name, given = ormsgpack.unpackb(body, ext_hook=revive, option=ormsgpack.OPT_NON_STR_KEYS)[:3]
        try:
            with readable(f"{module}.{name} in a checkpoint"):
                if kind := self._types.get((module, name)):
                    return kind.validate_python(given)
                found: object = super().loads_typed(("msgpack", ormsgpack.packb(ormsgpack.Ext(code, body))))
                if found == given:  # What LangGraph gives for a type that it blocks or cannot build.
                    raise ValueError("there is no such type")
                return found
        except StoreError as fault:
            faults.append(fault)
            return None


def serializer() -> StateSerializer:
    """The serializer of every checkpointer of ours."""
    return StateSerializer()


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
