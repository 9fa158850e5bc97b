"""`appliance schedule`: what is done by the clock, when, and what became of it."""

import time
from collections.abc import Iterator
from typing import Any

import click

from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, Noun, pass_invocation
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._remote import RemoteServer, server_of
from appliance.cli._times import local_time
from appliance.config import Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.engine.schedules.state import in_force, schedules_of, when

_POLL_S = 0.5
_FAILURES = ("failed", "died")


@click.group("schedule", cls=Noun)
def command() -> None:
    """List the scheduled jobs, and run one now.

    Schedules stand in the settings; others are added over REST or on the dashboard.
    """


@command.command("list")
@json_option
@pass_invocation
def list_command(invocation: Invocation, as_json: bool) -> None:
    """List schedules with their next time and what became of the last."""
    settings = invocation.settings()
    server = server_of(settings)
    rows = server.get("/schedules")["items"] if server else list(_of_settings(settings))
    if as_json:
        write_json(rows)
        return
    cells = []
    for row in rows:
        outcome = f"{row['last_outcome']}: {row['last_why']}" if row["last_outcome"] else ""
        next_at = local_time(row["next_at"]) if row["is_enabled"] else "off"
        times = next_at, local_time(row["last_at"])
        cells.append((row["name"], row["job"], row["when"], *times, outcome))
    print_table(("schedule", "job", "when", "next", "last", "outcome"), cells)
    if server is None:
        talk("No server runs: nothing is done before `appliance serve` is started.")


@command.command("run")
@click.argument("name")
@json_option
@pass_invocation
def run_command(invocation: Invocation, name: str, as_json: bool) -> int:
    """Have a schedule done now, by the running server, and wait until it is."""
    settings = invocation.settings()
    server = server_of(settings)
    if server is None:
        raise SetupError("no server runs that could do it: start `appliance serve`.")
    run = _wait_for_end(server, name, server.post(f"/schedules/{name}/runs")["id"])
    if as_json:
        write_json(run)
    else:
        click.echo(f"{name}: {run['outcome']}: {run['why']}")
    return COULD_NOT_RUN if run["outcome"] in _FAILURES else CLEAN


def _wait_for_end(server: RemoteServer, name: str, run_id: str) -> Any:  # Any: JSON
    while True:
        for run in server.get(f"/schedules/{name}/runs")["items"]:
            if run["id"] == run_id and run["outcome"] != "running":
                return run
        time.sleep(_POLL_S)


def _of_settings(settings: Settings) -> Iterator[dict[str, Any]]:  # Any: JSON
    now = SystemClock().now()
    schedules = schedules_of(settings, ())
    for name, one in in_force(settings, schedules, dict.fromkeys(schedules, now)).items():
        next_at = one.timetable.next(now) if one.timetable and one.settings.is_enabled else None
        yield {
            "name": name,
            "job": one.settings.job,
            "console": one.settings.console or settings.console,
            "when": when(one.settings, settings),
            "next_at": next_at.isoformat() if next_at else None,
            "last_at": None,
            "last_outcome": None,
            "last_why": "",
            "is_enabled": one.settings.is_enabled,
        }
