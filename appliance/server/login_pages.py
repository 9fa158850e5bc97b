"""Logging in to the dashboard with a key, and out. The form itself is a page of the dashboard."""

from dataclasses import dataclass
from urllib.parse import urlencode

from litestar import post
from litestar.params import URLEncodedBody
from litestar.response import Redirect

from appliance.server.callers import PUBLIC
from appliance.server.keys import ExpiredKey
from appliance.server.logins import TheLogins, safe_next
from appliance.server.problems import LOG_IN, AnyRequest


@dataclass(frozen=True, slots=True)
class LogInForm:
    """The fields of the log-in form."""

    key: str = ""
    next: str = "/"
    """Where to go then."""


@post(LOG_IN, opt={PUBLIC: True})
async def log_in(
    request: AnyRequest, logins: TheLogins, data: URLEncodedBody[LogInForm]
) -> Redirect:
    """To where somebody wanted to go, or back to the form where the key is none."""
    try:
        cookie, failed = await logins.log_in(request, data.key), "1"
    except ExpiredKey:
        cookie, failed = None, "expired"
    if cookie is None:
        again = urlencode({"failed": failed, "next": safe_next(data.next)})
        return Redirect(f"{LOG_IN}?{again}", status_code=303)
    return Redirect(safe_next(data.next), status_code=303, cookies=[cookie])


@post("/logout", opt={PUBLIC: True})
async def log_out(request: AnyRequest, logins: TheLogins) -> Redirect:
    """Back to the form; what the browser has is worth nothing from now on."""
    return Redirect(LOG_IN, status_code=303, cookies=[await logins.log_out(request)])


ROUTES = (log_in, log_out)
