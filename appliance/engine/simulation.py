"""A night of a sweep, played through ahead: what it takes, and what it waits for.

Procedures take their turn as in `executor.py`: the first whose account is free takes a place on a
machine. A question to a model takes one of the model's places meanwhile. Nothing fails, and no
machine is slower for being full.
"""

import heapq
import math
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

PLACES, MODEL = "machines", "model"
_MOST = 1_000_000
"""Of anything: as good as no limit."""


@dataclass(frozen=True, slots=True)
class Job:
    """One procedure."""

    seconds: float
    """In all, once it has its account."""
    model_s: float = 0.0
    """Of these, waiting for answers of a model."""
    account: str = ""
    """Name or role that it asks for; empty: any like the default one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Farm:
    """What there is to work with."""

    places: int
    """Procedures under way at a time, on all machines together."""
    accounts: Mapping[str, int] = field(default_factory=dict)
    """How many procedures may be under way that ask for it; what is not named here has no limit."""
    model: int = _MOST
    """Questions that models answer at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """How the night goes."""

    seconds: float
    """From its beginning to its last verdict."""
    busy: Mapping[str, float]
    """What share of the time each resource is used, of 1."""
    waited_s: Mapping[str, float]
    """Seconds that free places waited for accounts, or procedures under way for the model."""

    @property
    def bottleneck(self) -> str:
        """What is used most: the night waits for it; empty: there was nothing to do."""
        return max(self.busy, key=lambda name: self.busy[name], default="")


@dataclass(slots=True)
class _Night:
    """The state of one night."""

    farm: Farm
    waiting: dict[str, deque[tuple[int, Job]]]
    now: float = 0.0
    events: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    used: Counter[str] = field(default_factory=Counter)
    in_use: Counter[str] = field(default_factory=Counter)
    waited: dict[str, float] = field(default_factory=dict)
    asking: deque[tuple[float, Job]] = field(default_factory=deque)
    numbers: "count[int]" = field(default_factory=count)

    def begin(self) -> None:
        """Begin what may be begun now, the first first."""
        while self.in_use[PLACES] < self.farm.places:
            free = [
                (jobs[0][0], name)
                for name, jobs in self.waiting.items()
                if jobs and self.in_use[_of(name)] < self.farm.accounts.get(name, _MOST)
            ]
            if not free:
                return
            _, job = self.waiting[min(free)[1]].popleft()
            self.in_use.update((PLACES, _of(job.account)))
            self._after((job.seconds - job.model_s) / 2, lambda job=job: self._ask(job))  # type: ignore[misc]

    def pass_to(self, then: float) -> None:
        """Time passes."""
        took, self.now = then - self.now, then
        for name, number in self.in_use.items():
            self.used[name] += number * took  # type: ignore[assignment]
        idle = self.farm.places - self.in_use[PLACES]
        for name, jobs in self.waiting.items():
            if jobs and idle:
                of = _of(name)
                self.waited[of] = self.waited.get(of, 0.0) + min(idle, len(jobs)) * took

    def _ask(self, job: Job) -> None:
        self.asking.append((self.now, job))
        self._answer()

    def _answer(self) -> None:
        while self.asking and self.in_use[MODEL] < self.farm.model:
            since, job = self.asking.popleft()
            self.waited[MODEL] = self.waited.get(MODEL, 0.0) + self.now - since
            self.in_use[MODEL] += 1
            self._after(job.model_s, lambda job=job: self._go_on(job))  # type: ignore[misc]

    def _go_on(self, job: Job) -> None:
        self.in_use[MODEL] -= 1
        self._after((job.seconds - job.model_s) / 2, lambda: self._end(job))
        self._answer()

    def _end(self, job: Job) -> None:
        self.in_use.subtract((PLACES, _of(job.account)))
        self.begin()

    def _after(self, seconds: float, what: Callable[[], None]) -> None:
        heapq.heappush(self.events, (self.now + seconds, next(self.numbers), what))


def simulate(jobs: Sequence[Job], farm: Farm) -> Forecast:
    """Play a night through, in the order of the jobs."""
    waiting: dict[str, deque[tuple[int, Job]]] = {}
    for place, job in enumerate(jobs):
        waiting.setdefault(job.account, deque()).append((place, job))
    night = _Night(farm, waiting)
    night.begin()
    while night.events:
        then, _, what = heapq.heappop(night.events)
        night.pass_to(then)
        what()
    limits = {PLACES: farm.places, MODEL: farm.model}
    limits |= {_of(name): number for name, number in farm.accounts.items()}
    return Forecast(
        seconds=night.now,
        busy={
            name: night.used[name] / night.now / limit
            for name, limit in limits.items()
            if night.now and night.used[name] and limit < _MOST
        },
        waited_s={name: waited for name, waited in night.waited.items() if waited > 0},
    )


def enough(jobs: Sequence[Job], farm: Farm, deadline_s: float) -> Farm | None:
    """The least of everything with which the night ends in time; None: no number is enough.

    Each is the least with no limit on the rest; then whatever is used most is added to, until all
    of it together is enough.
    """
    if max((job.seconds for job in jobs), default=0.0) > deadline_s:
        return None
    found = Farm(
        places=_least(jobs, deadline_s, lambda n: Farm(places=n)),
        accounts={
            name: _least(
                [job for job in jobs if job.account == name],
                deadline_s,
                lambda n, name=name: Farm(places=_MOST, accounts={name: n}),  # type: ignore[misc]
            )
            for name in farm.accounts
        },
        model=_least(jobs, deadline_s, lambda n: Farm(places=_MOST, model=n), of_model=True)
        if farm.model < _MOST
        else _MOST,
    )
    while (night := simulate(jobs, found)).seconds > deadline_s:
        found = _with_more(found, night.bottleneck)
    return found


def _least(
    jobs: Sequence[Job], deadline_s: float, farm: Callable[[int], Farm], *, of_model: bool = False
) -> int:
    """From what the work alone takes upwards; of more than a hundred, by a hundredth at a time."""
    work_s = sum(job.model_s if of_model else job.seconds for job in jobs)
    number = max(1, math.ceil(work_s / deadline_s))
    while simulate(jobs, farm(number)).seconds > deadline_s:
        number += max(1, number // 100)
    return number


def _with_more(farm: Farm, what: str) -> Farm:
    """A twentieth more of it."""
    if what == PLACES:
        return replace(farm, places=math.ceil(farm.places * 1.05))
    if what == MODEL:
        return replace(farm, model=math.ceil(farm.model * 1.05))
    return replace(
        farm,
        accounts={
            name: math.ceil(number * 1.05) if _of(name) == what else number
            for name, number in farm.accounts.items()
        },
    )


def _of(account: str) -> str:
    """What the accounts that are asked for so are called among resources."""
    return f"accounts {account}".strip()
