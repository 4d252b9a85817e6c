"""The store on SQLite: one connection, one writer at a time, every write in one immediate transaction.

aiosqlite keeps the event loop free; a lock keeps coroutines that share the connection out of each other's transaction.
Several processes may use one file: WAL, and a busy timeout before a StoreBusyError.
"""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime

import aiosqlite

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.ids import InvocationId, SessionId
from superbiz.graph.domain.record import Invocation, Origin
from superbiz.graph.domain.session import Inquiry, Session, Turn, TurnEnd
from superbiz.graph.errors import StoreBusyError, StoreError
from superbiz.graph.reducers import merge_evaluations
from superbiz.store import rows, sqlite_sql
from superbiz.store.migrations import migrations

BUSY_SECONDS = 10.0
"""How long a write waits for another process before StoreBusyError."""


class SqliteStore:
    """Implements `Store` of `graph.ports`. Made by `open_sqlite`."""

    def __init__(self, connection: aiosqlite.Connection, path: str) -> None:
        self._connection = connection
        self._path = path
        self._lock = asyncio.Lock()

    async def migrate(self) -> None:
        """Bring the schema up to date. Raises StoreError when the file was written by a newer version."""
        known = migrations()
        async with self._transaction():
            ((version,),) = await self._connection.execute_fetchall("PRAGMA user_version")
            if version > known[-1].number:
                raise StoreError(
                    "the store {path} has schema {found}, this version knows {known}: use a newer superbiz, "
                    "or another file (--store)",
                    path=self._path,
                    found=version,
                    known=known[-1].number,
                )
            for migration in known:
                if migration.number > version:
                    for statement in _statements(migration.sql):
                        await self._connection.execute(statement)
                    await self._connection.execute(f"PRAGMA user_version = {migration.number:d}")

    async def branch(self, origin: Origin) -> int:
        """See `InvocationStore.branch`."""
        values = origin.model_dump(exclude={"attempt"})
        async with self._transaction():
            found = await self._one(sqlite_sql.BRANCH, values) or await self._one(sqlite_sql.INSERT_BRANCH, values)
        return int(found["branch"]) if found is not None else 0

    async def begin(self, row: Invocation) -> Invocation:
        """See `InvocationStore.begin`."""
        columns = rows.invocation_columns(row)
        async with self._transaction():
            known = await self._one(sqlite_sql.INVOCATION, columns)
            if known is None:
                await self._connection.execute(sqlite_sql.INSERT_INVOCATION, columns)
                return row
            if known["success"] is None:
                await self._connection.execute(sqlite_sql.RESTART_INVOCATION, columns)
                return row
        return await asyncio.to_thread(rows.to_invocation, known)

    async def finish(self, row: Invocation) -> None:
        """See `InvocationStore.finish`."""
        columns = rows.invocation_columns(row)
        body = None if row.output is None else await asyncio.to_thread(rows.output_body, row.output)
        async with self._transaction():
            cursor = await self._connection.execute(sqlite_sql.FINISH_INVOCATION, columns)
            if cursor.rowcount and body is not None:
                where = {"session_id": row.session_id, "id": row.invocation_id, "body": body}
                await self._connection.execute(sqlite_sql.INSERT_OUTPUT, where)

    async def invocations(self, session_id: SessionId, ids: tuple[InvocationId, ...]) -> tuple[Invocation, ...]:
        """See `InvocationStore.invocations`."""
        async with self._reading():
            found = [await self._one(sqlite_sql.INVOCATION, {"session_id": session_id, "id": id}) for id in ids]
        return await asyncio.to_thread(lambda: tuple(rows.to_invocation(row) for row in found if row is not None))

    async def turn_invocations(self, session_id: SessionId, turn: int) -> tuple[Invocation, ...]:
        """See `InvocationStore.turn_invocations`."""
        async with self._reading():
            found = await self._all(sqlite_sql.TURN_INVOCATIONS, {"session_id": session_id, "turn": turn})
        return await self.invocations(session_id, tuple(InvocationId(row["id"]) for row in found))

    async def session(self, session_id: SessionId) -> Session | None:
        """See `SessionStore.session`."""
        async with self._reading():
            row = await self._one(sqlite_sql.SESSION, {"session_id": session_id})
        return None if row is None else rows.to_session(row)

    async def open_turn(self, inquiry: Inquiry, now: datetime) -> None:
        """See `SessionStore.open_turn`."""
        async with self._transaction():
            await self._connection.execute(sqlite_sql.INSERT_SESSION, rows.session_columns(inquiry, now))
            await self._connection.execute(sqlite_sql.INSERT_TURN, rows.turn_columns(inquiry, now))
            (opened,) = await self._all(sqlite_sql.SESSION, {"session_id": inquiry.session_id})
            rows.to_session(opened)  # Refuses a session of a newer version.

    async def turn(self, session_id: SessionId, number: int | None = None) -> Turn | None:
        """See `SessionStore.turn`."""
        sql = sqlite_sql.LATEST_TURN if number is None else sqlite_sql.TURN
        async with self._reading():
            row = await self._one(sql, {"session_id": session_id, "number": number})
        return None if row is None else rows.to_turn(row)

    async def turns(self, session_id: SessionId) -> tuple[Turn, ...]:
        """See `SessionStore.turns`."""
        async with self._reading():
            return tuple(map(rows.to_turn, await self._all(sqlite_sql.TURNS, {"session_id": session_id})))

    async def merge_evaluation(self, inquiry: Inquiry, patch: JsonObject, now: datetime) -> None:
        """See `SessionStore.merge_evaluation`: read, merge and write under the write lock.

        A row that is damaged or of a newer version is refused and stays as it is.
        """
        where = _turn(inquiry, now)
        async with self._transaction():
            for read, to_value, write in (
                (sqlite_sql.TURN, rows.to_turn, sqlite_sql.SET_TURN_EVALUATION),
                (sqlite_sql.SESSION, rows.to_session, sqlite_sql.SET_SESSION_EVALUATION),
            ):
                row = await self._one(read, where)
                if row is None:
                    raise StoreError(
                        "session {session} is not in the store {path}", session=inquiry.session_id, path=self._path
                    )
                merged = merge_evaluations(to_value(row).self_evaluation, patch)
                await self._connection.execute(write, {**where, "merged": rows.to_json(merged)})

    async def end_turn(self, inquiry: Inquiry, end: TurnEnd, now: datetime) -> None:
        """See `SessionStore.end_turn`."""
        values = {**_turn(inquiry, now), **rows.end_columns(end)}
        async with self._transaction():
            await self._connection.execute(sqlite_sql.END_TURN, values)

    async def interrupt_turn(self, inquiry: Inquiry, now: datetime) -> None:
        """See `SessionStore.interrupt_turn`."""
        async with self._transaction():
            await self._connection.execute(sqlite_sql.INTERRUPT_TURN, _turn(inquiry, now))

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[None]:
        """One write transaction: all of it, or nothing of it.

        Statements run on the connection's thread, in order: one that was awaited when the task was cancelled still
        runs, BEGIN too, so every way out but the good one rolls back (without a transaction that does nothing).
        """
        async with self._lock:
            with readable_errors(self._path):
                try:
                    await self._connection.execute("BEGIN IMMEDIATE")
                    yield
                    await self._connection.commit()
                except BaseException:
                    await self._connection.rollback()
                    raise

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[None]:
        async with self._lock:
            with readable_errors(self._path):
                yield

    async def _one(self, sql: str, values: rows.Columns) -> rows.Columns | None:
        found = await self._all(sql, values)
        return found[0] if found else None

    async def _all(self, sql: str, values: rows.Columns) -> list[rows.Columns]:
        async with self._connection.execute(sql, values) as cursor:
            return [dict(row) async for row in cursor]


