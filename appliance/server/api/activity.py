"""`/activity` and `/permissions`: who did what, and who may."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, TypeAlias

from litestar import Controller
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter, SkipValidation
from litestar.response import Stream
from pydantic import Field

from appliance.server.activity import activity_download
from appliance.server.api._operations import reads
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.base import Items, Page, ResponseShape, shape_of
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs, permissions
from appliance.server.permissions import Permitted as PermittedRow
from appliance.server.problems import AnyRequest
from appliance.store.activity import ActivityFilter, Chain, Entry, Outcome
from appliance.store.activity_export import MEDIA_TYPES, ActivityFormat


@shape_of(Entry)
class ActivityEntry(ResponseShape):
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
class ActivityChain(ResponseShape):
    """Whether the entries are those that were written."""

    is_whole: bool
    """Whether nothing is wrong."""


@shape_of(PermittedRow)
class Permitted(ResponseShape):
    """Something that somebody may do, and who."""

    permission: str = Field(examples=["triage-finding"])
    """Its name."""


class Permissions(Items[Permitted]):
    """What each role may do, from the least to the greatest; each may what the one before may."""


def provide_filter(
    who: Annotated[
        str | None, QueryParameter(max_length=200, description="Only of that name.")
    ] = None,
    deed: Annotated[
        str | None, QueryParameter(max_length=200, description="Only that: `create-key`.")
    ] = None,
    outcome: Annotated[
        Outcome | None, QueryParameter(description="Only with that outcome.")
    ] = None,
    address: Annotated[
        str | None, QueryParameter(max_length=200, description="Only from that address.")
    ] = None,
    since: Annotated[datetime | None, QueryParameter(description="Not before this moment.")] = None,
    until: Annotated[datetime | None, QueryParameter(description="Before this moment.")] = None,
) -> ActivityFilter:
    """What the address asks for."""
    return ActivityFilter(
        who=who,
        deed=deed,
        outcome=outcome,
        address=address,
        since=_aware(since),
        until=_aware(until),
    )


def _aware(moment: datetime | None) -> datetime | None:
    """Without a zone it is UTC, as all that comes out is."""
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


TheFilter: TypeAlias = NamedDependency[SkipValidation[ActivityFilter]]


class ActivityLog(Controller):
    """Look at what people did."""

    path = "/activity"
    tags = ("Administration",)
    opt = needs(Permission.READ_ACTIVITY)

    @reads(
        "",
        "listActivity",
        "List what people did",
        fails=(403,),
        dependencies={"wanted": Provide(provide_filter, sync_to_thread=False)},
    )
    async def list(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
        wanted: TheFilter,
    ) -> ActivityPage:
        """Newest first: what was changed and refused, log-ins, wrong keys. Nothing removes it."""
        entries = await asyncio.to_thread(service.store.activity.page, paging, wanted)
        return page_of(ActivityPage, entries, paging, request)

    @reads(
        "/export",
        "exportActivity",
        "Export what people did",
        fails=(403,),
        opt=needs(Permission.EXPORT_ACTIVITY),
        dependencies={"wanted": Provide(provide_filter, sync_to_thread=False)},
        media_type=MEDIA_TYPES[ActivityFormat.JSONL],
        response_description="One entry a line, oldest first: JSON Lines, or CSV.",
    )
    async def export(
        self,
        service: TheService,
        wanted: TheFilter,
        format: Annotated[
            ActivityFormat, QueryParameter(description="`jsonl`, exactly as kept; or `csv`.")
        ] = ActivityFormat.JSONL,
    ) -> Stream:
        """All entries that are wanted, however many. This export is the last of them."""
        return activity_download(service, wanted, format)

    @reads("/chain", "checkActivity", "Check what people did", fails=(403,))
    async def chain(
        self,
        service: TheService,
        seen: Annotated[
            str, QueryParameter(max_length=64, description="A hash that you noted earlier.")
        ] = "",
    ) -> ActivityChain:
        """Whether an entry was changed, removed or put in: each has the hash of those before."""
        chain = await asyncio.to_thread(service.store.activity.check, seen)
        return ActivityChain.model_validate(chain)


class PermissionTable(Controller):
    """Look at what each role may do."""

    path = "/permissions"
    tags = ("Administration",)

    @reads("", "listPermissions", "List permissions")
    async def list(self) -> Permissions:
        """The table that REST and dashboard go by."""
        return Permissions.model_validate({"items": permissions()})
