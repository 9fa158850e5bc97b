"""Work in the background that has one owner, who ends it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Jobs:
    """Tasks that their owner ends when it closes; what they fail with is the owner's to catch."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()  # Any: whatever each of them gives

    def start(self, job: Coroutine[Any, Any, T]) -> asyncio.Task[T]:  # Any: what it awaits
        """Run a coroutine in the background."""
        task = asyncio.get_running_loop().create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def finish(self) -> None:
        """Wait until all background jobs have ended."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Cancel all background jobs."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
