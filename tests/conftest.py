"""What holds for the whole suite: in CI nothing is skipped, and `--rewrite` brings generated documents up to date."""

import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes depends on the machine and on what else it does: time is no law of ours.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write generated documents instead of comparing them")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if _is_refused(report) and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", _reason(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if _is_refused(report):
        report.outcome, report.longrepr = "failed", _reason(report)
    return report


def _is_refused(report: pytest.TestReport | pytest.CollectReport) -> bool:
    """In CI a skip means that a service or a package is missing where it must not be."""
    return report.outcome == "skipped" and os.environ.get("CI") == "true"


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return f"skipped, which CI does not accept: {report.longrepr}"
