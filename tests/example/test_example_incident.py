"""The example incident: its noisy log is what its script writes, and its labels are true of its files."""

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from superbiz.nodes.tools.directory import EvidenceDirectory

EXAMPLES = Path(__file__).parents[2] / "examples"
INCIDENT = EXAMPLES / "checkout-incident"
TRUTH = json.loads((INCIDENT / "truth.json").read_text("utf-8"))
STATEMENTS = [*TRUTH["supported"], *TRUTH["unsupported"]]
KINDS = {
    "runbook_only",
    "wrong_number",
    "swapped_numbers",
    "wrong_entity",
    "wrong_service",
    "negation",
    "pending_as_firing",
    "resolved_as_active",
    "absent_alert",
    "invented_error_code",
    "unsupported_detail",
    "unsupported_cause",
}
SYSTEM = ("logs", "metrics")


def _text(name: str) -> str:
    return (INCIDENT / name).read_text("utf-8")


def _evidence(folders: tuple[str, ...] = SYSTEM) -> list[str]:
    return sorted(
        path.relative_to(INCIDENT).as_posix() for folder in folders for path in (INCIDENT / folder).rglob("*")
    )


def test_the_script_writes_the_committed_log_again(tmp_path: Path) -> None:
    place = tmp_path / "again.log"
    subprocess.run([sys.executable, str(EXAMPLES / "make_checkout_incident.py"), str(place)], check=True)
    assert place.read_bytes() == (INCIDENT / "logs" / "checkout.log").read_bytes()


def test_the_directory_is_evidence_and_small() -> None:
    """Two services' logs at least, one of them noisy; alerts, series, an error body; two runbooks; under 300 KB."""
    directory = EvidenceDirectory(INCIDENT)
    assert directory.meta.aliases["支付服务"] == "payment-service"
    assert directory.as_of() == datetime.fromisoformat("2026-04-16T02:30:00+00:00")
    assert not any(gaps for _, gaps in map(directory.files, ("logs", "metrics", "runbooks")))
    assert len(_text("logs/checkout.log").splitlines()) > 2000
    assert len(_evidence(("runbooks",))) == 2
    assert sum(path.stat().st_size for path in INCIDENT.rglob("*") if path.is_file()) < 300_000


def test_the_question_is_asked_in_two_languages() -> None:
    chinese, english = _text("question.txt").splitlines()
    assert "支付服务" in chinese
    assert english.isascii()


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement["id"])
def test_every_label_is_true_of_the_files(statement: dict[str, object]) -> None:
    """`where` and `against` stand in one line of the file, that many times; `absent` in none of its files."""
    places = [*_listed(statement, "where"), *_listed(statement, "against")]
    for place in places:
        held = sum(str(place["contains"]) in line for line in _text(str(place["file"])).splitlines())
        assert held > 0
        assert held == place.get("lines", held)
        assert not str(place["file"]).startswith("runbooks/")
    if absent := str(statement.get("absent", "")):
        looked = [str(name) for name in _listed(statement, "absent_in")] or _evidence()
        assert not [name for name in looked if absent in _text(name)]
    assert places or absent


def _listed(statement: dict[str, object], field: str) -> list[dict[str, object]]:
    value = statement.get(field, [])
    assert isinstance(value, list)
    return value


def test_every_kind_of_statement_is_there_once() -> None:
    assert {statement["level"] for statement in TRUTH["supported"]} == {"direct", "indirect", "absence"}
    assert sorted(statement["kind"] for statement in TRUTH["unsupported"]) == sorted(KINDS)
    ids = [statement["id"] for statement in STATEMENTS]
    assert len(ids) == len(set(ids))


def test_alerts_are_firing_pending_suppressed_and_over() -> None:
    prometheus = json.loads(_text("metrics/alerts.json"))["data"]["alerts"]
    assert {alert["state"] for alert in prometheus} == {"firing", "pending"}
    manager = json.loads(_text("metrics/alertmanager.json"))
    assert {alert["status"]["state"] for alert in manager} == {"active", "suppressed"}
    assert any(alert["endsAt"] < "2026-04-16T02:30:00Z" for alert in manager)
