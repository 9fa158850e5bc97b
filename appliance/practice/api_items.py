"""The REST API of the items: `/api/SERVICE/COLLECTION…`."""

import base64
import mimetypes
from typing import Any
from urllib.parse import quote

from litestar import Response, Router, delete, get, patch, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody
from pydantic import BaseModel

from appliance.core.jsonable import Json
from appliance.practice.accounts import Caller
from appliance.practice.catalogue import FieldKind, Located
from appliance.practice.identity import AnyRequest, TheCaller, TheCloud
from appliance.practice.refusals import Code, MessageRef, RequestRefused
from appliance.practice.views import created_view, item_view, page_view

Body = dict[str, Any]  # Any: what a caller sent; the cloud checks it


class ProtectionBody(BaseModel):
    """Whether an item is protected against deletion."""

    is_protected: bool


def locate(cloud: TheCloud, service: FromPath[str], collection: FromPath[str]) -> Located:
    """The resource that an address names; `RequestRefused` where there is none."""
    located = cloud.catalogue.collection(service, collection)
    if located is None:
        raise RequestRefused(Code.UNKNOWN_OPERATION, MessageRef("refused_action"))
    return located


TheResource = NamedDependency[Located]


def _answer(body: dict[str, Json], caller: Caller, status: int = 200) -> Response[Any]:
    return Response(body, status_code=status, headers={"x-request-id": caller.request_id})


@get("/", sync_to_thread=False)
def list_items(
    request: AnyRequest,
    located: TheResource,
    cloud: TheCloud,
    caller: TheCaller,
) -> dict[str, Json]:
    """A page of the account's items."""
    query = {name: value for name, value in request.query_params.items() if name != "region"}
    return page_view(cloud.items(caller, located), located, cloud.state(caller.account), query)


@get("/{item_id:str}", sync_to_thread=False)
def show_item(
    located: TheResource,
    item_id: FromPath[str],
    cloud: TheCloud,
    caller: TheCaller,
) -> dict[str, Json]:
    """One item."""
    return item_view(cloud.item(caller, located, item_id), located, cloud.state(caller.account))


@get("/{item_id:str}/files/{field:str}", sync_to_thread=False)
def show_file(
    located: TheResource,
    item_id: FromPath[str],
    field: FromPath[str],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[bytes]:
    """The bytes of a file of an item."""
    value = cloud.item(caller, located, item_id).values.get(field)
    spec = located.resource.fields.get(field)
    if spec is None or spec.kind is not FieldKind.FILE or not isinstance(value, dict):
        message = MessageRef(
            "refused_missing", {"kind": spec.label if spec else "file", "id": field}
        )
        raise RequestRefused(Code.NOT_FOUND, message)
    return Response(
        base64.b64decode(value["content"]),
        media_type=mimetypes.guess_type(value["name"])[0] or "application/octet-stream",
        headers={
            "content-disposition": f"attachment; filename*=UTF-8''{quote(value['name'])}",
            "x-content-type-options": "nosniff",
        },
    )


@post("/", sync_to_thread=False)
def create_item(
    located: TheResource,
    data: JSONBody[Body],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[Any]:
    """Make an item."""
    item = cloud.create(caller, located, data)
    return _answer(created_view(item, located, cloud.state(caller.account)), caller, 201)


@patch("/{item_id:str}", sync_to_thread=False)
def update_item(
    located: TheResource,
    item_id: FromPath[str],
    data: JSONBody[Body],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[Any]:
    """Change values of an item; the first edit action that covers them gives the event its name."""
    actions = located.resource.actions
    edits = [name for name, action in actions.items() if action.kind in ("edit", "tags")]
    covering = [name for name in edits if set(data) <= set(actions[name].fields)]
    item = cloud.update(caller, located, item_id, (covering or edits or [""])[0], data)
    return _answer(item_view(item, located, cloud.state(caller.account)), caller)


@post("/{item_id:str}/{action:str}", sync_to_thread=False)
def do_action(
    located: TheResource,
    item_id: FromPath[str],
    action: FromPath[str],
    data: JSONBody[Body],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[Any]:
    """Carry out an action of the item's resource: an edit with values, or a change of state."""
    known = located.resource.actions.get(action)
    if known is not None and known.kind == "transition":
        item = cloud.transition(caller, located, item_id, action)
    else:
        item = cloud.update(caller, located, item_id, action, data)
    return _answer(item_view(item, located, cloud.state(caller.account)), caller)


@put("/{item_id:str}/protection", sync_to_thread=False)
def protect_item(
    located: TheResource,
    item_id: FromPath[str],
    data: JSONBody[ProtectionBody],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[Any]:
    """Protect an item against deletion, or no longer."""
    item = cloud.protect(caller, located, item_id, data.is_protected)
    return _answer(item_view(item, located, cloud.state(caller.account)), caller)


@delete("/{item_id:str}", status_code=204, sync_to_thread=False)
def delete_item(
    located: TheResource,
    item_id: FromPath[str],
    cloud: TheCloud,
    caller: TheCaller,
) -> Response[None]:
    """Delete an item."""
    cloud.delete(caller, located, item_id)
    return Response(None, status_code=204, headers={"x-request-id": caller.request_id})


ROUTES = Router(
    "/api/{service:str}/{collection:str}",
    dependencies={"located": Provide(locate, sync_to_thread=False)},
    route_handlers=[
        list_items,
        show_item,
        show_file,
        create_item,
        update_item,
        do_action,
        protect_item,
        delete_item,
    ],
)
"""What can be done with items."""
