"""The REST API of the items: `/api/SERVICE/COLLECTION…`."""

import base64
import mimetypes
from typing import Any
from urllib.parse import quote

from litestar import Response, delete, get, patch, post, put
from litestar.params import FromPath, JSONBody
from pydantic import BaseModel

from appliance.core.jsonable import Json
from appliance.practice.accounts import Caller
from appliance.practice.catalogue import FieldKind, Located
from appliance.practice.cloud import Cloud
from appliance.practice.identity import AnyRequest, TheCaller, TheCloud
from appliance.practice.refusals import Code, Refused, Said
from appliance.practice.views import created_view, item_view, page_view

Body = dict[str, Any]  # Any: what a caller sent; the cloud checks it


class ProtectionBody(BaseModel):
    """Whether an item is protected against deletion."""

    is_protected: bool


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
    query = {name: value for name, value in request.query_params.items() if name != "region"}
    return page_view(cloud.items(caller, found), found, cloud.state(caller.account), query)


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


@get("/api/{service:str}/{collection:str}/{item_id:str}/files/{field:str}", sync_to_thread=False)
def show_file(
    service: FromPath[str],
    collection: FromPath[str],
    item_id: FromPath[str],
    field: FromPath[str],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[bytes]:
    """The bytes of a file of an item."""
    found = _found(cloud, service, collection)
    value = cloud.item(caller, found, item_id).values.get(field)
    spec = found.resource.fields.get(field)
    if spec is None or spec.kind is not FieldKind.FILE or not isinstance(value, dict):
        said = Said("refused_missing", {"kind": spec.label if spec else "file", "id": field})
        raise Refused(Code.NOT_FOUND, said)
    return Response(
        base64.b64decode(value["content"]),
        media_type=mimetypes.guess_type(value["name"])[0] or "application/octet-stream",
        headers={
            "content-disposition": f"attachment; filename*=UTF-8''{quote(value['name'])}",
            "x-content-type-options": "nosniff",
        },
    )


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
    return _answer(created_view(item, found, cloud.state(caller.account)), caller, 201)


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


@put("/api/{service:str}/{collection:str}/{item_id:str}/protection", sync_to_thread=False)
def protect_item(
    service: FromPath[str],
    collection: FromPath[str],
    item_id: FromPath[str],
    data: JSONBody[ProtectionBody],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[Any]:
    """Protect an item against deletion, or no longer."""
    found = _found(cloud, service, collection)
    item = cloud.protect(caller, found, item_id, data.is_protected)
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


HANDLERS = [
    list_items,
    show_item,
    show_file,
    create_item,
    update_item,
    do_action,
    protect_item,
    delete_item,
]
"""What can be done with items."""
