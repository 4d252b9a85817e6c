"""Links the four root folders into build/editable/superbiz, so that an editable install imports the live files.

Only an editable build needs it: a wheel takes the folders through `sources` (see pyproject.toml).
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LinkHook(BuildHookInterface):  # type: ignore[type-arg]
    """Build hook `custom`: makes build/editable/superbiz/<folder> point at <folder>."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Create the links for an editable build; other builds are left alone."""
        if version != "editable":
            return
        package = Path(self.root, "build", "editable", "superbiz")
        package.mkdir(parents=True, exist_ok=True)
        for folder in ("graph", "nodes", "prompts", "store"):
            link = package / folder
            link.unlink(missing_ok=True)
            link.symlink_to(Path("..", "..", "..", folder), target_is_directory=True)
