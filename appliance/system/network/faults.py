"""What went wrong on the way to a server, as a sentence for people."""

import ssl
from collections.abc import Iterator

from appliance.system.network.proxy import NEEDS_LOG_IN, ProxyError

SAYS_MORE = "; `appliance doctor` says more"
_SET_CA = "if it is your company's own, name its issuer's file as network.ca"
_VERIFY = {
    9: "is not valid yet: see the clocks of both machines",
    10: "has expired: it has to be renewed there",
    18: f"is self-signed: {_SET_CA}",
    19: f"leads to an issuer that is not trusted here: {_SET_CA}",
    20: f"is by an issuer that is not trusted here: {_SET_CA}",
    21: f"is by an issuer that is not trusted here: {_SET_CA}",
    62: "is for another name: correct the address, or the certificate there",
    64: "is for another address: correct the address, or the certificate there",
}
"""By OpenSSL's numbers (X509_V_ERR_…)."""
_WANTS_ONE = ("CERTIFICATE_REQUIRED", "HANDSHAKE_FAILURE", "BAD_CERTIFICATE", "UNKNOWN_CA")


def explain(error: BaseException) -> str:
    """Why an address could not be reached, with what to do where that is known."""
    for cause in _chain(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate {verify_fault(cause)}{SAYS_MORE}"
        if isinstance(cause, ssl.SSLError) and wants_client_certificate(cause):
            return f"{_WANTS_CERTIFICATE}{SAYS_MORE}"
        if isinstance(cause, ProxyError):
            return str(cause)
    text = str(error) or type(error).__name__
    if text.startswith(f"{NEEDS_LOG_IN} "):  # httpx has no class for it
        return f"the proxy wants another name or password ({text}): see network.proxy_username"
    return text


_WANTS_CERTIFICATE = (
    "it does not take us without a client certificate that it knows: see client_certificate of the"
    " console"
)


def verify_fault(error: ssl.SSLCertVerificationError) -> str:
    """What is wrong with a certificate: the end of a sentence that begins with it."""
    fault = _VERIFY.get(error.verify_code)
    return fault or f"cannot be trusted: {error.verify_message}"


def wants_client_certificate(error: ssl.SSLError) -> bool:
    """Whether a server ended the connection for want of a certificate of ours, or for ours."""
    reason = error.reason or ""
    return "ALERT" in reason and reason.endswith(_WANTS_ONE)


def _chain(error: BaseException) -> Iterator[BaseException]:
    visited: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in visited:
        visited.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
