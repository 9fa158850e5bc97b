"""`appliance doctor`: whether this machine has what it needs."""

import asyncio
from dataclasses import asdict

import click
from rich.text import Text

from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, pass_invocation
from appliance.cli._check import CheckResult, Status
from appliance.cli._diagnosis import diagnose
from appliance.cli._output import data_console, json_option, write_json
from appliance.config import Loaded

_COLOURS = {Status.OK: "green", Status.WARN: "yellow", Status.FAIL: "red"}


@click.command("doctor")
@json_option
@pass_invocation
def command(invocation: Invocation, as_json: bool) -> int:
    """Check that this machine has what it needs, and say what to do where it has not.

    Looks at Python, the settings, the data folder, the store, shared memory, fonts, the browser,
    the way to each address of the settings with its certificate, the model, the consoles,
    passwords and second factors; and for `serve` at its port, keys, schedules, webhooks and
    notifications. Exit code 2 where something keeps `verify` or `serve` from working.
    """
    checks = asyncio.run(_run(invocation.load(), as_json))
    failed = [check for check in checks if check.status is Status.FAIL]
    if as_json:
        write_json({"ok": not failed, "checks": [asdict(check) for check in checks]})
    return COULD_NOT_RUN if failed else CLEAN


async def _run(loaded: Loaded, as_json: bool) -> list[CheckResult]:
    console = data_console()
    checks = []
    async for check in diagnose(loaded):
        checks.append(check)
        if not as_json:
            console.print(_line(check), soft_wrap=True)
    return checks


def _line(check: CheckResult) -> Text:
    line = Text(check.status.ljust(5), style=_COLOURS[check.status])
    line.append(check.name, style="bold").append(f": {check.says}", style="not bold default")
    return line.append(f"\n      {check.remedy}", style="dim") if check.remedy else line
