"""What a person is told when a store cannot be opened, read or written; and what a good open leaves behind."""

import asyncio
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.session import RECORD_VERSION, Inquiry
from superbiz.graph.errors import SettingsError, StoreBusyError, StoreError
from superbiz.graph.ports import Store
from superbiz.store import sqlite as sqlite_store
from superbiz.store.checkpoints import open_checkpointer
from superbiz.store.migrations import migrations
from superbiz.store.open import open_store
from support.rows import make_event, make_output, make_row

Ask = Callable[..., Inquiry]
S1 = SessionId("s1")


@pytest.fixture
def url(path: Path) -> str:
    """SQLite alone, whatever else the contract is tested on."""
    return f"sqlite:///{path}"


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """The file as another program sees it; every statement is its own transaction."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


async def refused(url: str, kind: type[Exception] = StoreError) -> str:
    """What a store says that does not open."""
    with pytest.raises(kind) as caught:
        async with open_store(url):
            pass
    return str(caught.value)


@pytest.fixture
def notes(path: Path) -> Iterator[Path]:
    """A person's file, which is as it was when the test is over."""
    path.write_text("these are my notes\n" * 100)
    yield path
    assert path.read_text() == "these are my notes\n" * 100


async def test_a_file_that_is_no_database(notes: Path) -> None:
    assert "s.db cannot be used: file is not a database" in await refused(f"sqlite:///{notes}")
    with pytest.raises(StoreError, match="file is not a database"):
        async with open_checkpointer(f"sqlite:///{notes}"):
            pass


async def test_a_path_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    said = await refused(f"sqlite:///{tmp_path}/plain/s.db")
    assert said.startswith(f"the store {tmp_path}/plain/s.db cannot be opened: ")


async def test_a_directory_is_no_store(tmp_path: Path) -> None:
    assert "Is a directory" in await refused(f"sqlite:///{tmp_path}")


