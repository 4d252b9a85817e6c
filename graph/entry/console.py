"""What goes to a person's terminal: messages and progress on stderr, colour only where it is seen."""

import os
import sys
import time
from typing import TextIO

from superbiz.graph.domain.plan import Language
from superbiz.prompts.phrases import phrase

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def coloured(stream: TextIO) -> bool:
    """Whether colour may be used: a terminal, and neither NO_COLOR nor a dumb one."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str, stream: TextIO) -> str:
    """The text in a colour, or as it is where colour is not wanted."""
    return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if coloured(stream) else text


def complain(message: str) -> None:
    """One line of error on stderr."""
    sys.stderr.write(f"{paint('superbiz:', 'red', sys.stderr)} {message}\n")


def remark(message: str) -> None:
    """One line on stderr that is no error."""
    sys.stderr.write(f"{message}\n")


def say(text: str) -> None:
    """An answer or JSON on stdout."""
    sys.stdout.write(f"{text}\n")


class Progress:
    """Names each node as it ends, with the seconds since the last one; silent where stderr is no terminal."""

    def __init__(self, language: Language, stream: TextIO) -> None:
        self._language = language
        self._stream = stream
        self._shown = stream.isatty()
        self._last = time.monotonic()

    def step(self, node: str, ended: bool) -> None:
        """Tell that a node starts or has ended."""
        if self._shown and ended:
            now = time.monotonic()
            label = phrase(self._language, f"progress.{node}")
            self._stream.write(paint(f"  ✓ {label} {now - self._last:.1f} s", "dim", self._stream) + "\n")
            self._last = now
