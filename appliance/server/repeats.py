"""`Idempotency-Key`: a request that is sent again is not done again, but answered as before."""

import asyncio
import hashlib
import hmac
import re
import secrets

import structlog
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import (
    ASGIApp,
    HTTPResponseStartEvent,
    Message,
    Receive,
    ReceiveMessage,
    Scope,
    Send,
)

from appliance.core.errors import StoreError
from appliance.server.callers import Caller
from appliance.server.parts import Service
from appliance.server.problems import Problem
from appliance.store.idempotency import StoredResponse

PRIVATE_BODY = "is_body_private"
"""Option of a route whose body may hold a secret: `opt={PRIVATE_BODY: True}`."""
_KEY = re.compile("[!-~]{1,255}")
_BOUNDARY = "boundary="
log = structlog.get_logger(__name__)


class Repeats(ASGIMiddleware):
    """Remembers for a day what was answered to a POST with a key.

    But for errors, after which it may be tried again, and for what says `Cache-Control: no-store`,
    such as a new API key: that is kept nowhere. Of a body that may hold a secret (`PRIVATE_BODY`)
    only this process knows the hash again.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, service: Service) -> None:
        self._answers = service.store.answers
        self._clock = service.engine.clock
        self._most = int(service.settings.server.max_request_mib * 2**20)
        self._under_way: set[tuple[str, str]] = set()
        # A plain hash of a short secret is as good as the secret: six digits are soon tried.
        self._pepper = secrets.token_bytes(32)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass on what is new; answer what was done."""
        headers = Headers.from_scope(scope)
        key, caller = headers.get("idempotency-key"), scope.get("user")
        is_post = scope["type"] == ScopeType.HTTP and scope["method"] == "POST"
        if not is_post or key is None or not isinstance(caller, Caller):
            await next_app(scope, receive, send)
            return
        if not _KEY.fullmatch(key):
            raise Problem(400, "`Idempotency-Key` has 1 to 255 visible characters of ASCII.")
        caller_id = caller.key_id or caller.name
        if (caller_id, key) in self._under_way:
            raise Problem(
                409,
                "A request with this `Idempotency-Key` is under way. Ask again in a moment.",
                title="Under way",
                headers={"Retry-After": "1"},
            )
        self._under_way.add((caller_id, key))
        try:
            await self._once(scope, receive, send, next_app, caller_id, key)
        finally:
            self._under_way.discard((caller_id, key))

    async def _once(  # noqa: PLR0913, RUF100 - ASGI's three, and ours
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        next_app: ASGIApp,
        caller_id: str,
        key: str,
    ) -> None:
        messages = await _read_body(receive, self._most)
        request_hash = _hash(scope, messages)
        if scope["route_handler"].opt.get(PRIVATE_BODY):
            request_hash = hmac.digest(self._pepper, request_hash.encode(), "sha256").hex()
        stored = await asyncio.to_thread(self._answers.find, caller_id, key, self._clock.now())
        if stored is not None:
            if stored.request_hash != request_hash:
                raise Problem(
                    422,
                    "This `Idempotency-Key` was used for another request. Take a new one.",
                    title="Key used before",
                )
            await _replay(stored, send)
            return
        answered: list[Message] = []

        async def hold(message: Message) -> None:
            answered.append(message)

        await next_app(scope, _replay_messages(messages, receive), hold)
        start = answered[0] if answered else None
        if start and start["type"] == "http.response.start" and _may_be_kept(start):
            await self._keep(caller_id, key, request_hash, start, answered)
        for message in answered:
            await send(message)

    async def _keep(
        self,
        caller_id: str,
        key: str,
        request_hash: str,
        start: HTTPResponseStartEvent,
        messages: list[Message],
    ) -> None:
        parts = [message["body"] for message in messages if message["type"] == "http.response.body"]
        headers = (
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in start["headers"]
        )
        answer = StoredResponse(
            caller=caller_id,
            idempotency_key=key,
            request_hash=request_hash,
            status=start["status"],
            headers=tuple(headers),
            body=b"".join(parts),
            answered_at=self._clock.now(),
        )
        try:
            await asyncio.to_thread(self._answers.keep, answer)
        except StoreError as error:  # it is done: that has to be said whatever else fails
            log.warning("answer.not_kept", why=str(error))


def _may_be_kept(start: HTTPResponseStartEvent) -> bool:
    """Whether it was done, and its answer holds no secret."""
    headers = MutableScopeHeaders.from_message(start)
    return 200 <= start["status"] < 400 and "no-store" not in headers.get("cache-control", "")


async def _read_body(receive: Receive, most: int) -> list[ReceiveMessage]:
    """Read the body, stopping as soon as it proves too large."""
    messages: list[ReceiveMessage] = []
    size = 0
    while True:
        message = await receive()
        messages.append(message)
        if message["type"] != "http.request":
            return messages
        size += len(message["body"])
        if size > most or not message["more_body"]:
            return messages


def _replay_messages(messages: list[ReceiveMessage], receive: Receive) -> Receive:
    """A `receive` that first gives back the messages that were read already."""
    waiting = iter(messages)

    async def receiving() -> ReceiveMessage:
        message = next(waiting, None)
        return message if message is not None else await receive()

    return receiving


def _hash(scope: Scope, messages: list[ReceiveMessage]) -> str:
    """Of method, address and body, but for the mark between parts, which each try has anew."""
    body = b"".join(message["body"] for message in messages if message["type"] == "http.request")
    media = Headers.from_scope(scope).get("content-type", "")
    kind, _, boundary = media.partition(_BOUNDARY)
    if boundary:
        body = body.replace(boundary.partition(";")[0].strip('" ').encode(), b"")
    method = scope["method"] if scope["type"] == ScopeType.HTTP else ""
    head = (
        f"{method}\n{scope['path']}\n{scope.get('query_string', b'').decode('latin-1')}\n{kind}\n"
    )
    return hashlib.sha256(head.encode() + body).hexdigest()


async def _replay(answer: StoredResponse, send: Send) -> None:
    headers = [*answer.headers, ("idempotency-replayed", "true")]
    await send(
        {
            "type": "http.response.start",
            "status": answer.status,
            "headers": [(n.encode("latin-1"), value.encode("latin-1")) for n, value in headers],
        }
    )
    await send({"type": "http.response.body", "body": answer.body, "more_body": False})
