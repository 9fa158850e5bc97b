"""The REST API beside the items: what there is, the audit log, and all of it together."""

from datetime import UTC, datetime

from litestar import get
from litestar.params import FromQuery
from litestar.types import ControllerRouterHandler

from appliance.core.jsonable import Json, json_object
from appliance.practice import api_accounts, api_items
from appliance.practice.accounts import Role
from appliance.practice.identity import TheCaller, TheCloud
from appliance.practice.refusals import Code, MessageRef, RequestRefused
from appliance.practice.views import inventory_view, kinds_view


@get("/api/kinds", sync_to_thread=False)
def kinds(cloud: TheCloud) -> dict[str, Json]:
    """What can be made, and how, for programs."""
    return kinds_view(cloud.catalogue)


@get("/api/openapi.json", sync_to_thread=False)
def openapi(cloud: TheCloud) -> dict[str, Json]:
    """This API as OpenAPI 3.1."""
    return cloud.openapi


@get("/api/quotas", sync_to_thread=False)
def quotas(cloud: TheCloud, caller: TheCaller, service: FromQuery[str] = "") -> dict[str, Json]:
    """What the caller has of what it may have, in its region."""
    return {"quotas": [quota._asdict() for quota in cloud.quotas(caller, service)]}


@get("/api/inventory", sync_to_thread=False)
def inventory(cloud: TheCloud, caller: TheCaller) -> dict[str, Json]:
    """All that the caller's account holds, in every region, oldest first."""
    state = cloud.state(caller.account)
    return {"items": [inventory_view(item, cloud.located) for item in state.items.values()]}


@get("/api/audit", sync_to_thread=False)
def audit(
    cloud: TheCloud,
    caller: TheCaller,
    since: FromQuery[str] = "",
    service: FromQuery[str] = "",
    target: FromQuery[str] = "",
) -> dict[str, Json]:
    """The account's audit log, oldest first; an administrator sees every account's."""
    try:
        when = datetime.fromisoformat(since.replace(" ", "+")) if since else None
    except ValueError as exc:
        label = {"label": "since"}
        raise RequestRefused(
            Code.VALIDATION,
            MessageRef("refused_validation"),
            {"since": MessageRef("error_pattern", label)},
        ) from exc
    if when is not None and when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    account = None if caller.account.role is Role.ADMIN else caller.account.name
    now = cloud.clock.now()
    records = [
        json_object(record)
        for record in cloud.audit.since(when, now, account)
        if (not service or record.service == service) and (not target or record.target_id == target)
    ]
    until = cloud.audit.delivered_until(now)
    return {"events": [*records], "delivered_until": until.isoformat(), "now": now.isoformat()}


HANDLERS: list[ControllerRouterHandler] = [
    kinds,
    openapi,
    quotas,
    inventory,
    audit,
    *api_accounts.HANDLERS,
    api_items.ROUTES,
]
"""Everything under `/api`, and the token of embedded frames."""