async def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    with raw(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert "has schema 99, this version knows 1: use a newer superbiz" in await refused(f"sqlite:///{path}")
    with raw(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []


async def test_a_newer_session_is_refused_and_left_alone(store: Store, ask: Ask, now: datetime, path: Path) -> None:
    """By every read and write of it; others in the store are none the worse."""
    await store.open_turn(ask(), now)
    with raw(path) as connection:
        connection.execute("UPDATE diagnosis_session SET record_version = ?", (RECORD_VERSION + 1,))
        before = list(connection.iterdump())
    for attempt in (
        lambda: store.session(S1),
        lambda: store.turn(S1),
        lambda: store.turn(S1, 1),
        lambda: store.turns(S1),
        lambda: store.open_turn(ask(2), now),
        lambda: store.merge_evaluation(ask(), {"rule_evaluation": {}}, now),
    ):
        with pytest.raises(StoreError, match=r"^session s1 was written by a newer superbiz \(record version 2, .* 1\)"):
            await attempt()
    with raw(path) as connection:
        assert list(connection.iterdump()) == before
    await store.open_turn(ask(session="s2"), now)


async def test_a_file_that_another_process_sets_up_is_waited_for(path: Path) -> None:
    """SQLite does not wait by itself when the journal of a new file is changed: first starts side by side failed."""
    with raw(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        opening = asyncio.create_task(opens(path))
        await asyncio.sleep(0.2)
        assert not opening.done()
        connection.execute("ROLLBACK")
        await asyncio.wait_for(opening, 5)


async def test_a_file_that_stays_held_is_given_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "BUSY_SECONDS", 0.05)
    with raw(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert "held by another process: try again" in await refused(f"sqlite:///{path}", StoreBusyError)


async def opens(path: Path) -> None:
    async with open_store(f"sqlite:///{path}"):
        pass


@pytest.mark.parametrize("value", ['{"cut": ', "[]", '"text"', b"{\xff}"])
async def test_a_damaged_evaluation_is_named(store: Store, ask: Ask, now: datetime, path: Path, value: object) -> None:
    """By a read, and by a merge, which must not put a new object in its place."""
    await store.open_turn(ask(), now)
    for table, what in (("diagnosis_turn", "turn 1 of session s1"), ("diagnosis_session", "session s1")):
        with raw(path) as connection:
            connection.execute(f"UPDATE {table} SET self_evaluation = ?", (value,))
        with pytest.raises(StoreError, match=f"^{what} cannot be read"):
            await (store.turn(S1) if table == "diagnosis_turn" else store.session(S1))
        with pytest.raises(StoreError, match=f"^{what} cannot be read"):
            await store.merge_evaluation(ask(), {"rule_evaluation": {}}, now)
        with raw(path) as connection:
            assert connection.execute(f"SELECT self_evaluation FROM {table}").fetchall() == [(value,)]
            connection.execute(f"UPDATE {table} SET self_evaluation = NULL")


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        ("UPDATE diagnosis_turn SET answer = '{\"status\"'", "turn 1 of session s1"),
        ("UPDATE diagnosis_turn SET usage = '[1]'", "turn 1 of session s1"),
        ("UPDATE diagnosis_turn SET status = 'paused'", "turn 1 of session s1"),
        ("UPDATE tool_invocation SET arguments = '{'", "invocation inv-000000000001 of session s1"),
        ("UPDATE tool_invocation SET source_labels = '3'", "invocation inv-000000000001 of session s1"),
        ("UPDATE tool_output SET body = x'00'", "invocation inv-000000000001 of session s1"),
    ],
)
async def test_a_damaged_row_is_named(
    store: Store, ask: Ask, now: datetime, path: Path, damage: str, what: str
) -> None:
    await store.open_turn(ask(), now)
    await store.begin(make_row(1, status=None))
    await store.finish(make_row(1, make_output(make_event(1, "a"))))
    with raw(path) as connection:
        connection.execute(damage)
    with pytest.raises(StoreError, match=f"^{what} cannot be read .*damaged"):
        await (store.turns(S1) if "turn" in what else store.turn_invocations(S1, 1))


async def test_a_held_lock_is_told_and_passes(
    path: Path, ask: Ask, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An open and a write give up after BUSY_SECONDS; the same store works once the lock is gone."""
    monkeypatch.setattr(sqlite_store, "BUSY_SECONDS", 0.05)
    async with open_store(f"sqlite:///{path}") as store:
        await store.open_turn(ask(), now)
        with raw(path) as connection:
            connection.execute("BEGIN IMMEDIATE")
            assert "held by another process: try again" in await refused(f"sqlite:///{path}", StoreBusyError)
            with pytest.raises(StoreBusyError):
                await store.open_turn(ask(2), now)
            assert len(await store.turns(S1)) == 1
        await store.open_turn(ask(2), now)
        assert len(await store.turns(S1)) == 2


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "mysql"])
async def test_another_database_is_refused_without_its_password(scheme: str) -> None:
    said = await refused(f"{scheme}://ops:hunter2@db.internal/superbiz", SettingsError)
    assert "sqlite:///path" in said
    assert "hunter2" not in said
    assert "db.internal" not in said


@pytest.mark.parametrize("url", ["", "sqlite:", "sqlite://s.db", "sqlite:///", "s.db", "/var/lib/s.db", "memory:x"])
async def test_a_url_of_another_form(url: str) -> None:
    assert "is not known: use sqlite:///path or memory:" in await refused(url, SettingsError)


async def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    """Nor the files beside it, and directories on the way are made."""
    path = tmp_path / "a" / "b" / "s.db"
    async with open_store(f"sqlite:///{path}"), open_checkpointer(f"sqlite:///{path}"):
        files = sorted(path.parent.iterdir())
        assert [file.name for file in files] == ["s.db", "s.db-shm", "s.db-wal"]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


async def test_opening_twice_migrates_once_and_keeps_the_rows(path: Path, ask: Ask, now: datetime) -> None:
    evaluation: JsonObject = {"rule_evaluation": {"score": 1}}
    for _ in range(2):
        async with open_store(f"sqlite:///{path}") as store:
            await store.open_turn(ask(), now)
            await store.merge_evaluation(ask(), evaluation, now)
            assert [turn.self_evaluation for turn in await store.turns(S1)] == [evaluation]
    with raw(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (migrations()[-1].number,)
