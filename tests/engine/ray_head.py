"""A head in a process of its own, which a test kills; it is given its settings and a guide."""

import asyncio
import sys
from pathlib import Path

from appliance.config import Settings
from appliance.core.events import AttemptStarted, Event
from appliance.engine.engine import EngineOptions
from tests.running import verified


def note(event: Event) -> None:
    if isinstance(event, AttemptStarted):
        print(event.run_id, flush=True)


if __name__ == "__main__":
    settings = Settings.model_validate_json(Path(sys.argv[1]).read_text())
    options = EngineOptions(subscribers=(note,), is_open=True)
    asyncio.run(verified(settings, [Path(sys.argv[2])], options=options))