@contextmanager
def readable_errors(path: str) -> Iterator[None]:
    """Turns SQLite's errors into ours."""
    try:
        yield
    except sqlite3.Error as error:
        if _is_busy(error):
            raise StoreBusyError("the store {path} is held by another process: try again", path=path) from error
        raise StoreError("the store {path} cannot be used: {error}", path=path, error=error) from error


def _is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _turn(inquiry: Inquiry, now: datetime) -> rows.Columns:
    return {"session_id": inquiry.session_id, "number": inquiry.turn, "now": rows.utc_text(now)}


def _statements(sql: str) -> list[str]:
    """The statements of a migration; `executescript` would commit the transaction it runs in."""
    found, statement = [], ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            found.append(statement)
            statement = ""
    return found


async def _use_wal(connection: aiosqlite.Connection) -> None:
    """Change the journal of a new file. SQLite itself does not wait for a lock here, so two first starts could fail."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            await connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > until:
                raise
        await asyncio.sleep(0.02)


@asynccontextmanager
async def open_sqlite(path: str) -> AsyncIterator[SqliteStore]:
    """A store over the file, migrated; `:memory:` is one that is gone at the end. Raises StoreError."""
    with readable_errors(path):
        connection = await aiosqlite.connect(path, isolation_level=None, timeout=BUSY_SECONDS)
    try:
        with readable_errors(path):
            connection.row_factory = sqlite3.Row
            await _use_wal(connection)
            for pragma in ("foreign_keys = ON", "synchronous = NORMAL"):
                await connection.execute(f"PRAGMA {pragma}")
        store = SqliteStore(connection, path)
        await store.migrate()
        yield store
    finally:
        await connection.close()
