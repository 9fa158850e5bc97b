"""Runs as the command line makes them, inside a test's own process."""

from collections.abc import Sequence
from pathlib import Path

from appliance.config import Settings
from appliance.core.result import RunResult
from appliance.engine.engine import EngineOptions, open_local_engine
from appliance.engine.request import RunKind, RunRequest


async def verified(
    settings: Settings,
    paths: Sequence[Path],
    policy: str = "literal",
    options: EngineOptions | None = None,
    again: str = "",
) -> RunResult:
    """The procedures of some documents, in one run; `again`: in that one, which was cut short."""
    request = RunRequest(kind=RunKind.VERIFICATION, documents=tuple(paths), policy=policy)
    options = options or EngineOptions(is_open=True)
    async with open_local_engine(settings, settings.console, options) as engine:
        row = engine.store.sweeps.get(again) or await engine.keep(request)
        return await engine.run(row, waits=False)
