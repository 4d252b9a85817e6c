"""Numbered SQL files, append-only: each is applied once, in order, under the write lock."""

from importlib.resources import files


def migrations() -> tuple[tuple[int, str], ...]:
    """Number and SQL of every migration, in order."""
    found = [file for file in files(__name__).iterdir() if file.name.endswith(".sql")]
    return tuple(sorted((int(file.name.partition("_")[0]), file.read_text("utf-8")) for file in found))
