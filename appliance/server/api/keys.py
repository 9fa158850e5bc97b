"""`/keys`: who may ask, and what."""

import asyncio
from datetime import timedelta
from typing import Annotated

from litestar import Controller, Response
from litestar.params import FromPath, JSONBody
from pydantic import ConfigDict, Field

from appliance.server.activity import about
from appliance.server.api._operations import LOCATION, acts, reads
from appliance.server.api.shapes.base import Items, RequestShape, ResponseShape, shape_of
from appliance.server.callers import TheCaller
from appliance.server.keys import NewKey as Made
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.store.keys import KeyRow, Role


@shape_of(KeyRow, without=("hash",))
class Key(ResponseShape):
    """What is known of a key; the key itself is not."""


class Keys(Items[Key]):
    """All keys there ever were, oldest first."""


class KeyAsked(RequestShape):
    """A key to be made."""

    name: Annotated[str, Field(min_length=1, max_length=80)]
    """Who or what it is for."""
    role: Role
    """What it may do: look, operate, or everything."""
    expires_days: Annotated[float | None, Field(ge=0, le=3650)] = None
    """How long it is good; 0: until it is revoked; null: as the settings say."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "release pipeline", "role": "operator"}]}
    )


class KeyRotation(RequestShape):
    """How a key gives way to the next."""

    grace_hours: Annotated[float, Field(ge=0, le=8760)] = 24
    """How long the old one goes on, unless it expires before."""
    expires_days: Annotated[float | None, Field(ge=0, le=3650)] = None
    """How long the new one is good; 0: until it is revoked; null: as long as the old one was."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"grace_hours": 24}]})


class NewKey(Key):
    """A key, at the only time that it can be read."""

    key: str = Field(examples=["cda_0123456789ab_…"])
    """What its owner sends: keep it now, it is not shown again."""


class ApiKeys(Controller):
    """Make keys and revoke them."""

    path = "/keys"
    tags = ("Administration",)
    opt = needs(Permission.READ_KEYS)

    @reads("", "listKeys", "List keys", fails=(403,))
    async def list(self, service: TheService) -> Keys:
        """All there ever were, oldest first. The keys themselves are not kept."""
        return Keys.model_validate({"items": await asyncio.to_thread(service.keys.all)})

    @acts(
        "",
        "createKey",
        "Make a key",
        Permission.CREATE_KEY,
        fails=(413, 422),
        answers="The key, at the only time that it can be read.",
        status_code=201,
        response_headers=[LOCATION],
    )
    async def create(
        self, service: TheService, caller: TheCaller, data: JSONBody[KeyAsked]
    ) -> Response[NewKey]:
        """Nobody can read it again. This request cannot be repeated with an `Idempotency-Key`."""
        about(data.name, data.role.value)
        made = await asyncio.to_thread(
            service.keys.create, data.name, data.role, caller.name, _lasts(data.expires_days)
        )
        about(f"{made.row.id} {made.row.name}", made.row.role.value)
        return _shown_once(made)

    @acts(
        "/{key_id:str}/rotate",
        "rotateKey",
        "Rotate a key",
        Permission.ROTATE_KEY,
        fails=(404, 409, 413, 422),
        answers="The next key, at the only time that it can be read.",
        status_code=201,
        response_headers=[LOCATION],
    )
    async def rotate(
        self,
        service: TheService,
        caller: TheCaller,
        key_id: FromPath[str],
        data: JSONBody[KeyRotation],
    ) -> Response[NewKey]:
        """A key of the same name and role; the old one goes on for the grace.

        This request cannot be repeated with an `Idempotency-Key`.
        """
        made = await asyncio.to_thread(
            service.keys.rotate,
            key_id,
            caller.name,
            timedelta(hours=data.grace_hours),
            _lasts(data.expires_days),
        )
        about(f"{made.row.id} {made.row.name}", f"in place of {key_id}")
        return _shown_once(made)

    @acts(
        "/{key_id:str}/revoke",
        "revokeKey",
        "Revoke a key",
        Permission.REVOKE_KEY,
        fails=(404, 409, 422),
        answers="The key as it stands now.",
    )
    async def revoke(self, service: TheService, caller: TheCaller, key_id: FromPath[str]) -> Key:
        """It is good no more, and log-ins to the dashboard with it are over."""
        row = await asyncio.to_thread(service.keys.revoke, key_id, caller.name)
        about(f"{row.id} {row.name}")
        return Key.model_validate(row)


def _lasts(days: float | None) -> timedelta | None:
    return None if days is None else timedelta(days=days)


def _shown_once(created: Made) -> Response[NewKey]:
    return Response(
        NewKey.of(created.row, key=created.text),
        status_code=201,
        headers={"Location": f"/api/v1/keys/{created.row.id}", "Cache-Control": "no-store"},
    )
