"""Tries an address once, and says by which way, or what is wrong on it. Nothing is asked there."""

import asyncio
import ssl
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.x509.oid import NameOID

from appliance.core.errors import SetupError
from appliance.system.network.faults import SAYS_MORE, explain, verify_fault
from appliance.system.network.network import Network

_TIMEOUT_S = 10.0
_ALERT_S = 0.5
"""TLS 1.3 tells of a missing client certificate only when the handshake is over."""

_HUNG_UP = (
    "it ends the connection as soon as it is there, as servers do without a client certificate that"
    " they know: see client_certificate of the console"
)


class Reached(NamedTuple):
    """How an address is reached, or why not."""

    way: str
    """`directly`, or through which proxy."""
    problem: str
    """Empty: it is reached, and its certificate is trusted."""


async def reach(url: str, network: Network) -> Reached:
    """Connect to an address, and look at its certificate where it has one."""
    proxy = network.proxy_for(url)
    route = f"through the proxy {proxy.url}" if proxy else "directly"
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            await _connect(url, network)
    except TimeoutError:
        return Reached(route, f"no answer within {_TIMEOUT_S:g} s")
    except ssl.SSLCertVerificationError as error:
        return Reached(route, await _fault(url, network, error))
    except (OSError, SetupError, ValueError) as error:
        return Reached(route, explain(error).removesuffix(SAYS_MORE))
    return Reached(route, "")


async def _connect(url: str, network: Network) -> None:
    parts = urlsplit(url)
    host = parts.hostname or ""
    proxy = network.proxy_for(url)
    if parts.scheme == "http" and proxy is not None:  # proxies refuse tunnels to what is not TLS
        _, writer = await proxy.connect(network.proxy_context())
        writer.close()
        return
    reader, writer = await network.dial(host, parts.port or (443 if _is_tls(url) else 80))
    try:
        if _is_tls(url):
            await writer.start_tls(network.ssl_context(), server_hostname=host)
            with suppress(TimeoutError):
                async with asyncio.timeout(_ALERT_S):
                    if not await reader.read(1):  # asyncio tells of no alert but so
                        raise ConnectionAbortedError(_HUNG_UP)
    finally:
        writer.close()


def _is_tls(url: str) -> bool:
    return url.startswith("https:")


async def _fault(url: str, network: Network, error: ssl.SSLCertVerificationError) -> str:
    """Explain a certificate error, naming the certificate where it can be fetched."""
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            certificate = await _shown_certificate(url, network)
    except (OSError, TimeoutError, ValueError):
        return f"its certificate {verify_fault(error)}"
    return f"its certificate ({_describe(certificate)}) {verify_fault(error)}"


async def _shown_certificate(url: str, network: Network) -> x509.Certificate:
    """Fetch the server's certificate without trusting it: the connection is closed at once."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    _, writer = await network.dial(host, parts.port or 443)
    try:
        await writer.start_tls(context, server_hostname=host)
        return x509.load_der_x509_certificate(
            writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        )
    finally:
        writer.close()


def _describe(certificate: x509.Certificate) -> str:
    until = certificate.not_valid_after_utc
    ends = "valid until" if until > datetime.now(UTC) else "expired on"
    names = ", ".join(_names(certificate)) or _common_name(certificate.subject)
    return f"for {names}, issued by {_common_name(certificate.issuer)}, {ends} {until:%Y-%m-%d}"


def _names(certificate: x509.Certificate) -> list[str]:
    try:
        listed = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (x509.ExtensionNotFound, ValueError):
        return []
    return [str(name.value) for name in listed][:5]


def _common_name(name: x509.Name) -> str:
    attributes = name.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(attributes[0].value) if attributes else name.rfc4514_string() or "nobody"
