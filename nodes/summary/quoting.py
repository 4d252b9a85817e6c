"""Quoting: one line, cut on characters, around the words that matter (field bug 48)."""

Span = tuple[int, int]
"""Where words stand in a text: first character, and the one after the last."""


def one_line(text: str) -> str:
    """The text on one line. Other white space stays, so that a quote of a line stays verbatim."""
    return text.replace("\n", " ")


def quote(text: str, limit: int, span: Span = (0, 0)) -> str:
    """About `limit` characters of a text, centred on `span`, which is never cut; `…` where something went."""
    start, end = span
    size = max(limit, end - start)
    if len(text) <= size:
        return text
    begin = min(max(start - (size - (end - start)) // 2, 0), len(text) - size)
    stop = begin + size
    return f"{'…' if begin else ''}{text[begin:stop]}{'…' if stop < len(text) else ''}"


def locate(text: str, folded: str) -> Span | None:
    """Where a folded excerpt stands in a normalised text.

    `fold` changes lengths (`ß` becomes `ss`, white space runs become one space), so each folded character keeps the
    place that it came from.
    """
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        part = " " if char.isspace() else char.casefold()
        if part == " " and (not chars or chars[-1] == " "):
            continue
        chars.extend(part)
        places.extend([place] * len(part))
    at = "".join(chars).find(folded)
    return None if at < 0 else (places[at], places[at + len(folded) - 1] + 1)
