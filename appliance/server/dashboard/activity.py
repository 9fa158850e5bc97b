"""Activity: who did what, and who tried to come in."""

import asyncio

from litestar import get
from litestar.response import Template

from appliance.server.dashboard.frame import PageRequest, page
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.store.activity import Outcome


@get("/activity", opt=needs(Permission.READ_ACTIVITY))
async def activity(request: PageRequest, service: TheService, paging: ThePaging) -> Template:
    """Newest first; `?who=` and `?address=` leave the others out."""
    parameters = request.query_params
    outcome = parameters.get("outcome", "")
    words = {name: parameters.get(name, "").strip() for name in ("who", "address")}
    entries = await asyncio.to_thread(
        service.store.activity.page,
        paging,
        outcome=Outcome(outcome) if outcome in tuple(Outcome) else None,
        who=words["who"] or None,
        address=words["address"] or None,
    )
    return page(
        request,
        service,
        "activity",
        listing=entries,
        paging=paging,
        outcome=outcome if outcome in tuple(Outcome) else "",
        outcomes=tuple(Outcome),
        wanted=[value for value in words.values() if value],
    )


HANDLERS = (activity,)
