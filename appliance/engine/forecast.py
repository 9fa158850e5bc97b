"""What a night of a sweep would take, from what procedures took before."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import cycle, islice

from appliance.config import ConsoleSettings, Settings
from appliance.consoles import fitting_accounts
from appliance.core.errors import ConsoleError
from appliance.documents import ProcedureOutline
from appliance.engine.plan import UNKNOWN_S, History
from appliance.engine.planner import Planner, lanes, window_of
from appliance.engine.request import RunRequest
from appliance.engine.simulation import Farm, Job, enough, simulate


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The night that is asked about."""

    nodes: int = 1
    """Machines."""
    procedures: int | None = None
    """How many, drawn from the documentation's in turn; None: those."""
    accounts: int | None = None
    """How many there are of each kind; None: as the settings say."""
    gpus: int = 1
    """That serve the model, where one is asked."""
    deadline_s: float | None = None
    """None: as long as the settings' window, if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """What would be enough for the deadline."""

    nodes: int
    accounts: Mapping[str, int]
    """By name or role."""
    gpus: int
    """0: no model was asked so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightForecast:
    """How it would go."""

    procedures: int
    nodes: int
    at_a_time: int
    """Procedures under way on each."""
    seconds: float
    """From its beginning to its last verdict."""
    work_s: float
    """Of all procedures, one after the other."""
    measured: int
    """Procedures of the documentation that were carried out before."""
    assumed: tuple[str, ...]
    """What is not measured, in sentences."""
    busy: Mapping[str, float]
    """What share of the time each resource is used, of 1."""
    waited_s: Mapping[str, float]
    """See `simulation.Forecast`."""
    waits_for: str
    """What is used most; empty: there is nothing to do."""
    deadline_s: float | None
    is_in_time: bool | None
    """None: there is no deadline."""
    needed: Needed | None
    """None: there is no deadline, or one procedure takes longer."""


def forecast(plans: Planner, request: RunRequest, wish: Wish) -> NightForecast:
    """Play a night through in which every procedure of the request is due.

    Raises:
        SetupError: The request is wrong.
    """
    selection = plans.select(request)
    settings, history = selection.settings, plans.history(selection.settings.console)
    console = settings.consoles[settings.console]
    known = [p for p in selection.procedures if p.id in history.spent]
    jobs = _jobs(selection.procedures, history, console, settings.console)
    jobs = list(islice(cycle(jobs), wish.procedures or len(jobs)))
    asks_model = any(job.model_s for job in jobs)
    at_a_time, model = lanes(settings), settings.model.server.max_parallel
    farm = Farm(
        places=wish.nodes * at_a_time,
        accounts=_accounts(jobs, console, settings.console, wish.accounts),
        **({"model": wish.gpus * model} if asks_model else {}),
    )
    night = simulate(jobs, farm)
    deadline_s = wish.deadline_s or _window_s(settings)
    least = enough(jobs, farm, deadline_s) if deadline_s else None
    return NightForecast(
        procedures=len(jobs),
        nodes=wish.nodes,
        at_a_time=at_a_time,
        seconds=night.seconds,
        work_s=sum(job.seconds for job in jobs),
        measured=len(known),
        assumed=tuple(_assumed(selection.procedures, len(known), history, console, wish)),
        busy=night.busy,
        waited_s=night.waited_s,
        waits_for=night.bottleneck,
        deadline_s=deadline_s,
        is_in_time=night.seconds <= deadline_s if deadline_s else None,
        needed=Needed(
            nodes=math.ceil(least.places / at_a_time),
            accounts=least.accounts,
            gpus=math.ceil(least.model / model) if asks_model else 0,
        )
        if least
        else None,
    )


def _jobs(
    procedures: Sequence[ProcedureOutline], history: History, console: ConsoleSettings, name: str
) -> list[Job]:
    jobs = []
    for one in procedures:
        spent = history.spent.get(one.id, history.typical)
        seconds, model_s = (spent.seconds, spent.model_s) if spent else (UNKNOWN_S, 0.0)
        kind = _kind(console, name, one.account)
        jobs.append(Job(seconds, min(model_s, seconds), kind))
    return jobs


def _kind(console: ConsoleSettings, name: str, wanted: str) -> str:
    """What its accounts are called: a name, or the role of all that fit."""
    try:
        first, *more = fitting_accounts(name, console.identities, wanted or None)
    except ConsoleError:
        return wanted
    return first.settings.role if more or first.name != wanted else wanted


def _accounts(
    jobs: Sequence[Job], console: ConsoleSettings, name: str, number: int | None
) -> dict[str, int]:
    """How many there are of each kind; those that several procedures may share have no limit."""
    limits = {}
    for kind in dict.fromkeys(job.account for job in jobs):
        try:
            fitting = fitting_accounts(name, console.identities, kind or None)
        except ConsoleError:
            fitting = ()
        if any(one.settings.is_shareable for one in fitting):
            continue
        if count := number or len(fitting):
            limits[kind] = count
    return limits


def _window_s(settings: Settings) -> float | None:
    window = window_of(settings)
    if window is None:
        return None
    opens, closes = (datetime.combine(date.min, one) for one in (window.opens, window.closes))
    return ((closes - opens) % timedelta(days=1)).total_seconds() or timedelta(
        days=1
    ).total_seconds()


def _assumed(
    procedures: Sequence[ProcedureOutline],
    measured: int,
    history: History,
    console: ConsoleSettings,
    wish: Wish,
) -> Iterator[str]:
    unknown = len(procedures) - measured
    if unknown and history.typical:
        yield (
            f"{unknown} procedures were never carried out: each is taken to last as long as the"
            f" median of the others, {history.typical.seconds:.0f} s"
        )
    elif unknown:
        yield f"nothing was carried out yet: each procedure is taken to last {UNKNOWN_S:.0f} s"
    if wish.procedures and wish.procedures > len(procedures):
        yield (
            f"the documentation has {len(procedures)} procedures: they are taken again and again"
            f" until there are {wish.procedures}"
        )
    if not console.identities and wish.accounts is None:
        yield "the settings name no accounts: there are as many as are needed"
    yield "nothing fails, and machines are as quick as the one that measured"
