"""Operations, with what the description of the API says of them: above all how they may fail."""

from collections.abc import Callable, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any, Self

from litestar import get, post
from litestar.datastructures import ResponseHeader
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example

from appliance.server.api.shapes.base import Problem
from appliance.server.permissions import Permission, needs
from appliance.server.problems import MEDIA_TYPE

_WHY = {
    400: ("invalid-request", "The request is not what is described here."),
    401: ("key-needed", "No key was sent, or none that is known."),
    403: ("role-too-small", "The key's role may not do this."),
    404: ("not-found", "There is no such thing."),
    409: ("conflict", "It is not in a state for this, or the same request is under way."),
    410: ("gone", "It is over: nobody waits for it any more."),
    412: ("precondition-failed", "It has changed since it was read: read it again."),
    413: ("request-too-large", "The request is larger than the settings allow."),
    415: ("unsupported-media-type", "The body is of another media type."),
    422: ("not-possible", "The request is understood, but cannot be done; `detail` says why."),
    428: ("precondition-required", "Send `If-Match`, so that nobody's work is lost."),
    429: ("too-many-requests", "Too many requests; `Retry-After` says when to go on."),
    502: ("console", "The console does not answer."),
    503: ("store", "The store does not answer, or the server is stopping."),
}

LOCATION = ResponseHeader(
    name="Location",
    description="Where it is.",
    documentation_only=True,
    required=True,
)


def reads(
    path: str, operation_id: str, summary: str, *, fails: Sequence[int] = (), **more: Any
) -> Callable[[Any], HTTPRouteHandler]:  # Any: as Litestar's own decorators have it
    """A GET; besides the statuses of all, it may fail with these."""
    responses = problems(*fails)
    return get(path, operation_id=operation_id, summary=summary, responses=responses, **more)


def acts(  # noqa: PLR0913, RUF100 - what all of them say
    path: str,
    operation_id: str,
    summary: str,
    permission: Permission,
    *,
    answers: str,
    fails: Sequence[int] = (),
    status_code: int = 200,
    opt: dict[str, Any] | None = None,
    **more: Any,
) -> Callable[[Any], HTTPRouteHandler]:  # Any: as Litestar's own decorators have it
    """A POST that somebody has to be allowed; `answers` says what its answer is. See `reads`."""
    return post(
        path,
        operation_id=operation_id,
        summary=summary,
        opt=needs(permission) | (opt or {}),
        response_description=answers,
        responses=problems(403, *fails),
        status_code=status_code,
        **more,
    )


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    """Those of one operation; some are those of all."""
    return {status: _problem(status) for status in sorted({400, 401, 429, 503, *statuses})}


class _Shared(ResponseSpec):
    """One for all operations, though Litestar copies each deeply: that was half of its start."""

    def __deepcopy__(self, memo: object) -> Self:
        return self


@cache
def _problem(status: int) -> ResponseSpec:
    code, why = _WHY[status]
    example = {
        "type": f"urn:appliance:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": why,
    }
    return _Shared(
        data_container=Problem,
        generate_examples=False,
        description=why,
        media_type=MEDIA_TYPE,
        examples=[Example(value=example)],
    )
