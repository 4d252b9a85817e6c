"""What stands in the columns of the SQLite store, as another program reads them."""

import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.evidence import ToolOutput
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.ports import Store
from superbiz.graph.reducers import stamped
from support.rows import make_event, make_output, make_row

Ask = Callable[..., Inquiry]


@pytest.fixture
def url(path: Path) -> str:
    """SQLite alone, whatever else the contract is tested on."""
    return f"sqlite:///{path}"


def evaluations(path: Path, table: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(f"SELECT self_evaluation FROM {table} ORDER BY rowid").fetchall()
    return [None if text is None else json.loads(text) for (text,) in rows]


@pytest.mark.requirement("P1")
async def test_an_evaluation_is_an_object_in_its_column(store: Store, ask: Ask, now: datetime, path: Path) -> None:
    """Not a text that holds one: merged twice, it is still encoded once."""
    patch: JsonObject = {"rule_evaluation": stamped(1, 1, 0, {"score": 0.5})}
    await store.open_turn(ask(), now)
    assert evaluations(path, "diagnosis_session") == evaluations(path, "diagnosis_turn") == [None]
    for _ in range(2):
        await store.merge_evaluation(ask(), patch, now)
        assert evaluations(path, "diagnosis_session") == evaluations(path, "diagnosis_turn") == [patch]


async def test_the_hash_is_that_of_the_stored_bytes(store: Store, ask: Ask, now: datetime, path: Path) -> None:
    output: ToolOutput = make_output(make_event(1, "a\x00b \\u0000 ␀ 支付"))
    await store.open_turn(ask(), now)
    await store.begin(make_row(1, status=None))
    await store.finish(make_row(1, output))
    with closing(sqlite3.connect(path)) as connection:
        ((body,),) = connection.execute("SELECT body FROM tool_output").fetchall()
    assert sha256(zlib.decompress(body)).digest() == sha256(output.model_dump_json().encode()).digest()
