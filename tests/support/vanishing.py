"""An evidence directory that changes between listing and reading."""

from superbiz.graph.domain.evidence import Gap
from superbiz.nodes.tools.directory import EvidenceDirectory, EvidenceFile


class Vanishing(EvidenceDirectory):
    """A file named `gone` goes, and a folder takes its place, after the files were listed."""

    def files(self, folder: str) -> tuple[tuple[EvidenceFile, ...], tuple[Gap, ...]]:
        found, gaps = super().files(folder)
        for file in found:
            if file.path.stem == "gone":
                file.path.unlink()
                file.path.mkdir()
        return found, gaps
