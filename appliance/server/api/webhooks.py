"""`/webhooks`: who is told what happened, and what became of the messages."""

import asyncio
from typing import Annotated

from litestar import Controller, get, post
from litestar.params import FromPath, QueryParameter

from appliance.server.api._operations import problems
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.administration import Delivery, DeliveryPage, Webhooks
from appliance.server.callers import TheCaller
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.server.problems import AnyRequest
from appliance.store.outbox import DeliveryState


class Receivers(Controller):
    """Look at receivers and messages, and send again what was given up."""

    path = "/webhooks"
    tags = ("Administration",)

    @get(operation_id="listWebhooks", summary="List webhooks", responses=problems())
    async def list(self, service: TheService) -> Webhooks:
        """Receivers in the settings, with counts of their messages."""
        return Webhooks.model_validate({"items": await asyncio.to_thread(service.webhooks.list)})

    @get(
        "/deliveries",
        operation_id="listDeliveries",
        summary="List messages",
        responses=problems(),
    )
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

    @post(
        "/deliveries/{delivery_id:str}/retry",
        operation_id="retryDelivery",
        summary="Send a message again",
        status_code=202,
        opt=needs(Permission.RETRY_DELIVERY),
        response_description="It will be sent.",
        responses=problems(403, 404, 409, 422),
    )
    async def retry(
        self, service: TheService, caller: TheCaller, delivery_id: FromPath[str]
    ) -> Delivery:
        """One that was given up; its receiver is told again from now on."""
        return Delivery.model_validate(await service.webhooks.retry(delivery_id, caller.name))
