"""Webhooks: receivers, messages, and sending again what could not be delivered."""

import asyncio

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from appliance.server.callers import TheCaller
from appliance.server.dashboard.frame import PageRequest, act_and_redirect, member_named, page
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.store.outbox import DeliveryState


@get("/webhooks")
async def webhooks(request: PageRequest, service: TheService, paging: ThePaging) -> Template:
    """The page of receivers and their messages."""
    state = member_named(DeliveryState, request.query_params.get("state", ""))
    hooks = await asyncio.to_thread(service.webhooks.list)
    listing = await asyncio.to_thread(service.webhooks.deliveries, paging, state=state)
    return page(
        request,
        service,
        "webhooks",
        hooks=hooks,
        listing=listing,
        paging=paging,
        state=state or "",
        states=tuple(DeliveryState),
    )


@post("/webhooks/{delivery_id:str}/retry", opt=needs(Permission.RETRY_DELIVERY))
async def retry(service: TheService, caller: TheCaller, delivery_id: FromPath[str]) -> Redirect:
    """Send a message once more."""
    work = service.webhooks.retry(delivery_id, by=caller.name)
    return await act_and_redirect("/webhooks?state=dead", work, "webhooks.retry.done")


HANDLERS = (webhooks, retry)
