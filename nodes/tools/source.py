"""An evidence directory as an evidence source: what there is to look at, and the names seen in it."""

import asyncio
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.domain.tasks import Catalog
from superbiz.graph.domain.text import normalise
from superbiz.nodes.tools.directory import EvidenceDirectory
from superbiz.nodes.tools.metrics.body import Unusable, read_body

MAX_NAMES = 500
_NOT_NAMES = frozenset(("alertname", "severity", "quantile", "le", "reason", "status", "__name__"))
"""Labels whose values name no thing of the system."""


class DirectorySource:
    """Implements `EvidenceSource` of `graph.ports`."""

    def __init__(self, directory: EvidenceDirectory) -> None:
        self._directory = directory
        self.location = directory.location

    def as_of(self) -> datetime | None:
        """`as_of` of meta.json."""
        return self._directory.as_of()

    async def catalog(self) -> Catalog:
        """Files by kind, label values of the metrics bodies, aliases and dependencies; read once."""
        return await asyncio.to_thread(lambda: self._catalog)

    @cached_property
    def _catalog(self) -> Catalog:
        folders = {name: self._directory.files(name) for name in ("logs", "metrics", "runbooks")}
        # A file that may not be read is named too: only when a tool is asked for it does its gap become a row.
        names = {
            folder: tuple(sorted([file.name for file in files] + [gap.source for gap in gaps]))
            for folder, (files, gaps) in folders.items()
        }
        meta = self._directory.meta
        return Catalog(
            logs=names["logs"],
            metrics=names["metrics"],
            runbooks=names["runbooks"],
            names=tuple(sorted(self._names()))[:MAX_NAMES],
            aliases=meta.aliases,
            depends_on=meta.depends_on,
        )

    def _names(self) -> set[str]:
        bodies = map(read_body, self._directory.files("metrics")[0])
        items = (item for body in bodies if not isinstance(body, Unusable) for item in body.items)
        return {value for item in items for value in _label_values(item)}


def _label_values(item: JsonObject) -> Iterator[str]:
    for part in ("metric", "labels"):
        labels = item.get(part)
        for name, value in labels.items() if isinstance(labels, dict) else ():
            if name not in _NOT_NAMES and isinstance(value, str) and any(char.isalpha() for char in value):
                yield normalise(value)
