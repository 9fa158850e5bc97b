"""What the page after a form says once: kept in a cookie between the two."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from litestar import Request, Response
from litestar.datastructures import Cookie

from appliance.server.dashboard.preferences import words_in

_COOKIE = "notice"
_LONGEST = 800
"""Characters of a value: browsers drop cookies over 4 KiB."""
_SECONDS = 60

R = TypeVar("R", bound=Response[Any])  # Any: whatever it carries


class Notice(NamedTuple):
    """Something to say at the top of the next page."""

    kind: str
    """`done` or `failed`."""
    key: str
    """Of the catalogue."""
    values: Mapping[str, str]


def with_notice(response: R, notice: Notice) -> R:
    """The response, which tells the next page."""
    values = {name: value[:_LONGEST] for name, value in notice.values.items()}
    text = json.dumps([notice.kind, notice.key, values], ensure_ascii=False)
    response.set_cookie(
        Cookie(
            _COOKIE,
            value=urlsafe_b64encode(text.encode()).decode(),
            max_age=_SECONDS,
            httponly=True,
            samesite="lax",
        )
    )
    return response


def without_notice(response: R) -> R:
    """The response, after which it is said no more."""
    response.delete_cookie(_COOKIE)
    return response


def read_notice(request: Request[Any, Any, Any]) -> Notice | None:  # Any: see `frame.PageRequest`
    """What the page before left to say; None where there is nothing, or nothing of ours."""
    kept = request.cookies.get(_COOKIE)
    if not kept:
        return None
    try:
        kind, key, values = json.loads(urlsafe_b64decode(kept.encode()))
        notice = Notice(str(kind), str(key), {str(k): str(v) for k, v in values.items()})
        words_in("en")(notice.key, None, **notice.values)
    except (ValueError, TypeError, AttributeError, LookupError):
        return None
    return notice if notice.kind in ("done", "failed") else None
