"""A directory of incident evidence: which files it holds, safely, and what its `meta.json` says (DESIGN)."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator

from superbiz.graph.domain.evidence import Gap
from superbiz.graph.domain.text import normalise
from superbiz.graph.domain.times import to_utc
from superbiz.graph.errors import EvidenceError

Name = Annotated[str, AfterValidator(normalise)]

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
    """UTC; a time without zone counts as UTC."""
    aliases: dict[Name, Name] = Field(default_factory=dict)
    depends_on: dict[Name, tuple[Name, ...]] = Field(default_factory=dict)

    @field_validator("as_of", mode="before")
    @classmethod
    def _moment(cls, value: object) -> datetime | None:
        """Not left to pydantic: it reads numbers, and digits as in 20260504, as seconds since 1970."""
        if value is None:
            return None
        try:
            return to_utc(datetime.fromisoformat(str(value).strip().upper()))
        except (ValueError, OverflowError):
            raise ValueError("Input should be a valid datetime, such as 2026-03-02T08:30:00Z") from None


@dataclass(frozen=True)
class EvidenceFile:
    """A file to read: `name` is relative to the directory, with `/`, as text in normal form; `path` opens it."""

    name: str
    path: Path


class EvidenceDirectory:
    """Files under `logs/`, `metrics/`, `runbooks/`; a link that leads out of the directory is a gap, never read."""

    def __init__(self, root: Path) -> None:
        """Raises EvidenceError when there is no such directory, or nothing in it, or its meta.json is broken."""
        if not os.path.exists(root):
            raise EvidenceError("no such evidence directory: {path}", path=root)
        if not os.path.isdir(root):
            raise EvidenceError(
                "the evidence {path} is a file; a directory with logs/ metrics/ runbooks/ is needed", path=root
            )
        self._root = root.resolve()
        self.location = str(self._root)
        self.meta = self._meta()
        if not any(files or gaps for files, gaps in map(self.files, SUFFIXES)):
            raise EvidenceError(
                "nothing to read in {path}: put files under logs/ (.log .txt .jsonl .ndjson, also .gz), "
                "metrics/ (.json) or runbooks/ (.md)",
                path=root,
            )

    def as_of(self) -> datetime | None:
        """`as_of` of meta.json in UTC."""
        return self.meta.as_of

    def files(self, folder: str) -> tuple[tuple[EvidenceFile, ...], tuple[Gap, ...]]:
        """Readable files of one folder, by name, and a gap for each, and for each folder, that may not be read."""
        found: list[EvidenceFile] = []
        gaps: list[Gap] = []
        for path, closed in sorted(_walk(self._root / folder)):
            # Any bytes may be a name; what is said and stored is text.
            name = normalise(os.fsencode(path.relative_to(self._root)).decode("utf-8", "replace"))
            linked_folder = os.path.islink(path) and os.path.isdir(path)
            if not closed and not linked_folder and not name.lower().endswith(SUFFIXES[folder]):
                continue
            if not self._holds(path):
                gaps.append(Gap(source=name, reason="outside", detail="a link that leads out of the directory"))
            elif linked_folder:
                gaps.append(Gap(source=name, reason="unreadable", detail="a linked folder is not entered"))
            elif closed or not os.path.isfile(path):
                gaps.append(Gap(source=name, reason="unreadable", detail=closed or "not a regular file"))
            else:
                found.append(EvidenceFile(name, path))
        return tuple(found), tuple(gaps)

    def _holds(self, path: Path) -> bool:
        """Whether the path, links followed, lies in the directory."""
        # Not Path.resolve, which raises on a link that leads to itself.
        return Path(os.path.realpath(path)).is_relative_to(self._root)

    def _meta(self) -> Meta:
        path = self._root / "meta.json"
        if not os.path.lexists(path):
            return Meta()
        try:
            if not self._holds(path):
                raise ValueError("it is a link that leads out of the directory")
            if path.is_fifo():
                raise ValueError("it is a pipe, which may never end")
            return Meta.model_validate(json.loads(path.read_text(encoding="utf-8-sig")))
        except (OSError, ValueError, RecursionError) as error:
            raise EvidenceError(
                "{path} cannot be used: {why}; correct or remove it", path=path, why=_why(error)
            ) from error


def _walk(folder: Path) -> Iterator[tuple[Path, str]]:
    """What stands below a folder but folders that hold something; with a folder that cannot be listed goes why.

    Linked folders are not entered, only named. No recursion: folders lie in each other to any depth.
    """
    if folder.is_symlink():
        yield folder, ""
        return
    left = [folder] if folder.exists() else []
    while left:
        here = left.pop()
        try:
            with os.scandir(here) as listing:
                entries = list(listing)
        except OSError as error:
            yield here, error.strerror or "not listed"
            continue
        if not entries:
            yield here, ""
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                left.append(Path(entry.path))
            else:
                yield Path(entry.path), ""


def _why(error: Exception) -> str:
    """What is wrong, without the library's address and the input that it repeats."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg'].removeprefix('Value error, ')}"
    return str(error)
