"""Who did what."""

from pydantic import Field

from appliance.server import permissions
from appliance.server.api.shapes.base import Items, Page, Shown, shape_of
from appliance.store.activity import Chain, Entry


@shape_of(Entry)
class ActivityEntry(Shown):
    """Something that somebody did, or wanted to."""

    role: str = Field(examples=["operator"])
    """Of the key; empty: none."""
    address: str = Field(examples=["192.0.2.7"])
    """Of the client; empty: a command of the machine."""
    deed: str = Field(examples=["quarantine-account"])
    """What it was: a permission, `log-in`, `log-out` or `lock-out`, or a command's own."""
    object: str = Field(examples=["lab/alice"])
    """What it was done to."""


class ActivityPage(Page[ActivityEntry]):
    """Entries, newest first."""


@shape_of(Chain)
class ActivityChain(Shown):
    """Whether the entries are those that were written."""

    is_whole: bool
    """Whether nothing is wrong."""


@shape_of(permissions.Permitted)
class Permitted(Shown):
    """Something that somebody may do, and who."""

    permission: str = Field(examples=["triage-finding"])
    """Its name."""


class Permissions(Items[Permitted]):
    """What each role may do, from the least to the greatest; each may what the one before may."""
