"""`appliance run`: earlier runs."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from typing import TYPE_CHECKING

import click

from appliance.cli._app import Invocation, Noun, pass_invocation
from appliance.cli._history import LocalRecords, history, records, run_id_of
from appliance.cli._output import (
    data_console,
    json_option,
    print_table,
    talk,
    write_json,
)
from appliance.cli._remote import server_of
from appliance.cli._summary import counted, print_run
from appliance.cli._times import local_time
from appliance.config import Settings
from appliance.core.blocking import in_thread
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.result import ProcedureResult
from appliance.core.result_json import result_document
from appliance.store.pending import PendingRow
from appliance.store.store import Store

if TYPE_CHECKING:
    from appliance.engine.settling import Settled


@click.group("run", cls=Noun, later=("propose",))
def command() -> None:
    """List earlier runs, show their results, and propose their corrections."""


@command.command("list")
@click.option("--limit", default=20, show_default=True, help="At most so many, newest first.")
@json_option
@pass_invocation
def list_command(invocation: Invocation, limit: int, as_json: bool) -> None:
    """List runs, newest first."""
    with records(invocation.settings()) as history:
        rows = history.runs(limit)
    if as_json:
        write_json(rows)
        return
    names = ("verified", "drifted", "broken", "blocked", "undecided", "findings")
    cells = []
    for row in rows:
        counts = (getattr(row.summary, name) or "" for name in names)
        progress = f"{row.summary.procedures}{'' if row.is_finished else f' of {row.planned}'}"
        cells.append((row.id, local_time(row.started_at), row.console, progress, *counts))
    plain, figures = ("Run", "Started", "Console", "Procedures"), [n.capitalize() for n in names]
    print_table((*plain, *figures), cells, right=figures, whole=plain)


@command.command("show")
@click.argument("run_id", metavar="[RUN]", required=False)
@json_option
@pass_invocation
def show(invocation: Invocation, run_id: str | None, as_json: bool) -> None:
    """Show a run: the latest, or the one whose id begins with RUN."""
    with records(invocation.settings()) as history:
        run = history.load_run(run_id_of(history, run_id))
    if as_json:
        write_json(result_document(run))
    else:
        print_run(run, data_console())


@command.command("settle")
@click.argument("run_id", metavar="[RUN]", required=False)
@json_option
@pass_invocation
def settle_command(invocation: Invocation, run_id: str | None, as_json: bool) -> None:
    """Ask late audit logs again for verdicts that wait for them: all, or those of a run.

    A server does so by itself every few minutes.
    """
    settings = invocation.settings()
    if server := server_of(settings):
        raise SetupError(
            f"the server at {server.url} asks late audit logs by itself: see its schedule `settle`"
        )
    with history(settings) as store:
        chosen_id = run_id_of(LocalRecords(store), run_id) if run_id else None
        settled = asyncio.run(_settle(settings, store, chosen_id))
        waiting = store.pending.all(chosen_id)
    if as_json:
        write_json({"settled": settled, "waiting": _until(waiting)})
        return
    for settled_run in settled:
        data_console().print(
            f"{settled_run.verdict}  {settled_run.procedure_id}  {settled_run.why}", markup=False
        )
    talk(f"{counted(len(settled), 'verdict')} settled.")
    for id, until in _until(waiting).items():
        talk(f"{id} waits until {local_time(until)}.")


async def _settle(settings: Settings, store: Store, run_id: str | None) -> "tuple[Settled, ...]":
    """With every console opened that one waits for; one that does not open waits on."""
    # Slow to import: to list runs takes neither.
    from appliance.consoles import configured_console
    from appliance.engine.settling import settle

    async with AsyncExitStack() as stack:
        consoles = {}
        waiting = await asyncio.to_thread(store.pending.all, run_id)
        for name in {row.console for row in waiting} & settings.consoles.keys():
            console = await asyncio.to_thread(configured_console, settings, name, store)
            stack.push_async_callback(console.close)
            consoles[name] = console

        async def keep(run_id: str, result: ProcedureResult) -> None:
            await in_thread(store.save_procedure, run_id, result)

        return await settle(store, consoles, SystemClock().now(), keep, run_id)


def _until(waiting: Sequence[PendingRow]) -> dict[str, datetime]:
    return {row.procedure_id: row.deadline for row in waiting}
