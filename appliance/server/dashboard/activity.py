"""Activity: who did what, and who tried to come in; to look at, and to take away."""

import asyncio
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from litestar import get
from litestar.params import FromPath
from litestar.response import Stream, Template

from appliance.server.activity import activity_download
from appliance.server.dashboard.frame import PageRequest, member_named, page
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission, needs
from appliance.store.activity import ActivityFilter, Outcome
from appliance.store.activity_export import ActivityFormat

_NAMES = ("who", "address", "deed")
_DAYS = ("since", "until")
_OTHER_DEEDS = ("log-in", "log-out", "lock-out", "key-expires", "change-settings")
"""Deeds that are no permissions."""


@get("/activity", opt=needs(Permission.READ_ACTIVITY))
async def activity(request: PageRequest, service: TheService, paging: ThePaging) -> Template:
    """Newest first; `?who=`, `?deed=`, `?since=` and so on leave the others out."""
    filters = _filter_from(request, service)
    form_values = {name: request.query_params.get(name, "") for name in (*_NAMES, *_DAYS)}
    return page(
        request,
        service,
        "activity",
        listing=await asyncio.to_thread(service.store.activity.page, paging, filters),
        paging=paging,
        outcome=filters.outcome or "",
        outcomes=tuple(Outcome),
        given=form_values,
        is_filtered=any(form_values.values()),
        deeds=(
            *_OTHER_DEEDS,
            *(permission.value for permission in Permission if permission.is_kept),
        ),
        formats=tuple(ActivityFormat),
        query=request.url.query,
    )


@get("/activity/export/{kind:str}", opt=needs(Permission.EXPORT_ACTIVITY))
async def export(request: PageRequest, service: TheService, kind: FromPath[str]) -> Stream:
    """The same, all of it, as a file."""
    format = member_named(ActivityFormat, kind) or ActivityFormat.JSONL
    return activity_download(service, _filter_from(request, service), format)


def _filter_from(request: PageRequest, service: Service) -> ActivityFilter:
    parameters = request.query_params
    who, address, deed = (parameters.get(name, "").strip() or None for name in _NAMES)
    since, until = (_day(parameters.get(name, ""), service) for name in _DAYS)
    return ActivityFilter(
        who=who,
        address=address,
        deed=deed,
        outcome=member_named(Outcome, parameters.get("outcome", "")),
        since=since,
        until=until + timedelta(days=1) if until else None,
    )


def _day(text: str, service: Service) -> datetime | None:
    """When that day begins, where people look at the dashboard; None: it is no day."""
    try:
        day = datetime.strptime(text, "%Y-%m-%d")  # noqa: DTZ007 - the zone comes next
    except ValueError:
        return None
    return day.replace(tzinfo=ZoneInfo(service.settings.sweep.time_zone))


HANDLERS = (activity, export)
