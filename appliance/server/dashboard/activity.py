"""Activity: who did what, and who tried to come in."""

import asyncio

from litestar import get
from litestar.response import Template

from appliance.server.dashboard.frame import Asked, page
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.store.activity import Outcome


@get("/activity", include_in_schema=False, opt=needs(Permission.READ_ACTIVITY))
async def activity(request: Asked, service: TheService, paging: ThePaging) -> Template:
    """Newest first; `?who=` and `?address=` leave the others out."""
    asked = request.query_params
    outcome = asked.get("outcome", "")
    given = {name: asked.get(name, "").strip() for name in ("who", "address")}
    entries = await asyncio.to_thread(
        service.store.activity.page,
        paging,
        outcome=Outcome(outcome) if outcome in tuple(Outcome) else None,
        who=given["who"] or None,
        address=given["address"] or None,
    )
    return page(
        request,
        service,
        "activity.jinja",
        at="activity",
        title="activity.title",
        found=entries,
        paging=paging,
        outcome=outcome if outcome in tuple(Outcome) else "",
        outcomes=tuple(Outcome),
        wanted=[said for said in given.values() if said],
    )


HANDLERS = (activity,)
