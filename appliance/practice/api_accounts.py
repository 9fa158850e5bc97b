"""The REST API of accounts, tokens and the clock."""

from litestar import get, post, put
from litestar.params import FromPath, JSONBody
from pydantic import BaseModel, Field

from appliance.core.jsonable import Json
from appliance.practice.accounts import Account, Caller, Doorkeeper, Role
from appliance.practice.identity import (
    AnyRequest,
    Origins,
    TheCaller,
    TheCloud,
    TheDoorkeeper,
    TheFrames,
)
from appliance.practice.refusals import Code, MessageRef, RequestRefused


class RestoreBody(BaseModel):
    """Which snapshot."""

    snapshot: str


class ClockBody(BaseModel):
    """How far to put the clock forward."""

    advance_s: float = Field(ge=0, le=10 * 365 * 86400)


def _target(name: str, caller: Caller, doorkeeper: Doorkeeper) -> Account:
    """The account of that name: the caller's own, or as an administrator any."""
    target = doorkeeper.by_name(name)
    if target is None:
        raise RequestRefused(
            Code.NOT_FOUND, MessageRef("refused_missing", {"kind": "account", "id": name})
        )
    if caller.account.role is not Role.ADMIN and caller.account != target:
        raise RequestRefused(Code.ACCESS_DENIED, MessageRef("refused_admin"))
    return target


def _admin(caller: Caller) -> None:
    if caller.account.role is not Role.ADMIN:
        raise RequestRefused(Code.ACCESS_DENIED, MessageRef("refused_admin"))


@get("/api/accounts", sync_to_thread=False)
def accounts(doorkeeper: TheDoorkeeper) -> dict[str, Json]:
    """The accounts of this cloud and their roles."""
    known = (doorkeeper.by_name(name) for name in doorkeeper.names())
    return {"accounts": [{"name": a.name, "role": a.role.value} for a in known if a is not None]}


@post("/api/accounts/{name:str}/reset", status_code=204, sync_to_thread=False)
def reset_account(
    name: FromPath[str], cloud: TheCloud, caller: TheCaller, doorkeeper: TheDoorkeeper
) -> None:
    """Empty an account."""
    cloud.reset(_target(name, caller, doorkeeper))


@post("/api/accounts/{name:str}/snapshots", sync_to_thread=False)
def take_snapshot(
    name: FromPath[str], cloud: TheCloud, caller: TheCaller, doorkeeper: TheDoorkeeper
) -> dict[str, Json]:
    """Keep what an account has."""
    return {"snapshot": cloud.snapshot(_target(name, caller, doorkeeper))}


@post("/api/accounts/{name:str}/restore", status_code=204, sync_to_thread=False)
def restore_account(
    name: FromPath[str],
    data: JSONBody[RestoreBody],
    cloud: TheCloud,
    caller: TheCaller,
    doorkeeper: TheDoorkeeper,
) -> None:
    """Give an account what it had when a snapshot was taken."""
    cloud.restore(_target(name, caller, doorkeeper), data.snapshot)


@post("/api/accounts/{name:str}/sign-out", status_code=204, sync_to_thread=False)
def sign_out(name: FromPath[str], caller: TheCaller, doorkeeper: TheDoorkeeper) -> None:
    """End the sessions and tokens of an account, as time would."""
    doorkeeper.end_sessions(_target(name, caller, doorkeeper))


@put("/api/accounts/{name:str}/quotas", status_code=204, sync_to_thread=False)
def set_quotas(
    name: FromPath[str],
    data: JSONBody[dict[str, int]],
    cloud: TheCloud,
    caller: TheCaller,
    doorkeeper: TheDoorkeeper,
) -> None:
    """Give an account other quotas, by kind; 0: as many as it likes."""
    _admin(caller)
    cloud.set_quotas(_target(name, caller, doorkeeper), data)


@post("/api/clock", status_code=200, sync_to_thread=False)
def turn_clock(data: JSONBody[ClockBody], cloud: TheCloud, caller: TheCaller) -> dict[str, Json]:
    """Put the clock forward."""
    _admin(caller)
    cloud.clock.turn(data.advance_s)
    return {"now": cloud.clock.now().isoformat()}


@post("/api/tokens", sync_to_thread=False)
def new_token(caller: TheCaller, doorkeeper: TheDoorkeeper) -> dict[str, Json]:
    """A bearer token for the caller."""
    return {"token": doorkeeper.new_token(caller.account), "account": caller.account.name}


@post("/ui/frame-token", status_code=200, sync_to_thread=False)
def new_frame_token(
    request: AnyRequest, caller: TheCaller, doorkeeper: TheDoorkeeper, frames: TheFrames
) -> dict[str, Json]:
    """A short-lived token for the console's embedded frames, and where these come from."""
    origins = Origins.of(request, frames)
    token = doorkeeper.new_frame_token(caller.account)
    return {"token": token, "origins": {"same": origins.same, "other": origins.other}}


HANDLERS = [
    accounts,
    reset_account,
    take_snapshot,
    restore_account,
    sign_out,
    set_quotas,
    turn_clock,
    new_token,
    new_frame_token,
]
"""What looks after accounts."""
