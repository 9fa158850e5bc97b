"""Which certificates this machine trusts, loaded once."""

import ssl
from functools import cache
from pathlib import Path

import httpx


@cache
def tls_context() -> ssl.SSLContext:
    """What each `httpx` client makes for itself: to load it takes as long as ten requests."""
    return httpx.create_ssl_context()


def pinned_context(certificate: Path) -> ssl.SSLContext:
    """Trusts whoever has that certificate, under whatever name, and nobody else.

    Raises:
        OSError: The file cannot be read, or holds none.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # whoever has signed it
    context.load_verify_locations(certificate)
    return context
