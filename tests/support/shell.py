"""What a run of the command gave."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on stdout; NaN and Infinity are no JSON."""
        found: dict[str, Any] = json.loads(self.out, parse_constant=lambda word: 1 / 0)
        return found


Superbiz = Callable[..., Ran]
