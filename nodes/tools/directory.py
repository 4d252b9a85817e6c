"""A directory of incident evidence: which files it holds, safely, and what its `meta.json` says (DESIGN)."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from superbiz.graph.domain.evidence import Gap
from superbiz.graph.errors import EvidenceError

SUFFIXES = {
    "logs": (".log", ".txt", ".jsonl", ".ndjson", ".log.gz", ".txt.gz", ".jsonl.gz", ".ndjson.gz"),
    "metrics": (".json",),
    "runbooks": (".md",),
}
"""What counts as evidence in each folder."""


class Meta(BaseModel):
    """`meta.json`: all of it optional, unknown keys ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    as_of: datetime | None = None
    aliases: dict[str, str] = Field(default_factory=dict)
    depends_on: dict[str, tuple[str, ...]] = Field(default_factory=dict)


@dataclass(frozen=True)
class EvidenceFile:
    """A file to read: `name` is relative to the directory, with `/`; `path` is where it really is."""

    name: str
    path: Path


class EvidenceDirectory:
    """Files under `logs/`, `metrics/`, `runbooks/`; a link that leads out of the directory is a gap, never read."""

    def __init__(self, root: Path) -> None:
        """Raises EvidenceError when there is no such directory, or nothing in it, or its meta.json is broken."""
        if not root.exists():
            raise EvidenceError("no such evidence directory: {path}", path=root)
        if not root.is_dir():
            raise EvidenceError(
                "the evidence {path} is a file; a directory with logs/ metrics/ runbooks/ is needed", path=root
            )
        self._root = root.resolve()
        self.location = str(self._root)
        self.meta = _read_meta(self._root / "meta.json")
        if not any(files or gaps for files, gaps in map(self.files, SUFFIXES)):
            raise EvidenceError(
                "nothing to read in {path}: put files under logs/ (.log .txt .jsonl .ndjson, also .gz), "
                "metrics/ (.json) or runbooks/ (.md)",
                path=root,
            )

    def as_of(self) -> datetime | None:
        """`as_of` of meta.json in UTC; a time without zone counts as UTC."""
        moment = self.meta.as_of
        if moment is None:
            return None
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)

    def files(self, folder: str) -> tuple[tuple[EvidenceFile, ...], tuple[Gap, ...]]:
        """Readable files of one folder, by name, and a gap for each that may not be read."""
        found: list[EvidenceFile] = []
        gaps: list[Gap] = []
        for path in sorted(_walk(self._root / folder)):
            # Any bytes may be a name; what is said and stored is text.
            name = os.fsencode(path.relative_to(self._root)).decode("utf-8", "replace")
            linked_folder = path.is_symlink() and path.is_dir()
            if not linked_folder and not name.lower().endswith(SUFFIXES[folder]):
                continue
            if not path.resolve().is_relative_to(self._root):
                gaps.append(Gap(source=name, reason="outside", detail="a link that leads out of the directory"))
            elif not path.is_file():
                gaps.append(Gap(source=name, reason="unreadable", detail="not a regular file"))
            else:
                found.append(EvidenceFile(name, path))
        return tuple(found), tuple(gaps)


def _walk(folder: Path) -> Iterator[Path]:
    """Everything below a folder but folders that hold something; linked folders are not entered, only named."""
    if folder.is_symlink():
        yield folder
    elif folder.is_dir():
        paths = list(folder.iterdir())
        for path in paths:
            yield from _walk(path)
        if not paths:
            yield folder
    elif folder.exists():
        yield folder


def _read_meta(path: Path) -> Meta:
    if not path.exists():
        return Meta()
    try:
        return Meta.model_validate(json.loads(path.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError, ValidationError) as error:
        raise EvidenceError("{path} cannot be used: {why}; correct or remove it", path=path, why=_why(error)) from error


def _why(error: Exception) -> str:
    """What is wrong, without the library's address and the input that it repeats."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}"
    return str(error)
