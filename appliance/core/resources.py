"""What is in a cloud account, what was made there for an attempt, and what became of it."""

import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

MARKER = re.compile(r"cda[0-9a-f]{6}")
"""In the name of everything that is made for an attempt: what a crash left is known by it, even
where no store remembers the attempt."""


def new_marker() -> str:
    """A marker that no other attempt has."""
    return f"cda{secrets.token_hex(3)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A resource in a cloud account."""

    kind: str
    """The console adapter's word: `disk`, `network`."""
    id: str
    name: str = ""
    created: datetime | None = None
    """None where the cloud does not tell."""
    region: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name or self.id}"


@dataclass(frozen=True, slots=True)
class Inventory:
    """All that an account holds at a moment, of the kinds that the console's adapter knows."""

    things: frozenset[Thing] = frozenset()

    @classmethod
    def of(cls, things: Iterable[Thing]) -> "Inventory":
        """An inventory of these."""
        return cls(frozenset(things))

    @property
    def keys(self) -> frozenset[tuple[str, str]]:
        """Kind and id of each: what makes two things the same whatever they are called now."""
        return frozenset((thing.kind, thing.id) for thing in self.things)

    def since(self, before: "Inventory") -> frozenset[Thing]:
        """What is here and was not there before."""
        keys_before = before.keys
        return frozenset(t for t in self.things if (t.kind, t.id) not in keys_before)


class Phase(StrEnum):
    """How far an attempt is with the world outside; a crash leaves the last one it reached."""

    PROVISIONING = "provisioning"  # what it needs is being made
    EXECUTING = "executing"  # somebody acts in the console
    RECOVERING = "recovering"  # what it made by hand is being deleted
    DESTROYING = "destroying"  # what was made for it is being destroyed
    DONE = "done"  # the account holds what it held before
    FAILED = "failed"  # something is left: the account is in quarantine
    LOST = "lost"  # the process was killed; cleaned up afterwards


class ReceiptKind(StrEnum):
    """What a receipt is about."""

    MADE = "made"  # provisioned for the attempt
    DELETED = "deleted"  # made by the attempt, deleted through the console's API
    DESTROYED = "destroyed"  # provisioned, destroyed by what provisioned it
    RESTORED = "restored"  # changed by the attempt, put back
    FAILED = "failed"  # still there
    LEFT = "left"  # still there, and this console has no way to delete it: for a person to do


NO_RIGHT = "give the account the right to delete it, or remove it by hand"
"""What a person has to do about what the account that made it may not delete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One thing that was made or removed, or could not be."""

    deed: ReceiptKind
    """What was done."""
    kind: str
    """Of the thing."""
    id: str = ""
    """Of the thing, as the cloud has it."""
    name: str = ""
    """Of the thing."""
    why: str = ""
    """Of a failure: the cloud's own words. Of what is left: what a person has to do."""

    def __str__(self) -> str:
        resource = f"{self.kind} {self.name or self.id}".strip()
        return f"{resource}: {self.why}" if self.why else resource


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifetime:
    """An attempt as the world outside sees it: kept from before the first resource is made."""

    id: str
    """Of the attempt."""
    run_id: str
    """Run that it belongs to."""
    procedure_id: str
    """Empty: resources that were applied by hand, ahead of a sweep, or to be shared."""
    number: int
    """Which attempt of its procedure."""
    console: str
    account: str
    unique: str
    """The marker in the names of what is made for it."""
    phase: Phase
    """How far it is."""
    since: datetime
    """What is younger was made by it, or for it."""
    baseline: Inventory | None
    """What the account held before; None: the console cannot tell."""
    expires_at: datetime
    """When what was made for it is destroyed at the latest."""
    started_at: datetime
    ended_at: datetime | None = None
    """None: it is under way, or was killed."""
    problem: str = ""
    """Why something is left."""
    ends_with_run: bool = False
    """Whether the console itself was started for the run, and is gone with all that was in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountHealth:
    """What a look at an account said."""

    can_log_in: bool
    """Whether it can."""
    problem: str = ""
    """Why not: wrong password, locked, expired: the console's own words."""
    quota: Mapping[str, "Quota"] = field(default_factory=dict)
    """By kind, where the console tells."""
    balance: str = ""
    """Money left with its currency, where the console tells."""


@dataclass(frozen=True, slots=True)
class Quota:
    """How many of a kind an account may have."""

    used: int
    """How many there are."""
    limit: int | None
    """None: as many as it likes."""


PRACTICE_PROVIDER = "practice.appliance.local/appliance/practice"
"""The practice cloud's. No registry has it: it is put into a mirror of files."""
