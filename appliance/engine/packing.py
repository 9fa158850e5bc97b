"""The order of procedures in a night, shared by the plan, the queue and the simulation.

It is list scheduling (R. L. Graham, "Bounds on Multiprocessing Timing Anomalies", SIAM Journal on
Applied Mathematics 17, 1969): whoever has a place free takes the first of a list that may begin
now. Among what is due alike the longest come first in the list (LPT), lest a long one be left over
when all the others are through.
"""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
A = TypeVar("A", bound=Hashable)

NO_LIMIT = 1_000_000
"""Of anything: as good as none."""
_ALIKE = 4
"""Lengths in so many steps from one to its double count as equal: what else is to be had by the
order, products spread and resources shared, is worth more than such a difference."""


@dataclass(frozen=True, slots=True)
class Job:
    """One procedure, as a night sees it."""

    seconds: float
    """In all, once it has its account."""
    model_s: float = 0.0
    """Of these, waiting for answers of a model."""
    account: str = ""
    """Name or role that it asks for; empty: any like the default one."""
    urgency: tuple[int, int] = (0, 0)
    """The smaller comes first, whatever else is said for another."""
    shares: str = ""
    """What it needs that serves others as well, and is made once for those that follow each other;
    empty: nothing."""
    product: str = ""
    """Part of the console that it works in: what is under way together is to be of different
    ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Farm:
    """What there is to work with."""

    places: int
    """Procedures under way at a time, on all machines together."""
    accounts: Mapping[str, int] = field(default_factory=dict)
    """How many procedures may be under way that ask for it; what is not named here has no limit."""
    model: int = NO_LIMIT
    """Questions that models answer at a time."""


def packed(jobs: Sequence[Job], farm: Farm) -> list[int]:
    """The order for a night, as indices of `jobs`.

    What is more urgent comes first, always. Among equals: what asks for accounts that have more to
    do than places have, since the night waits for these; what shares a resource, one lot after the
    other; the longest; a product by turns with the others; as given.
    """
    work = defaultdict[tuple[int, int], float](float)
    of_account = defaultdict[tuple[tuple[int, int], str], float](float)
    of_lot = defaultdict[tuple[tuple[int, int], str], float](float)
    for job in jobs:
        work[job.urgency] += job.seconds
        of_account[job.urgency, job.account] += job.seconds
        of_lot[job.urgency, job.shares] += job.seconds

    def place_first(urgency: tuple[int, int], account: str) -> float:
        """Sort key: accounts with more seconds of work come first, if that is long."""
        chain = of_account[urgency, account] / farm.accounts.get(account, NO_LIMIT)
        return -chain if chain > work[urgency] / farm.places else 0.0

    first = {key: place_first(*key) for key in of_account}
    before = Counter[Hashable]()
    keys = []
    for place, job in enumerate(jobs):
        urgency, shares = job.urgency, job.shares
        lot = of_lot[urgency, shares] if shares else 0.0
        length = math.floor(_ALIKE * math.log2(job.seconds)) if job.seconds > 0 else -NO_LIMIT
        alike = (*urgency, first[urgency, job.account], -lot, shares, -length)
        turn = (alike, job.product)
        before[turn] += 1
        keys.append((*alike, before[turn], place))
    return [key[-1] for key in sorted(keys)]


class Turns(Generic[T, A]):
    """The waiting items in order, and the choice of the next one."""

    def __init__(
        self,
        waiting: Iterable[T],
        account: Callable[[T], A],
        seconds: Callable[[T], float],
    ) -> None:
        """All wait.

        Args:
            waiting: The items in order.
            account: Returns the account or role that an item needs.
            seconds: Returns the estimated duration of an item.
        """
        self.beyond: list[T] = []
        """Items for which too little time was left."""
        self._seconds = seconds
        self._lines: dict[A, deque[tuple[int, T]]] = {}
        for place, item in enumerate(waiting):
            self._lines.setdefault(account(item), deque()).append((place, item))

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def waiting(self) -> Iterable[tuple[A, int]]:
        """Number of waiting items by the account that they need."""
        return ((account, len(line)) for account, line in self._lines.items())

    def next(self, is_free: Callable[[A], bool], left_s: float = math.inf) -> T | None:
        """Remove and return the first item whose account is free and that would end in time.

        Args:
            is_free: Whether an item that needs this account may begin now.
            left_s: Time left, which must not grow between calls.
        """
        for account, line in tuple(self._lines.items()):
            while line and self._seconds(line[0][1]) > left_s:
                self.beyond.append(line.popleft()[1])
            if not line:
                del self._lines[account]
        free = ((line[0][0], account) for account, line in self._lines.items() if is_free(account))
        first = min(free, key=lambda slot: slot[0], default=None)
        return None if first is None else self._lines[first[1]].popleft()[1]
