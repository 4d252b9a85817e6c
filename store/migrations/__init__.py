"""Numbered SQL files, append-only: each is applied once, in order, under the write lock."""

from importlib.resources import files
from typing import NamedTuple


class Migration(NamedTuple):
    """One file: `0001_initial.sql` is number 1."""

    number: int
    name: str
    sql: str


def migrations() -> tuple[Migration, ...]:
    """Every migration, in order."""
    found = [file for file in files(__name__).iterdir() if file.name.endswith(".sql")]
    return tuple(
        sorted(
            Migration(int(file.name.partition("_")[0]), file.name.removesuffix(".sql"), file.read_text("utf-8"))
            for file in found
        )
    )
