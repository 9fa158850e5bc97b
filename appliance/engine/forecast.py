"""Forecast the duration of a sweep's night from earlier durations of procedures."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING

from appliance.config import ConsoleSettings, Settings
from appliance.engine.night import Accounts, night_s
from appliance.engine.packing import NO_LIMIT, Farm, packed
from appliance.engine.plan import UNKNOWN_S, History
from appliance.engine.request import RunRequest
from appliance.engine.simulation import enough, simulate

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.engine.planner import Planner


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
    """None: until the settings' deadline, else as long as their window, if there is one."""


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
    not_reached: int
    """Procedures that would not be over by the deadline, and so would not be begun."""
    needed: Needed | None
    """None: there is no deadline, or one procedure takes longer."""


def forecast(plans: "Planner", request: RunRequest, wish: Wish) -> NightForecast:
    """Simulate a night in which every procedure of the request is due.

    Raises:
        SetupError: The request is wrong.
    """
    settings = plans.settings
    name = settings.console_name(request.console)
    console = settings.consoles[name]
    accounts = Accounts(name, console, wish.accounts)
    due, history = plans.everything(request, accounts), plans.history(name)
    measured = sum(candidate.item.id in history.spent for candidate in due)
    jobs = list(islice(cycle(candidate.job for candidate in due), wish.procedures or len(due)))
    asks_model = any(job.model_s for job in jobs)
    at_a_time, model = _at_a_time(settings), settings.model.server.max_parallel
    farm = Farm(
        places=wish.nodes * at_a_time,
        accounts=accounts.limits,
        model=wish.gpus * model if asks_model else NO_LIMIT,
    )
    jobs = [jobs[place] for place in packed(jobs, farm)]
    deadline_s = wish.deadline_s or night_s(settings, plans.clock.now())
    night = simulate(jobs, farm)
    is_in_time = night.seconds <= deadline_s if deadline_s else None
    least = enough(jobs, farm, deadline_s) if deadline_s else None
    return NightForecast(
        procedures=len(jobs),
        nodes=wish.nodes,
        at_a_time=at_a_time,
        seconds=night.seconds,
        work_s=sum(job.seconds for job in jobs),
        measured=measured,
        assumed=tuple(_assumed(len(due), measured, history, wish, console)),
        busy=night.busy,
        waited_s=night.waited_s,
        waits_for=night.bottleneck,
        deadline_s=deadline_s,
        is_in_time=is_in_time,
        not_reached=len(simulate(jobs, farm, deadline_s).beyond) if deadline_s else 0,
        needed=Needed(
            nodes=math.ceil(least.places / at_a_time),
            accounts=least.accounts,
            gpus=math.ceil(least.model / model) if asks_model else 0,
        )
        if least
        else None,
    )


def _at_a_time(settings: Settings) -> int:
    """How many procedures are under way on each machine."""
    from appliance.engine.planner import lanes

    execution = settings.execution
    return execution.workers if execution.engine == "ray" else lanes(settings)


def _assumed(
    procedures: int, measured: int, history: History, wish: Wish, console: ConsoleSettings
) -> Iterator[str]:
    unknown = procedures - measured
    if unknown and history.typical:
        yield (
            f"{unknown} procedures were never carried out: each is taken to last as long as the"
            f" median of the others, {history.typical.seconds:.0f} s"
        )
    elif unknown:
        yield f"nothing was carried out yet: each procedure is taken to last {UNKNOWN_S:.0f} s"
    if wish.procedures and wish.procedures > procedures:
        yield (
            f"the documentation has {procedures} procedures: they are taken again and again"
            f" until there are {wish.procedures}"
        )
    if not console.identities and wish.accounts is None:
        yield "the settings name no accounts: there are as many as are needed"
    yield "nothing fails, and machines are as quick as the one that measured"
