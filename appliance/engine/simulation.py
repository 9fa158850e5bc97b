"""Simulates a night of a sweep: how long it takes and what it waits for.

Procedures take their turn as in `executor.py`, by the same `packing.Turns`: the first whose account
is free takes a place on a machine. A question to a model takes one of the model's places meanwhile.
Nothing fails, and no machine is slower for being full.
"""

import heapq
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import NamedTuple

from appliance.engine.packing import NO_LIMIT, Farm, Job, Turns

PLACES, MODEL = "machines", "model"


class Begun(NamedTuple):
    """A job that was started."""

    place: int
    """In the list."""
    at_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """How the night goes."""

    seconds: float
    """From its beginning to its last verdict."""
    busy: Mapping[str, float]
    """What share of the time each resource is used, of 1."""
    waited_s: Mapping[str, float]
    """Seconds that free places waited for accounts, or procedures under way for the model."""
    begun: tuple[Begun, ...] = ()
    """In the order in which they were begun."""
    beyond: tuple[int, ...] = ()
    """Places in the list of the jobs for which there was no time before the deadline."""

    @property
    def bottleneck(self) -> str:
        """What is used most: the night waits for it; empty: there was nothing to do."""
        return max(self.busy, key=lambda name: self.busy[name], default="")


@dataclass(slots=True)
class _Usage:
    """How much of one resource is in use."""

    limit: int
    now: int = 0
    """Units in use."""
    used_s: float = 0.0
    waited_s: float = 0.0

    @property
    def is_free(self) -> bool:
        """Whether a unit is free."""
        return self.now < self.limit


@dataclass(slots=True)
class _Night:
    """The state of one simulated night."""

    jobs: Sequence[Job]
    turns: Turns[int, str]
    places: _Usage
    model: _Usage
    accounts: Mapping[str, _Usage]
    deadline_s: float
    now: float = 0.0
    events: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    begun: list[Begun] = field(default_factory=list)
    asking: deque[tuple[float, Job]] = field(default_factory=deque)
    numbers: "count[int]" = field(default_factory=count)

    def begin(self) -> None:
        """Start all jobs that can start now, in the order of their turns."""
        while self.places.is_free:
            left_s = self.deadline_s - self.now
            index = self.turns.next(lambda account: self.accounts[account].is_free, left_s)
            if index is None:
                return
            self.begun.append(Begun(index, self.now))
            job = self.jobs[index]
            for usage in (self.places, self.accounts[job.account]):
                usage.now += 1
            if job.model_s:
                self._after((job.seconds - job.model_s) / 2, partial(self._ask, job))
            else:
                self._after(job.seconds, partial(self._end, job, self.now))

    def pass_to(self, at_s: float) -> None:
        """Advance the clock, counting the time that idle places waited for accounts."""
        elapsed_s, self.now = at_s - self.now, at_s
        if idle := self.places.limit - self.places.now:
            for account, number in self.turns.waiting():
                self.accounts[account].waited_s += min(idle, number) * elapsed_s

    def _ask(self, job: Job) -> None:
        self.asking.append((self.now, job))
        self._answer()

    def _answer(self) -> None:
        while self.asking and self.model.is_free:
            since, job = self.asking.popleft()
            self.model.waited_s += self.now - since
            self.model.used_s += job.model_s
            self.model.now += 1
            began = since - (job.seconds - job.model_s) / 2
            self._after(job.model_s, partial(self._go_on, job, began))

    def _go_on(self, job: Job, began: float) -> None:
        self.model.now -= 1
        self._after((job.seconds - job.model_s) / 2, partial(self._end, job, began))
        self._answer()

    def _end(self, job: Job, began: float) -> None:
        for usage in (self.places, self.accounts[job.account]):
            usage.now -= 1
            usage.used_s += self.now - began

    def _after(self, seconds: float, callback: Callable[[], None]) -> None:
        heapq.heappush(self.events, (self.now + seconds, next(self.numbers), callback))


def simulate(jobs: Sequence[Job], farm: Farm, deadline_s: float = math.inf) -> Forecast:
    """Simulate a night that works off this list; see `packing.packed`.

    Args:
        jobs: The list.
        farm: The resources at hand.
        deadline_s: Nothing is started that would not end by then.
    """
    turns = Turns(
        range(len(jobs)), lambda index: jobs[index].account, lambda index: jobs[index].seconds
    )
    accounts = {
        account: _Usage(farm.accounts.get(account, NO_LIMIT))
        for account in {job.account for job in jobs}
    }
    places, model = _Usage(farm.places), _Usage(farm.model)
    night = _Night(jobs, turns, places, model, accounts, deadline_s)
    night.begin()
    while night.events:
        at_s, _, callback = heapq.heappop(night.events)
        night.pass_to(at_s)
        callback()
        if not night.events or night.events[0][0] > at_s:  # all that is free by now
            night.begin()
    usages = {PLACES: places, MODEL: model} | {
        _account_resource(name): usage for name, usage in accounts.items()
    }
    return Forecast(
        seconds=night.now,
        busy={
            name: usage.used_s / night.now / usage.limit
            for name, usage in usages.items()
            if night.now and usage.used_s and usage.limit < NO_LIMIT
        },
        waited_s={name: usage.waited_s for name, usage in usages.items() if usage.waited_s > 0},
        begun=tuple(night.begun),
        beyond=tuple(sorted(turns.beyond)),
    )


def enough(jobs: Sequence[Job], farm: Farm, deadline_s: float) -> Farm | None:
    """The smallest farm with which the night ends in time; None if none is large enough.

    Each is the least with no limit on the rest; then whatever is used most is added to, until all
    of it together is enough.
    """
    if max((job.seconds for job in jobs), default=0.0) > deadline_s:
        return None
    enlarged = Farm(
        places=_least(jobs, deadline_s, lambda number: Farm(places=number)),
        accounts={
            name: _least(
                [job for job in jobs if job.account == name],
                deadline_s,
                lambda number, name=name: Farm(places=NO_LIMIT, accounts={name: number}),  # type: ignore[misc]
            )
            for name in farm.accounts
        },
        model=_least(
            jobs, deadline_s, lambda number: Farm(places=NO_LIMIT, model=number), of_model=True
        )
        if farm.model < NO_LIMIT
        else NO_LIMIT,
    )
    while (night := simulate(jobs, enlarged)).seconds > deadline_s:
        enlarged = _with_more(enlarged, night.bottleneck)
    return enlarged


def _least(
    jobs: Sequence[Job], deadline_s: float, farm: Callable[[int], Farm], *, of_model: bool = False
) -> int:
    """The least number that suffices, searched upwards in steps of one, or 1 % above 100."""
    work_s = sum(job.model_s if of_model else job.seconds for job in jobs)
    number = max(1, math.ceil(work_s / deadline_s))
    while simulate(jobs, farm(number)).seconds > deadline_s:
        number += max(1, number // 100)
    return number


def _with_more(farm: Farm, resource: str) -> Farm:
    """The farm with 5 % more of one resource."""
    if resource == PLACES:
        return replace(farm, places=math.ceil(farm.places * 1.05))
    if resource == MODEL:
        return replace(farm, model=math.ceil(farm.model * 1.05))
    return replace(
        farm,
        accounts={
            name: math.ceil(number * 1.05) if _account_resource(name) == resource else number
            for name, number in farm.accounts.items()
        },
    )


def _account_resource(account: str) -> str:
    """The resource name of a kind of account."""
    return f"accounts {account}".strip()
