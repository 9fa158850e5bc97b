"""Work that is done to its end, also where whoever waits for it is cancelled meanwhile."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog

T = TypeVar("T")

_log = structlog.get_logger()


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:  # Any: what coroutines send is nobody's
    """What the work gives. A cancellation is passed on only when the work is over."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError:
                continue  # it was told once already
        if not task.cancelled() and (problem := task.exception()):
            _log.warning("failed_while_stopping", reason=f"{type(problem).__name__}: {problem}")
        raise
