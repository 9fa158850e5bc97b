"""Keeps who did what: every request that changes something, and every key that was wrong.

A handler says with `about` what it acts on, and with `note_failure` that it could not be done
although the answer is no error, as after a form. What it says must hold no secret.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import structlog
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.response import Stream
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from appliance.core.clock import Clock
from appliance.core.errors import StoreError
from appliance.server.callers import Caller
from appliance.server.hosts import network_of
from appliance.server.parts import Service
from appliance.server.permissions import permission_of
from appliance.server.rates import RateLimits
from appliance.store.activity import ActivityFilter, ActivityRecord, ActivityTable, Outcome, Way
from appliance.store.activity_export import MEDIA_TYPES, ActivityFormat, exported

_REFUSED_PER_DAY = 100
"""Refusals and lock-outs of one sender that are kept: who may do nothing shall not fill the disk,
however long they try."""
_ALL_REFUSED_PER_DAY = 1000
"""Of those without a key, and as many of those with one: the former do not hide the latter."""
_DAY_S = 24 * 3600.0
_API = "/api/"
log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _RequestNote:
    """What a handler recorded about its request."""

    object: str = ""
    detail: str = ""
    problem: str | None = None


_under_way: ContextVar[_RequestNote | None] = ContextVar("under_way", default=None)


def about(object: str, detail: str = "") -> None:
    """Record what the current request acts on; by default, what its path names."""
    if note := _under_way.get():
        note.object, note.detail = object, detail


def note_failure(why: str) -> None:
    """Record that what the current request asked for could not be done."""
    if note := _under_way.get():
        note.problem = why


class Sender(NamedTuple):
    """Where a request came from."""

    way: Way
    address: str


class Activity:
    """Writes records of activity into the store and the log."""

    def __init__(self, table: ActivityTable, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._refused = RateLimits(_REFUSED_PER_DAY, clock, _DAY_S)
        self._all_refused = RateLimits(_ALL_REFUSED_PER_DAY, clock, _DAY_S)
        self._left_out = 0

    async def add(
        self,
        deed: str,
        sender: Sender,
        *,
        caller: Caller | None = None,
        object: str = "",
        outcome: Outcome = Outcome.DONE,
        detail: str = "",
    ) -> None:
        """Store and log an entry. A failure to store it is only logged: the action is done."""
        who, address = caller.name if caller else "", sender.address
        if caller is None or outcome is Outcome.REFUSED:
            if self._is_too_much(who, address):
                self._left_out += 1
                log.warning("activity.left_out", deed=deed, who=who, address=address)
                return
            if self._left_out:
                detail = f"{detail} ({self._left_out} before it are in the log only)".lstrip()
                self._left_out = 0
        entry = ActivityRecord(
            happened_at=self._clock.now(),
            who=who,
            key_id=caller.key_id if caller else "",
            role=caller.role.value if caller else "",
            way=sender.way,
            address=address,
            deed=deed,
            object=object,
            outcome=outcome,
            detail=detail,
        )
        try:
            stored = await asyncio.to_thread(self._table.add, entry)
        except StoreError as error:
            log.error(
                "activity.not_kept",
                deed=deed,
                who=who,
                address=address,
                object=object,
                why=str(error),
            )
            return
        log.info(
            "activity",
            number=stored.number,
            deed=deed,
            who=who,
            address=address,
            object=stored.object,
            outcome=outcome.value,
            hash=stored.hash,
        )

    def _is_too_much(self, who: str, address: str) -> bool:
        sender = who or network_of(address)
        return self._refused.take(sender) > 0 or self._all_refused.take("key" if who else "") > 0


class ActivityMiddleware(ASGIMiddleware):
    """Keeps what requests change, before they are answered; nothing of what only looks.

    Nearest to the handlers: an answer that is given again (`Idempotency-Key`) is no second deed.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, service: Service, activity: Activity) -> None:
        self._activity = activity
        self._metrics = service.metrics

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass the request on, and keep a record of its outcome."""
        caller = scope.get("user")
        permission = permission_of(scope["route_handler"])
        is_kept = permission is not None and permission.is_kept
        if scope["type"] != ScopeType.HTTP or not isinstance(caller, Caller) or not is_kept:
            await next_app(scope, receive, send)
            return
        note = _RequestNote(object=_object_of(scope["path_params"]))
        token = _under_way.set(note)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self._keep(scope, caller, str(permission), note, message["status"])
            await send(message)

        try:
            await next_app(scope, receive, sending)
        finally:
            _under_way.reset(token)

    async def _keep(
        self, scope: Scope, caller: Caller, deed: str, note: _RequestNote, status: int
    ) -> None:
        outcome = _outcome(status, note.problem)
        detail = note.detail if note.problem is None else note.problem
        await self._activity.add(
            deed,
            Sender(way_of(scope["path"]), address_of(scope)),
            caller=caller,
            object=note.object,
            outcome=outcome,
            detail=detail or ("" if outcome is Outcome.DONE else f"answered {status}"),
        )


def way_of(path: str) -> Way:
    """Whether a path belongs to the REST API or the dashboard."""
    return Way.REST if path.startswith(_API) else Way.DASHBOARD


def address_of(scope: Scope) -> str:
    """The client's address; the front has already resolved proxies."""
    client = scope.get("client") if scope["type"] == ScopeType.HTTP else None
    return client[0] if client else ""


def _outcome(status: int, problem: str | None) -> Outcome:
    if status in (401, 403):
        return Outcome.REFUSED
    return Outcome.FAILED if status >= 400 or problem is not None else Outcome.DONE


def _object_of(parameters: Mapping[str, object]) -> str:
    """What the path names, from the whole to the part."""
    return "/".join(str(value).strip("/") for value in parameters.values())


_LINES = 500
"""Lines that are sent at a time."""


def activity_download(service: Service, filters: ActivityFilter, format: ActivityFormat) -> Stream:
    """All entries that are wanted, oldest first."""
    about(format.value)
    lines = exported(service.store.activity.each(filters), format)
    day = service.engine.clock.now().date()
    return Stream(
        _batches(lines),
        media_type=MEDIA_TYPES[format],
        headers={
            "Content-Disposition": f'attachment; filename="activity-{day}.{format}"',
            "Cache-Control": "no-store",
        },
    )


def _batches(lines: Iterable[str]) -> Iterator[str]:
    remaining = iter(lines)
    while part := "".join(islice(remaining, _LINES)):
        yield part
