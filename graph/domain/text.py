"""The one normal form of text (DESIGN decision 6): used when storing, when matching and when showing."""

import re
import unicodedata

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_PLAIN = re.compile(r"[\t\n\x20-\x7e]*\Z")
NUL_SIGN = "\u2400"
"""Stands where a NUL byte stood: databases refuse U+0000 (field bug 26)."""


def normalise(text: str) -> str:
    """NFKC, ANSI sequences and format characters stripped, NUL shown as `␀`, lone surrogates as U+FFFD.

    Idempotent. Line feeds and tabs stay; other control characters become spaces.
    """
    if _PLAIN.match(text):
        return text
    kept = text
    if not text.isprintable():  # Else nothing of it is to be replaced, which is worth knowing for Chinese logs.
        kept = "".join(map(_replacement, _ANSI.sub("", text).replace("\x00", NUL_SIGN)))
    # Last: a format character between a letter and its accent keeps NFKC from composing them.
    return unicodedata.normalize("NFKC", kept)


def fold(text: str) -> str:
    """The form in which two texts are compared: normalised, white space runs as one space, case folded."""
    return " ".join(normalise(text).casefold().split())


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut on a character, with `…` where something went."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _replacement(char: str) -> str:
    category = unicodedata.category(char)
    match category:
        case "Cf":
            return ""
        case "Cs":
            return "\ufffd"
        case "Cc" if char not in "\t\n":
            return " "
        case _:
            return char
