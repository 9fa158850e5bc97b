"""Keys, webhooks, and the store."""

from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field

from appliance.server.api.shapes.base import Given, Moment, Page, Shown
from appliance.store.keys import Role
from appliance.store.outbox import DeliveryState


class Key(Shown):
    """What is known of a key; the key itself is not."""

    id: str
    """Its public part."""
    name: str
    """Who or what it is for."""
    role: Role
    """What it may do."""
    created_at: Moment
    """When it was made."""
    created_by: str
    """Who made it."""
    last_used_at: Moment | None
    """To the minute; null: never."""
    revoked_at: Moment | None
    """Null: it is good."""
    revoked_by: str
    """Who revoked it."""


class Keys(Shown):
    """All keys there ever were."""

    items: tuple[Key, ...]
    """Oldest first."""


class KeyAsked(Given):
    """A key to be made."""

    name: Annotated[str, Field(min_length=1, max_length=80)]
    """Who or what it is for."""
    role: Role
    """What it may do: look, operate, or everything."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "release pipeline", "role": "operator"}]}
    )


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


class Webhooks(Shown):
    """Who is told what happened."""

    items: tuple[Webhook, ...]
    """By name."""


class Delivery(Shown):
    """One message to one receiver."""

    id: str
    """Of the message: the same at every attempt."""
    hook: str
    """Name of the receiver."""
    event: str = Field(examples=["finding.opened"])
    """What it tells of."""
    subject: str
    """Id of the run, finding or account that it is about."""
    body: str
    """As it is signed and sent."""
    state: DeliveryState
    """How it stands with it."""
    attempts: int
    """How often it was sent."""
    created_at: Moment
    """When it happened."""
    next_at: Moment | None
    """When it is sent next; null: it is over."""
    tried_at: Moment | None
    """When it was sent last."""
    status: int | None
    """HTTP status of the last answer."""
    why: str
    """What was wrong the last time."""


class DeliveryPage(Page[Delivery]):
    """Messages, newest first."""


class Backup(Shown):
    """A copy of the store."""

    id: str
    """Name of its folder."""
    folder: Path
    """Where it is, on the server."""
    made_at: Moment
    """When it was made."""
    migration: int = Field(alias="schema")
    """Number of its newest migration."""
    appliance_version: str
    """What made it."""
    commit: str
    """Of that appliance."""
    runs: int
    """How many it holds."""
    size: int
    """Bytes."""
    sha256: str
    """Of the store in it."""
    encrypted_sha256: str
    """Of the file that the store was encrypted to; empty: it is not encrypted."""


class Backups(Shown):
    """Copies of the store."""

    items: tuple[Backup, ...]
    """Newest first."""


class Files(Shown):
    """How many, and how large they are together."""

    count: int
    """How many."""
    bytes: int
    """How large."""


class Retained(Shown):
    """What was removed because its time is over, or would be."""

    at: Moment
    """When."""
    is_dry_run: bool
    """Whether it was only said."""
    runs: tuple[str, ...]
    """Ids."""
    artifacts: Files
    """Pictures, pages, trajectories."""
    uploads: tuple[str, ...]
    """Documents that came with runs that are gone."""
    reports: tuple[str, ...]
    """Folders."""
    inits: tuple[str, ...]
    """Folders of Terraform."""
    backups: tuple[str, ...]
    """Folders."""
    too_large: int
    """Bytes of artifacts above the limit that may not be removed."""


class StoreInfo(Shown):
    """How large the store is, and what is in it."""

    path: Path
    """Where it is, on the server."""
    migration: int = Field(alias="schema")
    """Number of its newest migration."""
    bytes: int
    """Of its file and its log."""
    rows: dict[str, int] = Field(examples=[{"runs": 31, "findings": 212}])
    """How many each table has."""
    oldest_run_at: Moment | None
    """Null: there is none."""
    artifacts: int
    """How many are kept."""
    artifacts_bytes: int
    """How large they are together."""
    backups: int
    """How many are kept."""
    last_backup_at: Moment | None
    """Null: there is none."""


class Taken(Shown):
    """What became of audit events that were posted."""

    taken: int
    """Events that are new."""
    known: int
    """Events that had come before."""
