"""`/webhooks`: who is told what happened, and what became of the messages."""

import asyncio
from typing import Annotated

from litestar import Controller
from litestar.params import FromPath, QueryParameter

from appliance.server.api._operations import acts, reads
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.administration import Delivery, DeliveryPage, Webhooks
from appliance.server.callers import TheCaller
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission
from appliance.server.problems import AnyRequest
from appliance.store.outbox import DeliveryState


class Receivers(Controller):
    """Look at receivers and messages, and send again what was given up."""

    path = "/webhooks"
    tags = ("Administration",)

    @reads("", "listWebhooks", "List webhooks")
    async def list(self, service: TheService) -> Webhooks:
        """Receivers in the settings, with counts of their messages."""
        return Webhooks.model_validate({"items": await asyncio.to_thread(service.webhooks.list)})

    @reads("/deliveries", "listDeliveries", "List messages")
    async def deliveries(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
        hook: Annotated[
            str | None, QueryParameter(max_length=200, description="Only to that receiver.")
        ] = None,
        in_state: Annotated[
            DeliveryState | None,
            QueryParameter(name="state", description="Only in that state; `dead`: given up."),
        ] = None,
    ) -> DeliveryPage:
        """Newest first; with `state=dead`, the dead letters."""
        deliveries = await asyncio.to_thread(
            service.webhooks.deliveries, paging, hook=hook, state=in_state
        )
        return page_of(DeliveryPage, deliveries, paging, request)

    @acts(
        "/deliveries/{delivery_id:str}/retry",
        "retryDelivery",
        "Send a message again",
        Permission.RETRY_DELIVERY,
        fails=(404, 409, 422),
        answers="It will be sent.",
        status_code=202,
    )
    async def retry(
        self, service: TheService, caller: TheCaller, delivery_id: FromPath[str]
    ) -> Delivery:
        """One that was given up; its receiver is told again from now on."""
        return Delivery.model_validate(await service.webhooks.retry(delivery_id, caller.name))
