"""`superbiz doctor`: what is configured, reachable, and what would be used. Nothing is changed by asking."""

import argparse
import asyncio
import json
import os
import platform
import sqlite3
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from superbiz.graph.domain.base import Frozen
from superbiz.graph.entry.console import say
from superbiz.graph.errors import SuperBizError
from superbiz.graph.settings import Settings, load_settings
from superbiz.nodes.tools.directory import SUFFIXES, EvidenceDirectory
from superbiz.store.checkpoints import open_checkpointer
from superbiz.store.open import open_store, sqlite_file


class Finding(Frozen):
    """One thing that was looked at."""

    part: str
    ok: bool
    says: str


def run(options: argparse.Namespace) -> int:
    """Print the findings; 0 when all is well, 1 when something that would be used is broken."""
    settings = load_settings()
    findings = tuple(_findings(options, settings))
    if options.json:
        say(json.dumps([json.loads(finding.model_dump_json()) for finding in findings], ensure_ascii=False))
    else:
        say("\n".join(f"{'ok ' if finding.ok else 'BAD'} {finding.part}: {finding.says}" for finding in findings))
    return 0 if all(finding.ok for finding in findings) else 1


def _findings(options: argparse.Namespace, settings: Settings) -> Iterator[Finding]:
    packages = ", ".join(f"{name} {metadata.version(name)}" for name in ("superbiz", "langgraph", "langchain-core"))
    yield Finding(
        part="version", ok=True, says=f"{packages}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )
    yield _store(options.store or settings.store_url)
    evidence = options.evidence or settings.evidence
    if evidence is None:
        yield Finding(part="evidence", ok=True, says="none set: each diagnosis needs --evidence DIR")
    else:
        yield _evidence(Path(evidence).expanduser())
    name = settings.model
    ignored = f"; model {name!r} is set and not used by this version" if name else ""
    yield Finding(part="roles", ok=True, says=f"planner, executor, verifier and composer are played by code{ignored}")
    yield Finding(part="language", ok=True, says=f"answers in {settings.lang}")


def _store(url: str) -> Finding:
    try:
        file = sqlite_file(url)
    except SuperBizError as error:
        return Finding(part="store", ok=False, says=str(error))
    if file is not None and not os.path.exists(file):
        return _not_made_yet(url, file)
    return asyncio.run(_opened(url))


async def _opened(url: str) -> Finding:
    try:
        async with open_store(url), open_checkpointer(url):
            return Finding(part="store", ok=True, says=f"{url} opens")
    except SuperBizError as error:
        return Finding(part="store", ok=False, says=str(error))


def _not_made_yet(url: str, file: Path) -> Finding:
    """Opening would make the file, and asking changes nothing."""
    nearest = next(folder for folder in file.absolute().parents if os.path.exists(folder))
    if os.path.isdir(nearest) and os.access(nearest, os.W_OK | os.X_OK):
        return Finding(part="store", ok=True, says=f"{url} is made by the first diagnosis")
    return Finding(part="store", ok=False, says=f"{url} cannot be made: {nearest} is no directory to write in")


def _evidence(path: Path) -> Finding:
    try:
        directory = EvidenceDirectory(path)
    except SuperBizError as error:
        return Finding(part="evidence", ok=False, says=str(error))
    counts = ", ".join(f"{len(directory.files(folder)[0])} {folder}" for folder in SUFFIXES)
    moment = directory.as_of()
    return Finding(part="evidence", ok=True, says=f"{path}: {counts}; as_of {moment.isoformat() if moment else 'now'}")
