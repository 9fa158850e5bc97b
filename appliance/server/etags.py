"""Versions of answers: nothing is sent twice that has not changed, nobody overwrites unseen."""

import hashlib

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from appliance.server.problems import AnyRequest, Problem

_LENGTH = 20
"""Hexadecimal digits: 80 bits."""


def etag_of(body: bytes) -> str:
    """Return the ETag of an answer with this body."""
    return f'"{hashlib.sha256(body).hexdigest()[:_LENGTH]}"'


def check_match(request: AnyRequest, tag: str, *, is_required: bool = False) -> None:
    """Whether a change is meant for what there is now.

    Args:
        request: With `If-Match`, or without.
        tag: The version of what there is.
        is_required: Whether it must have the header.

    Raises:
        Problem: 412: it has changed since; 428: the header is missing.
    """
    if_match = request.headers.get("if-match")
    if if_match is None:
        if is_required:
            raise Problem(428, "Send `If-Match` with the `ETag` of what is to be changed.")
    elif not _matches(if_match, tag):
        raise Problem(
            412, "It has changed since it was read. Read it again.", title="Changed meanwhile"
        )


class ETags(ASGIMiddleware):
    """Gives answers in JSON to GET an `ETag`, and says 304 to who has it already."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass on, with an eye on what is answered."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != "GET":
            await next_app(scope, receive, send)
            return
        if_none_match = Headers.from_scope(scope).get("if-none-match", "")
        pending_start: Message | None = None

        async def sending(message: Message) -> None:
            nonlocal pending_start
            if message["type"] == "http.response.start" and _may_have_tag(message):
                pending_start = message  # its headers depend on the body
                return
            if pending_start is not None and message["type"] == "http.response.body":
                start, pending_start = pending_start, None
                if not message.get("more_body") and message.get("body"):
                    start, message = _with_etag(start, message, if_none_match)
                await send(start)
            await send(message)

        await next_app(scope, receive, sending)


def _may_have_tag(start: Message) -> bool:
    if start["type"] != "http.response.start" or start["status"] != 200:
        return False
    headers = MutableScopeHeaders.from_message(start)
    media = headers.get("content-type", "").partition(";")[0]
    return "etag" not in headers and (media == "application/json" or media.endswith("+json"))


def _with_etag(start: Message, body: Message, if_none_match: str) -> tuple[Message, Message]:
    if start["type"] != "http.response.start" or body["type"] != "http.response.body":
        return start, body
    tag = etag_of(body["body"])
    headers = MutableScopeHeaders.from_message(start)
    headers["ETag"] = tag
    if _matches(if_none_match, tag):
        start["status"] = 304
        body["body"] = b""
        for name in ("content-length", "content-type"):
            if name in headers:
                del headers[name]
    return start, body


def _matches(header: str, tag: str) -> bool:
    tags = {value.strip().removeprefix("W/") for value in header.split(",")}
    return "*" in tags or tag in tags
