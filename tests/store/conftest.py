"""A store in a file of its own, and the questions and calls that tests put into it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Language, Window
from superbiz.graph.domain.session import Inquiry
from superbiz.graph.ports import Store
from superbiz.store.open import open_store

OpenStore = Callable[[], AbstractAsyncContextManager[Store]]

NOW = datetime(2026, 5, 4, 3, 0, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.db"


@pytest.fixture(params=["sqlite"])
def url(request: pytest.FixtureRequest, path: Path) -> str:
    """Where the contract is tested: a database more is a parameter more."""
    return {"sqlite": f"sqlite:///{path}"}[request.param]


@pytest.fixture
def open_store_under_test(url: str) -> OpenStore:
    """Opens the store, as often as a test likes: what one wrote the next one reads."""
    return lambda: open_store(url)


@pytest.fixture
async def store(open_store_under_test: OpenStore) -> AsyncIterator[Store]:
    async with open_store_under_test() as opened:
        yield opened


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def ask() -> Callable[..., Inquiry]:
    """Makes the question of a turn."""

    def inquiry(turn: int = 1, session: str = "s1", question: str = "billing-api 为什么报错？") -> Inquiry:
        return Inquiry(
            session_id=SessionId(session),
            turn=turn,
            original_query=question,
            language=Language.ZH,
            as_of=NOW,
            window=Window(since=NOW - timedelta(hours=1)),
            evidence="/srv/evidence",
        )

    return inquiry
