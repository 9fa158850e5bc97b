"""Calls that block, and work that is done to its end: whatever waits for it may be cancelled."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

import structlog

P = ParamSpec("P")
T = TypeVar("T")

_log = structlog.get_logger()


async def in_thread(call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What a call gives that blocks. A write that has begun ends, also where this is cancelled."""
    return await to_its_end(asyncio.to_thread(call, *arguments, **named))


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
