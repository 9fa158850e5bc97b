"""The REST API: `/api/SERVICE/COLLECTION…`, the audit log, the accounts."""

from datetime import UTC, datetime
from typing import Any

from litestar import Response, delete, get, patch, post
from litestar.params import FromPath, FromQuery, JSONBody

from appliance.core.jsonable import Json, json_object
from appliance.practice.accounts import ACCOUNTS, Role
from appliance.practice.catalogue import Located, Value
from appliance.practice.cloud import Caller, Cloud
from appliance.practice.identity import AnyRequest, TheCaller, TheCloud, TheDoorkeeper
from appliance.practice.refusals import Code, Refused, Said
from appliance.practice.views import item_view, kinds_view, page_view

Body = dict[str, Value]


def _found(cloud: Cloud, service: str, collection: str) -> Located:
    found = cloud.catalogue.collection(service, collection)
    if found is None:
        raise Refused(Code.UNKNOWN_OPERATION, Said("refused_action"))
    return found


def _answer(body: dict[str, Json], caller: Caller, status: int = 200) -> Response[Any]:
    return Response(body, status_code=status, headers={"x-request-id": caller.request_id})


@get("/api/{service:str}/{collection:str}", sync_to_thread=False)
def list_items(
    request: AnyRequest,
    service: FromPath[str],
    collection: FromPath[str],
    cloud: TheCloud,
    caller: TheCaller,
) -> dict[str, Json]:
    """A page of the account's items."""
    found = _found(cloud, service, collection)
    state = cloud.state(caller.account)
    return page_view(state.of_kind(found.kind), found, state, dict(request.query_params))


@get("/api/{service:str}/{collection:str}/{item_id:str}", sync_to_thread=False)
def show_item(
    service: FromPath[str],
    collection: FromPath[str],
    item_id: FromPath[str],
    cloud: TheCloud,
    caller: TheCaller,
) -> dict[str, Json]:
    """One item."""
    found = _found(cloud, service, collection)
    return item_view(cloud.item(caller, found, item_id), found, cloud.state(caller.account))


@post("/api/{service:str}/{collection:str}", sync_to_thread=False)
def create_item(
    service: FromPath[str],
    collection: FromPath[str],
    data: JSONBody[Body],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[Any]:
    """Make an item."""
    found = _found(cloud, service, collection)
    item = cloud.create(caller, found, data)
    return _answer(item_view(item, found, cloud.state(caller.account)), caller, 201)


@patch("/api/{service:str}/{collection:str}/{item_id:str}", sync_to_thread=False)
def update_item(
    service: FromPath[str],
    collection: FromPath[str],
    item_id: FromPath[str],
    data: JSONBody[Body],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[Any]:
    """Change values of an item; the first edit action that covers them gives the event its name."""
    found = _found(cloud, service, collection)
    actions = found.resource.actions
    edits = [name for name, action in actions.items() if action.kind in ("edit", "tags")]
    covering = [name for name in edits if set(data) <= set(actions[name].fields)]
    item = cloud.update(caller, found, item_id, (covering or edits or [""])[0], data)
    return _answer(item_view(item, found, cloud.state(caller.account)), caller)


@post("/api/{service:str}/{collection:str}/{item_id:str}/{action:str}", sync_to_thread=False)
def do_action(
    service: FromPath[str],
    collection: FromPath[str],
    item_id: FromPath[str],
    action: FromPath[str],
    data: JSONBody[Body],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[Any]:
    """Carry out an action of the item's resource: an edit with values, or a change of state."""
    found = _found(cloud, service, collection)
    known = found.resource.actions.get(action)
    if known is not None and known.kind == "transition":
        item = cloud.transition(caller, found, item_id, action)
    else:
        item = cloud.update(caller, found, item_id, action, data)
    return _answer(item_view(item, found, cloud.state(caller.account)), caller)


@delete("/api/{service:str}/{collection:str}/{item_id:str}", status_code=204, sync_to_thread=False)
def delete_item(
    service: FromPath[str],
    collection: FromPath[str],
    item_id: FromPath[str],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[None]:
    """Delete an item."""
    cloud.delete(caller, _found(cloud, service, collection), item_id)
    return Response(None, status_code=204, headers={"x-request-id": caller.request_id})


@get("/api/kinds", sync_to_thread=False)
def kinds(cloud: TheCloud) -> dict[str, Json]:
    """What can be made, and how, for programs."""
    return kinds_view(cloud.catalogue)


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
        raise Refused(
            Code.VALIDATION, Said("refused_validation"), {"since": Said("error_pattern", label)}
        ) from exc
    if when is not None and when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    account = None if caller.account.role is Role.ADMIN else caller.account.name
    records = [
        json_object(record)
        for record in cloud.audit.since(when, account)
        if (not service or record.service == service) and (not target or record.target_id == target)
    ]
    return {"events": [*records]}


@get("/api/accounts", sync_to_thread=False)
def accounts() -> dict[str, Json]:
    """The accounts of this cloud and their roles."""
    return {"accounts": [{"name": a.name, "role": a.role.value} for a in ACCOUNTS]}


@post("/api/accounts/{name:str}/reset", status_code=204, sync_to_thread=False)
def reset_account(name: FromPath[str], cloud: TheCloud, caller: TheCaller) -> None:
    """Empty an account: its own, or as an administrator any."""
    target = next((account for account in ACCOUNTS if account.name == name), None)
    if target is None:
        raise Refused(Code.NOT_FOUND, Said("refused_missing", {"kind": "account", "id": name}))
    if caller.account.role is not Role.ADMIN and caller.account != target:
        raise Refused(Code.ACCESS_DENIED, Said("refused_reader", {"name": caller.account.name}))
    cloud.reset(target)


@post("/api/tokens", sync_to_thread=False)
def new_token(caller: TheCaller, doorkeeper: TheDoorkeeper) -> dict[str, Json]:
    """A bearer token for the caller."""
    return {"token": doorkeeper.new_token(caller.account), "account": caller.account.name}


HANDLERS = [
    list_items,
    show_item,
    create_item,
    update_item,
    do_action,
    delete_item,
    kinds,
    audit,
    accounts,
    reset_account,
    new_token,
]
"""Everything under `/api`."""
