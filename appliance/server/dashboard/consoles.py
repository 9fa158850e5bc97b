"""Consoles: which there are, where they stand, and how it is with each."""

import asyncio

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from appliance.server.dashboard.frame import PageRequest, act_and_redirect, page
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs


@get("/consoles")
async def consoles(request: PageRequest, service: TheService) -> Template:
    """The page of all consoles."""
    states = await asyncio.to_thread(service.engine.consoles.list)
    can_add = bool(service.settings.server.consoles.hosts)
    return page(request, service, "consoles", states=states, can_add=can_add)


@post("/consoles/{name:str}/remove", opt=needs(Permission.REMOVE_CONSOLE))
async def remove(service: TheService, name: FromPath[str]) -> Redirect:
    """Forget one that was made here."""
    work = service.engine.consoles.remove(name)
    return await act_and_redirect("/consoles", work, "consoles.removed", name=name)


HANDLERS = (consoles, remove)
"""The page, and what its buttons do."""
