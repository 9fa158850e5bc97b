"""Who did what."""

from pydantic import Field

from appliance.server.api.shapes.base import Moment, Page, Shown
from appliance.store.activity import Outcome, Way
from appliance.store.keys import Role


class ActivityEntry(Shown):
    """Something that somebody did, or wanted to."""

    number: int
    """From 1, without gaps."""
    happened_at: Moment
    """When."""
    who: str
    """Name of the key, `local` without one, or a user of the machine; empty: nobody known."""
    key_id: str
    """Public part of the key; empty: none."""
    role: str = Field(examples=["operator"])
    """Of the key; empty: none."""
    way: Way
    """How they came: `rest`, `dashboard`, or a `command` of the machine."""
    address: str = Field(examples=["192.0.2.7"])
    """Of the client; empty: a command of the machine."""
    deed: str = Field(examples=["quarantine-account"])
    """What it was: a permission, `log-in`, `log-out` or `lock-out`, or a command's own."""
    object: str = Field(examples=["lab/alice"])
    """What it was done to."""
    outcome: Outcome
    """What became of it."""
    detail: str
    """More of it, or why not."""
    hash: str
    """Of this entry and of the hash before it."""


class ActivityPage(Page[ActivityEntry]):
    """Entries, newest first."""


class ActivityChain(Shown):
    """Whether the entries are those that were written."""

    entries: int
    """How many follow from each other."""
    last_hash: str
    """Note it elsewhere: the chain can be held against it later. Empty: there is no entry."""
    is_whole: bool
    """Whether nothing is wrong."""
    broken_at: int | None
    """Number of the first that does not; null: all do."""
    has_seen: bool
    """Whether there is an entry of the hash that you noted; true without one."""


class Permitted(Shown):
    """Something that somebody may do, and who."""

    permission: str = Field(examples=["triage-finding"])
    """Its name."""
    about: str
    """In words."""
    role: Role
    """The least role that may."""


class Permissions(Shown):
    """What each role may do; each may what the one before may."""

    items: tuple[Permitted, ...]
    """From the least role to the greatest."""
