"""`/labels`: what consoles call things, as attempts saw it."""

import asyncio
from typing import Annotated

from litestar import Controller
from litestar.params import QueryParameter

from appliance.server.api._consoles import OfConsole, console_of
from appliance.server.api._operations import reads
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.environment import ConsoleLabelPage
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.problems import AnyRequest


class LabelsOfConsole(Controller):
    """Look at labels."""

    path = "/labels"
    tags = ("Environment",)

    @reads("", "listLabels", "List labels", fails=(404,))
    async def list(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
        console: OfConsole = None,
        release: Annotated[
            str | None, QueryParameter(max_length=200, description="Only of that release.")
        ] = None,
    ) -> ConsoleLabelPage:
        """Of one console, page by page: no words of people's own."""
        name = console_of(service, console)
        table = service.store.labels
        labels = await asyncio.to_thread(table.page, paging, console=name, release=release)
        return page_of(ConsoleLabelPage, labels, paging, request)
