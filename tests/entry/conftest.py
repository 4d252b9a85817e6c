"""A small evidence directory of our own, and `superbiz` run in this process on a store in a temporary directory."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from superbiz.graph.entry.shell import main
from support.shell import Ran

LOG = """2026-05-04T09:30:01Z INFO billing-api started
2026-05-04T09:30:12Z ERROR billing-api upstream ledger-db refused
2026-05-04T09:30:14Z ERROR billing-api upstream ledger-db refused
2026-05-04T09:31:00Z INFO billing-api request took 12 ms
"""


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    """One log, one alert, one runbook."""
    root = tmp_path / "evidence"
    for folder in ("logs", "metrics", "runbooks"):
        (root / folder).mkdir(parents=True)
    (root / "logs/billing.log").write_text(LOG)
    alert = {"labels": {"alertname": "BillingErrors", "service": "billing-api"}, "state": "firing", "value": "3"}
    body = {"status": "success", "data": {"alerts": [{**alert, "activeAt": "2026-05-04T09:30:30Z"}]}}
    (root / "metrics/alerts.json").write_text(json.dumps(body))
    (root / "runbooks/ledger.md").write_text("# Ledger refused\n\nCheck that ledger-db accepts connections.\n")
    (root / "meta.json").write_text(
        json.dumps({"as_of": "2026-05-04T09:40:00Z", "aliases": {"账单服务": "billing-api"}})
    )
    return root


@pytest.fixture
def superbiz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs a command with its own home and without settings from outside."""
    for name in ("EVIDENCE", "MODEL", "LANG", "DATABASE_URL", "DEBUG"):
        monkeypatch.delenv(f"SUPERBIZ_{name}", raising=False)
    monkeypatch.setenv("SUPERBIZ_HOME", str(tmp_path / "home"))

    def run(*arguments: object, stdin: bytes | None = None) -> Ran:
        reader: Any = io.TextIOWrapper(io.BytesIO(stdin or b""), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", reader)
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
