"""`run_turn` where there is no turn to give back."""

from pathlib import Path

import pytest
from langgraph.runtime import RunControl

from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Language
from superbiz.graph.entry.run import run_turn
from superbiz.graph.entry.world import directory_ports, new_session_id
from superbiz.graph.errors import NotFoundError, StoreError
from superbiz.store.checkpoints import open_checkpointer
from superbiz.store.open import open_store

SESSION = SessionId("s-run")


async def test_nothing_to_resume_is_said(evidence: Path) -> None:
    async with open_store("memory:") as store, open_checkpointer("memory:") as saver:
        with pytest.raises(NotFoundError, match="session s-run has no interrupted turn"):
            await run_turn(directory_ports(store, evidence, Language.ZH), saver, SESSION, None)


async def test_a_run_that_never_opened_its_turn_gives_none_back(evidence: Path) -> None:
    async with open_store("memory:") as store, open_checkpointer("memory:") as saver:
        control = RunControl()
        control.request_drain()
        with pytest.raises(StoreError, match="session s-run has no turn"):
            await run_turn(
                directory_ports(store, evidence, Language.ZH), saver, SESSION, {"question": "账单服务"}, control=control
            )


def test_every_session_gets_an_id_of_its_own() -> None:
    ids = {new_session_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(len(one) == 14 and one.startswith("s-") for one in ids)
