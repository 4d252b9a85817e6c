"""Builds the ports of a run on an evidence directory: real clock, real tools, deterministic roles."""

import secrets
import time
from datetime import UTC, datetime
from pathlib import Path

from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Language
from superbiz.graph.ports import Ports, Roles, Store
from superbiz.nodes.claims.role import DeterministicExecutor
from superbiz.nodes.planning.role import DeterministicPlanner
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.source import DirectorySource
from superbiz.nodes.tools.toolbox import toolbox


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The moment in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()


def new_session_id() -> SessionId:
    """A session id that no other has: `s-` and 12 hex digits."""
    return SessionId(f"s-{secrets.token_hex(6)}")


def directory_ports(store: Store, evidence: Path, language: Language) -> Ports:
    """Ports on an evidence directory. Raises EvidenceError when it cannot be used."""
    clock = SystemClock()
    directory = EvidenceDirectory(evidence)
    return Ports(
        store=store,
        evidence=DirectorySource(directory),
        tools=toolbox(directory, clock),
        roles=Roles(planner=DeterministicPlanner(), executor=DeterministicExecutor()),
        clock=clock,
        language=language,
    )
