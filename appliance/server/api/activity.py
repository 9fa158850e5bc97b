"""`/activity` and `/permissions`: who did what, and who may."""

import asyncio
from typing import Annotated

from litestar import Controller
from litestar.params import QueryParameter

from appliance.server.api._operations import reads
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.activity import ActivityChain, ActivityPage, Permissions
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs, permissions
from appliance.server.problems import AnyRequest
from appliance.store.activity import Outcome


class ActivityLog(Controller):
    """Look at what people did."""

    path = "/activity"
    tags = ("Administration",)
    opt = needs(Permission.READ_ACTIVITY)

    @reads("", "listActivity", "List what people did", fails=(403,))
    async def list(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
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
    ) -> ActivityPage:
        """Newest first: what was changed and refused, log-ins, wrong keys. Nothing removes it."""
        entries = await asyncio.to_thread(
            service.store.activity.page,
            paging,
            who=who,
            deed=deed,
            outcome=outcome,
            address=address,
        )
        return page_of(ActivityPage, entries, paging, request)

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
