"""From a store's URL to the store: `sqlite:///path`, `memory:`; `postgresql://…` comes with a later version."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from superbiz.graph.errors import SettingsError, StoreError
from superbiz.graph.ports import Store
from superbiz.store.sqlite import open_sqlite

_SQLITE = "sqlite:///"


@asynccontextmanager
async def open_store(url: str) -> AsyncIterator[Store]:
    """The store at that URL. Raises SettingsError for a URL of another form, StoreError when it cannot be opened."""
    async with open_sqlite(sqlite_path(url)) as store:
        yield store


def sqlite_path(url: str) -> str:
    """The file of a URL, its directory made; `:memory:` for `memory:`. The same errors as `open_store`."""
    file = sqlite_file(url)
    return ":memory:" if file is None else str(_prepared(file))


def sqlite_file(url: str) -> Path | None:
    """The file that a URL names, untouched; None for `memory:`. Raises SettingsError for a URL of another form."""
    if url in ("memory:", "memory://"):
        return None
    if url.startswith(("postgresql://", "postgres://")):
        # The URL may hold a password: it is not repeated.
        raise SettingsError(
            "this version keeps sessions in SQLite only: use --store sqlite:///path instead of postgresql://"
        )
    if not url.startswith(_SQLITE) or len(url) == len(_SQLITE):
        form = url.partition(":")[0]
        raise SettingsError("a store starting with {form!r} is not known: use sqlite:///path or memory:", form=form)
    return Path(url.removeprefix(_SQLITE)).expanduser()


def _prepared(path: Path) -> Path:
    """A file that only its owner can read: it holds what logs and runbooks say."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError("the store {path} cannot be opened: {error}", path=str(path), error=error.strerror) from error
    return path
