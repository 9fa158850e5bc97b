"""`appliance serve` with somebody beside it who saves verdicts: what `scripts/bench-server` asks.

`python -m tests.benchmarks.server.serving DATA_DIR DOCUMENTATION CONSOLE VERDICTS_PER_S`
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from appliance.cli._listening import listen, local_url
from appliance.cli._practice import with_playgrounds
from appliance.cli.serve import _Door, _serve
from appliance.config import Settings
from appliance.server.keys import KeyStore
from appliance.store.store import Store
from appliance.telemetry.logs import set_up_logs
from tests.benchmarks.server.writing import Writer


def main(data_dir: str, documentation: str, console: str, verdicts_per_s: str) -> None:
    """Serve until stopped by a signal."""
    settings = Settings.model_validate(
        {
            "data_dir": Path(data_dir),
            "documentation": {"paths": [Path(documentation)]},
            "consoles": {console: {"kind": "practice"}},
            "console": console,
            "schedules": {},
            "telemetry": {"log_level": "warning"},
            "server": {"port": 0, "requests_per_minute": 1_000_000},
        }
    )
    set_up_logs(settings.telemetry, sys.stderr)
    with ExitStack() as stack:
        listener = stack.enter_context(listen(settings.server))
        store = stack.enter_context(Store.open(settings.data_dir))
        ours = stack.enter_context(with_playgrounds(settings))

        @contextmanager
        def ready() -> Iterator[None]:
            with Writer(store, console, float(verdicts_per_s)):
                click.echo(
                    json.dumps({"url": local_url(listener, settings.server), "pid": os.getpid()})
                )
                sys.stdout.flush()
                yield

        asyncio.run(_serve(ours, store, KeyStore(store.keys), _Door(listener, None), ready))


if __name__ == "__main__":
    main(*sys.argv[1:])
