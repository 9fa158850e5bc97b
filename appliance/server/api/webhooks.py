"""`/webhooks`: who is told what happened, and what became of the messages."""

import asyncio
from typing import Annotated

from litestar import Controller
from litestar.params import FromPath, QueryParameter
from pydantic import Field

from appliance.server.api._operations import acts, reads
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.base import Items, Moment, Page, ResponseShape, shape_of
from appliance.server.callers import TheCaller
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission
from appliance.server.problems import AnyRequest
from appliance.store import outbox


class Webhook(ResponseShape):
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
class Delivery(ResponseShape):
    """One message to one receiver."""

    event: str = Field(examples=["finding.opened"])
    """What it tells of."""


class DeliveryPage(Page[Delivery]):
    """Messages, newest first."""


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
            outbox.DeliveryState | None,
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
