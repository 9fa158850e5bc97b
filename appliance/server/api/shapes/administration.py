"""Keys, webhooks, and the store."""

from typing import Annotated

from pydantic import ConfigDict, Field

from appliance.engine.schedules import retention
from appliance.server.api.shapes.base import Given, Items, Moment, Page, Shown, shape_of
from appliance.store import info, manifests, outbox
from appliance.store.keys import KeyRow, Role


@shape_of(KeyRow, without=("hash",))
class Key(Shown):
    """What is known of a key; the key itself is not."""


class Keys(Items[Key]):
    """All keys there ever were, oldest first."""


class KeyAsked(Given):
    """A key to be made."""

    name: Annotated[str, Field(min_length=1, max_length=80)]
    """Who or what it is for."""
    role: Role
    """What it may do: look, operate, or everything."""
    expires_days: Annotated[float | None, Field(ge=0, le=3650)] = None
    """How long it is good; 0: until it is revoked; null: as the settings say."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "release pipeline", "role": "operator"}]}
    )


class KeyRotation(Given):
    """How a key gives way to the next."""

    grace_hours: Annotated[float, Field(ge=0, le=8760)] = 24
    """How long the old one goes on, unless it expires before."""
    expires_days: Annotated[float | None, Field(ge=0, le=3650)] = None
    """How long the new one is good; 0: until it is revoked; null: as long as the old one was."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"grace_hours": 24}]})


class NewKey(Key):
    """A key, at the only time that it can be read."""

    key: str = Field(examples=["cda_0123456789ab_…"])
    """What its owner sends: keep it now, it is not shown again."""


class Webhook(Shown):
    """A receiver of messages, and how it stands with them."""

    name: str
    """Its name in the settings."""
    url: str
    """Scheme, host and port: the rest of such addresses may be secret."""
    events: tuple[str, ...]
    """What it is told of."""
    waiting: int
    """Messages that are to be sent."""
    delivered: int
    """Messages that it took."""
    dead: int
    """Messages that were given up."""
    stopped_at: Moment | None
    """When it said that it wants no more; null: it is told."""


class Webhooks(Items[Webhook]):
    """Who is told what happened, by name."""


@shape_of(outbox.Delivery)
class Delivery(Shown):
    """One message to one receiver."""

    event: str = Field(examples=["finding.opened"])
    """What it tells of."""


class DeliveryPage(Page[Delivery]):
    """Messages, newest first."""


@shape_of(manifests.Backup, without=("schema",))
class Backup(Shown):
    """A copy of the store."""

    id: str
    """Name of its folder."""
    migration: int = Field(alias="schema")
    """Number of its newest migration."""


class Backups(Items[Backup]):
    """Copies of the store, newest first."""


@shape_of(retention.FileTotals)
class Files(Shown):
    """How many, and how large they are together."""


@shape_of(retention.Retained)
class Retained(Shown):
    """What was removed because its time is over, or would be."""


@shape_of(info.StoreInfo, without=("schema",))
class StoreInfo(Shown):
    """How large the store is, and what is in it."""

    migration: int = Field(alias="schema")
    """Number of its newest migration."""
    rows: dict[str, int] = Field(examples=[{"runs": 31, "findings": 212}])
    """How many each table has."""


class Taken(Shown):
    """What became of audit events that were posted."""

    taken: int
    """Events that are new."""
    known: int
    """Events that had come before."""
