"""What the tests of the log tool share: files of any bytes, and the tool over them."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from superbiz.graph.domain.evidence import ToolOutput
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.query_logs import LogQuery, QueryLogs

AS_OF = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)

Ask = Callable[..., ToolOutput]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Writes files below `logs/`, then queries them."""

    def asked(files: Mapping[str, str | bytes], as_of: datetime = AS_OF, **query: object) -> ToolOutput:
        for name, content in files.items():
            path = tmp_path / "logs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return QueryLogs(EvidenceDirectory(tmp_path))._run(LogQuery.model_validate(query), as_of)

    return asked
