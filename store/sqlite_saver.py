"""LangGraph's SQLite checkpointer, whose writes a cancelled run cannot leave half done."""

import asyncio
from collections.abc import Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


class SqliteSaver(AsyncSqliteSaver):
    """Inserts and commits go on to their end when the task that asked for them is cancelled.

    The parent inserts, then commits: cancelled in between, it would hold the file's write lock for as long as its
    connection is open, and the store could not even note that the turn was interrupted.
    """

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """See `BaseCheckpointSaver.aput`."""
        return await asyncio.shield(super().aput(config, checkpoint, metadata, new_versions))

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """See `BaseCheckpointSaver.aput_writes`."""
        await asyncio.shield(super().aput_writes(config, writes, task_id, task_path))
