"""`/resources`: what was made in the clouds and is not known to be gone."""

from typing import Annotated

from litestar import Controller
from litestar.params import QueryParameter

from appliance.server.activity import about
from appliance.server.api._consoles import OfConsole, console_of
from appliance.server.api._operations import acts, reads
from appliance.server.api.shapes.environment import AllReaped, Resource, Resources
from appliance.server.parts import TheService
from appliance.server.permissions import Permission


class ResourcesInClouds(Controller):
    """Look at what stands, and have it removed."""

    path = "/resources"
    tags = ("Environment",)

    @reads("", "listResources", "List resources", fails=(404,))
    async def list(self, service: TheService, console: OfConsole = None) -> Resources:
        """Attempts whose clean-up is not known to be complete; those under way among them."""
        name = console_of(service, console) if console else None
        rows = await service.engine.clouds.resources(name)
        return Resources(
            items=tuple(
                Resource.of(row.lifetime, receipts=row.receipts, is_alive=row.is_alive)
                for row in rows
            )
        )

    @acts(
        "/reap",
        "reapResources",
        "Remove what is left over",
        Permission.REMOVE_LEFTOVERS,
        fails=(404, 409, 422, 502),
        answers="What was removed, or would be.",
    )
    async def reap(
        self,
        service: TheService,
        console: OfConsole = None,
        is_dry_run: Annotated[
            bool, QueryParameter(name="dry_run", description="Only say what would be removed.")
        ] = False,
    ) -> AllReaped:
        """What a crash left, what is past its time, and what nobody remembers.

        What an attempt works with now is left alone.
        """
        on = console_of(service, console)
        about(on, "only looked" if is_dry_run else "")
        reaped = await service.engine.clouds.reap(on, is_dry_run)
        return AllReaped.model_validate({"items": reaped})
