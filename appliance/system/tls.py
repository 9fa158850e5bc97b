"""Which certificates this machine trusts, loaded once."""

import ssl
from functools import cache
from pathlib import Path

import httpx

_NO_CHECK_TIME = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, for which `ssl` has no name."""


@cache
def tls_context() -> ssl.SSLContext:
    """What each `httpx` client makes for itself: to load it takes as long as ten requests."""
    return httpx.create_ssl_context()


def pinned_context(certificate: Path) -> ssl.SSLContext:
    """Trusts whoever has that certificate, under whatever name and at any time, and nobody else.

    Raises:
        OSError: The file cannot be read, or holds none.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # whoever has signed it
    context.verify_flags |= _NO_CHECK_TIME
    context.load_verify_locations(certificate)
    return context
