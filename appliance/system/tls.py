"""Which certificates this machine trusts, loaded once."""

import ssl
from functools import cache

import httpx


@cache
def tls_context() -> ssl.SSLContext:
    """What each `httpx` client makes for itself: to load it takes as long as ten requests."""
    return httpx.create_ssl_context()
