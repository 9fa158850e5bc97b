"""Runs as the command line makes them, inside a test's own process."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from appliance.config import Settings
from appliance.core.result import RunResult
from appliance.engine import EngineOptions, Planner, RunKind, RunRequest, open_local_engine
from appliance.engine.documentation import Documentation
from appliance.store import Store


async def verified(
    settings: Settings,
    store: Store,
    paths: Sequence[Path],
    policy: str = "literal",
    options: EngineOptions | None = None,
) -> RunResult:
    """The procedures of some documents, in one run."""
    request = RunRequest(
        kind=RunKind.VERIFICATION, documents=tuple(paths), checks=(), policy=policy
    )
    options = options or EngineOptions(is_open=True)
    documentation = Documentation(settings.documentation, options.warn, is_open=True)
    planner = Planner(
        settings=settings, store=store, documentation=documentation, clock=options.clock
    )
    try:
        row = await asyncio.to_thread(planner.keep, request)
    finally:
        documentation.reader.close()
    async with open_local_engine(settings, store, options) as engine:
        return await engine.run(row, waits=False)
