"""No web page but our own may make a browser change anything here."""

from urllib.parse import urlsplit

from appliance.server.problems import AnyRequest, Problem

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_PORTS = {"http": 80, "https": 443}


def check_origin(request: AnyRequest) -> None:
    """Programs say nothing of an origin; browsers always do.

    Raises:
        Problem: 403: a page of another origin sends it.
    """
    if request.method in _SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        is_ours = site in ("same-origin", "none")
    else:
        origin = request.headers.get("origin")
        is_ours = origin is None or _is_same(origin, request.headers.get("host", ""))
    if not is_ours:
        raise Problem(
            403,
            "A page of another site sent this. Programs send a key instead.",
            title="Not from here",
            code="other-origin",
        )


def _is_same(origin: str, host: str) -> bool:
    try:
        asking = urlsplit(origin)
        host_parts = urlsplit(f"{asking.scheme}://{host}")
        standard = _PORTS.get(asking.scheme)
        return asking.hostname is not None and (
            (asking.hostname, asking.port or standard)
            == (host_parts.hostname, host_parts.port or standard)
        )
    except ValueError:
        return False
