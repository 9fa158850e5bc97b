"""Alibaba Cloud's signature ACS3-HMAC-SHA256 of a request without a body, in RPC style.

As "Request syntax and signature method V3" describes it, whose example is in the tests.
"""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import quote

ALGORITHM = "ACS3-HMAC-SHA256"
NOTHING = hashlib.sha256(b"").hexdigest()
"""Hash of a body that is not there."""


def canonical_query(query: Mapping[str, str]) -> str:
    """Sorted, and quoted as RFC 3986 has it."""
    return "&".join(f"{_quoted(key)}={_quoted(query[key])}" for key in sorted(query))


def signed_headers(
    *,
    host: str,
    action: str,
    version: str,
    query: Mapping[str, str],
    key_id: str,
    secret: str,
    at: datetime,
    nonce: str,
    method: str = "POST",
) -> dict[str, str]:
    """The headers of a request to `/`, with its signature.

    Args:
        host: As the request's `Host` has it.
        action: Name of the operation.
        version: Of the API.
        query: All parameters.
        key_id: Id of the access key.
        secret: Its secret.
        at: Now.
        nonce: Never the same twice.
        method: GET or POST.
    """
    headers = {
        "host": host,
        "x-acs-action": action,
        "x-acs-content-sha256": NOTHING,
        "x-acs-date": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "x-acs-signature-nonce": nonce,
        "x-acs-version": version,
    }
    names = ";".join(headers)
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    request = "\n".join((method, "/", canonical_query(query), lines, names, NOTHING))
    to_sign = f"{ALGORITHM}\n{hashlib.sha256(request.encode()).hexdigest()}"
    signature = hmac.new(secret.encode(), to_sign.encode(), hashlib.sha256).hexdigest()
    headers["authorization"] = (
        f"{ALGORITHM} Credential={key_id},SignedHeaders={names},Signature={signature}"
    )
    return headers


def _quoted(text: str) -> str:
    return quote(text, safe="-_.~")
