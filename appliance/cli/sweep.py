"""`appliance sweep`: many procedures, planned and carried out together."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import click

from appliance.cli._activity_log import record_activity
from appliance.cli._app import CLEAN, Invocation, Noun, pass_invocation
from appliance.cli._history import history, store_if_any
from appliance.cli._options import (
    ReportOptions,
    Selection,
    collect_options,
    options,
    report_options,
    selection_options,
)
from appliance.cli._output import data_console, json_option, print_table, talk, write_json
from appliance.cli._progress import lasting
from appliance.cli._remote import server_of
from appliance.cli._summary import counted, print_run
from appliance.config import Settings
from appliance.core.causes import Cause, CauseKind
from appliance.core.clock import SystemClock, local_time
from appliance.core.errors import SetupError
from appliance.core.result import RunResult
from appliance.core.result_json import result_document
from appliance.core.window import zone_of
from appliance.engine.request import RunKind
from appliance.server.permissions import Permission
from appliance.store.store import Store
from appliance.store.sweeps import OVER, SweepRow

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.engine.control import ControlSignal
    from appliance.engine.plan import Plan
    from appliance.engine.status import SweepStatus

_ALL = 1_000_000
"""More runs than any store has."""


@click.group("sweep", cls=Noun, later=("simulate",))
def command() -> None:
    """Verify all that is due, the most urgent first, over many nights if need be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long a sweep may be, in place of what the settings say."""

    budget: float | None = None
    deadline: str | None = None


limit_options = options(
    click.option("--budget", type=float, metavar="MINUTES", help="Plan no more than this."),
    click.option(
        "--deadline",
        metavar="HH:MM",
        help="Be over by then; the next sweep takes the rest [default: as in the settings].",
    ),
)
"""The options of `Limits`."""
until_option = click.option(
    "--until",
    metavar="HH:MM",
    help="Stop at that time and go on at the next start [default: the settings' window].",
)
select = selection_options("Only these, due or not. May be repeated.")


@command.command("plan")
@select
@limit_options
@json_option
@pass_invocation
@collect_options(Selection, Limits)
def plan_command(
    invocation: Invocation, selection: Selection, limits: Limits, as_json: bool
) -> None:
    """Show what `sweep start` would verify, and why. Nothing is run or kept."""
    from appliance.cli._local import planner

    settings = _settings(invocation, selection.console, limits)
    with store_if_any(settings) as store, planner(settings, store) as plans:
        plan = plans.plan(selection.request(RunKind.SWEEP, settings.console))
    if as_json:
        write_json(plan)
        return
    _print_plan(plan, settings)


@command.command("start")
@select
@limit_options
@json_option
@until_option
@report_options
@pass_invocation
@collect_options(Selection, ReportOptions, Limits)
def start(
    invocation: Invocation,
    selection: Selection,
    options: ReportOptions,
    limits: Limits,
    until: str | None,
) -> int:
    """Plan a sweep and run it; or go on with the one that the same command has begun."""
    from appliance.cli._local import closing, planner
    from appliance.cli._served import sweep_at, sweep_with
    from appliance.engine.problems import NothingToDo

    settings = _settings(invocation, selection.console, limits)
    if server := server_of(settings):
        if selection.checks or until or limits != Limits():
            raise SetupError(
                "--checks, --until, --budget and --deadline are the server's own: see its settings"
            )
        run = sweep_with(server, selection)
        return _show(run, sweep_at(server, run.id), settings, options)
    closes = closing(settings, until)
    request = selection.request(RunKind.SWEEP, settings.console)
    with Store.open(settings.data_dir) as store, planner(settings, store) as plans:
        try:
            row, plan = plans.keep(request)
        except NothingToDo as nothing:
            if nothing.plan is None:
                raise
            return _nothing_due(nothing.plan, options.as_json)
        if row.is_held:
            raise SetupError(
                f"sweep {row.id} of these documents is paused: `appliance sweep resume` goes on,"
                " `appliance sweep cancel` ends it."
            )
        record_activity(store, Permission.START_RUN if plan else Permission.RESUME_RUN, row.id)
    talk(f"{_due(plan, settings)}." if plan else f"Going on with sweep {row.id}.")
    return _run(settings, row, closes, options)


@command.command("resume")
@click.argument("sweep_id", metavar="[SWEEP]", required=False)
@json_option
@until_option
@report_options
@pass_invocation
@collect_options(ReportOptions)
def resume(
    invocation: Invocation, options: ReportOptions, sweep_id: str | None, until: str | None
) -> int:
    """Go on with a sweep that was paused or stopped: the latest, or the one that begins so."""
    from appliance.cli._local import closing
    from appliance.cli._served import control_sweep
    from appliance.engine.queue import sweep_of

    settings = invocation.settings()
    if server := server_of(settings):
        _show_status(control_sweep(server, sweep_id, "resume"), options.as_json)
        return CLEAN
    with history(settings) as store:
        sweep = sweep_of(store.sweeps, sweep_id)
        if sweep.state in OVER:
            raise SetupError(f"sweep {sweep.id} is {sweep.state}: there is nothing to go on with.")
        record_activity(store, Permission.RESUME_RUN, sweep.id)
    closes = closing(settings, until)
    return _run(settings, sweep, closes, options)


@command.command("status")
@click.argument("sweep_id", metavar="[SWEEP]", required=False)
@json_option
@pass_invocation
def status(invocation: Invocation, sweep_id: str | None, as_json: bool) -> None:
    """Show how far a sweep is: the one that runs, else the latest, or the one that begins so."""
    from appliance.cli._served import sweep_at
    from appliance.engine.queue import sweep_of
    from appliance.engine.status import status_of

    settings = invocation.settings()
    server = server_of(settings)
    sweep_status = sweep_at(server, sweep_id) if server else _running(settings, sweep_id)
    if sweep_status is None:
        with history(settings) as store:
            sweep_status = status_of(store, sweep_of(store.sweeps, sweep_id))
    _show_status(sweep_status, as_json)


@command.command("pause")
@click.argument("sweep_id", metavar="[SWEEP]", required=False)
@json_option
@pass_invocation
def pause(invocation: Invocation, sweep_id: str | None, as_json: bool) -> None:
    """Let a sweep finish what is under way and stop, until it is resumed."""
    from appliance.engine.control import ControlSignal

    _control(invocation.settings(), sweep_id, ControlSignal.PAUSE, as_json)


@command.command("cancel")
@click.argument("sweep_id", metavar="[SWEEP]", required=False)
@json_option
@pass_invocation
def cancel(invocation: Invocation, sweep_id: str | None, as_json: bool) -> None:
    """Stop a sweep at once and for good. Its verdicts are kept, what it made is removed."""
    from appliance.engine.control import ControlSignal

    _control(invocation.settings(), sweep_id, ControlSignal.CANCEL, as_json)


@command.command("list")
@click.option("--limit", default=20, show_default=True, help="At most so many, newest first.")
@json_option
@pass_invocation
def list_command(invocation: Invocation, limit: int, as_json: bool) -> None:
    """List sweeps, newest first."""
    from appliance.cli._served import sweeps_of
    from appliance.engine.status import status_of

    settings = invocation.settings()
    rows: Sequence[SweepStatus]
    if server := server_of(settings):
        rows = sweeps_of(server, limit)
    else:
        with history(settings) as store:
            sweeps = [row for row in store.sweeps.latest(_ALL) if row.kind == RunKind.SWEEP]
            rows = [status_of(store, sweep) for sweep in sweeps[:limit]]
    if as_json:
        write_json(rows)
        return
    cells = []
    for row in rows:
        progress = f"{row['done']} of {row['total']}"
        cells.append((row["id"], row["console"], row["state"], progress, _why(row)))
    print_table(("Sweep", "Console", "State", "Done", "Why"), cells)


def _settings(invocation: Invocation, console: str | None, limits: Limits) -> Settings:
    return invocation.settings(
        {
            "console": console or None,
            "sweep.budget_minutes": limits.budget,
            "sweep.deadline": limits.deadline,
        }
    )


def _run(
    settings: Settings, sweep: SweepRow, closes: datetime | None, options: ReportOptions
) -> int:
    from appliance.cli._local import sweep_here

    outcome = sweep_here(settings, sweep, closes)
    return _show(outcome.run, outcome.status, settings, options)


def _show(run: RunResult, status: "SweepStatus", settings: Settings, options: ReportOptions) -> int:
    from appliance.cli._reporting import exit_code, write_run

    files = write_run(run, settings, options)
    if options.as_json:
        write_json({"sweep": dict(status), **result_document(run)})
    else:
        print_run(run, data_console())
        _show_status(status, as_json=False)
    for file in files:
        talk(f"Written: {file}")
    return exit_code(run, strict=options.strict)


def _nothing_due(plan: "Plan", as_json: bool) -> int:
    """No alarm: what is not due was verified, lately, and of this very text."""
    if as_json:
        write_json({"sweep": None, "plan": plan})
    if not plan.fresh:
        raise SetupError(f"nothing to verify: {plan.left_out[0].why}.")
    talk(f"Nothing is due: {counted(plan.fresh, 'procedure')} verified not long ago.")
    return CLEAN


def _running(settings: Settings, sweep_prefix: str | None) -> "SweepStatus | None":
    """What the running sweep says of itself, where it is the one that is meant."""
    from appliance.engine.control import Control

    status = Control.of(settings.data_dir).running()
    return status if status and status["id"].startswith(sweep_prefix or "") else None


def _control(
    settings: Settings, sweep_prefix: str | None, signal: "ControlSignal", as_json: bool
) -> None:
    from appliance.cli._served import control_sweep
    from appliance.engine.control import Control, ControlSignal
    from appliance.engine.executor import cancel_unbegun
    from appliance.engine.queue import sweep_of
    from appliance.engine.status import status_of

    if server := server_of(settings):
        _show_status(control_sweep(server, sweep_prefix, signal.value), as_json)
        return
    running = _running(settings, sweep_prefix)
    if running is not None:
        Control.of(settings.data_dir).ask(running["id"], signal)
        effect = "finishes what is under way" if signal is ControlSignal.PAUSE else "stops"
        talk(f"Sweep {running['id']} {effect}.")
        _show_status(running, as_json)
        return
    with history(settings) as store:
        sweep = sweep_of(store.sweeps, sweep_prefix)
        if sweep.state in OVER:
            raise SetupError(f"sweep {sweep.id} is {sweep.state} already.")
        now = SystemClock().now()
        if signal is ControlSignal.CANCEL:
            cancel_unbegun(store, sweep, "cancelled by hand", now)
        else:
            store.sweeps.pause(sweep.id, Cause(CauseKind.BY_HAND, "paused by hand"), now)
        is_cancelled = signal is ControlSignal.CANCEL
        permission = Permission.CANCEL_RUN if is_cancelled else Permission.PAUSE_RUN
        record_activity(store, permission, sweep.id)
        _show_status(status_of(store, store.sweeps.get(sweep.id) or sweep), as_json)


def _print_plan(plan: "Plan", settings: Settings) -> None:
    cells, late = [], frozenset(plan.not_tonight)
    for item in plan.items:
        where = f"{item.document}:{item.line}"
        takes = f"{lasting(item.estimate_s)}{', not tonight' if item.id in late else ''}"
        cells.append((item.reason, item.why, item.title, where, takes))
    print_table(("Due", "Why", "Procedure", "Where", "Estimate"), cells)
    for omitted in plan.left_out:
        talk(f"Left out: {omitted.title}: {omitted.why}.")
    talk(f"{_due(plan, settings)}; {plan.fresh} verified not long ago.")
    if plan.tokens or plan.resource_cost:
        spent = f"{plan.tokens:.0f} model tokens, {plan.resource_cost:.2f} for resources"
        talk(f"As earlier: {spent}; {counted(plan.unknown, 'procedure')} unknown, counted as 0.")


def _due(plan: "Plan", settings: Settings) -> str:
    """How much there is to do, how long that takes, and for what there is no time."""
    due = f"{counted(len(plan.items), 'procedure')} due, {lasting(plan.seconds)}"
    if plan.deadline is None or not plan.not_tonight:
        return due
    at = local_time(plan.deadline, zone_of(settings.sweep.time_zone))
    late = counted(len(plan.not_tonight), "procedure")
    return f"{due}; {late} will not be reached before {at}, as it looks"


def _show_status(status: "SweepStatus", as_json: bool) -> None:
    if as_json:
        write_json(status)
        return
    seconds_left, rate = status.get("seconds_left"), status.get("rate_per_minute")
    pace = f" · {rate:.1f} a minute" if isinstance(rate, float) else ""
    pace += f" · {lasting(seconds_left)} left" if isinstance(seconds_left, float) else ""
    counts = ", ".join(f"{n} {verdict}" for verdict, n in status.get("verdicts", {}).items())
    progress = f"{status.get('done', 0)} of {status.get('total', '?')} done"
    progress += f" ({counts})" if counts else ""
    if left_over := status.get("not_reached"):
        progress += f", {left_over} not reached"
    data_console().print(f"Sweep {status['id']} {status['state']}{_why(status)}: {progress}{pace}")


def _why(status: "SweepStatus") -> str:
    why = status.get("why")
    if status.get("paused_for") not in (None, CauseKind.BY_HAND):
        goes_on = "by itself" if status.get("pid") else "at the next start"
        why = f"{why}; it goes on {goes_on}"
    return f" ({why})" if why else ""
