"""Alibaba Cloud's signature ACS3-HMAC-SHA256 of a request without a body, in RPC style.

As "Request syntax and signature method V3" describes it, whose example is in the tests.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

from appliance.outcome.sources.keys import AccessKey

ALGORITHM = "ACS3-HMAC-SHA256"
NOTHING = hashlib.sha256(b"").hexdigest()
"""Hash of a body that is not there."""


def canonical_query(query: Mapping[str, str]) -> str:
    """Sorted, and quoted as RFC 3986 has it."""
    return "&".join(f"{_quote(key)}={_quote(query[key])}" for key in sorted(query))


@dataclass(frozen=True, slots=True, kw_only=True)
class RpcCall:
    """A POST to `/` that is to be signed."""

    host: str
    """As the request's `Host` has it."""
    action: str
    """Name of the operation."""
    version: str
    """Of the API."""
    query: Mapping[str, str]
    """All parameters."""


def signed_headers(call: RpcCall, key: AccessKey, *, at: datetime, nonce: str) -> dict[str, str]:
    """The headers of a call made now (`at`), with its signature; no `nonce` is used twice."""
    headers = {
        "host": call.host,
        "x-acs-action": call.action,
        "x-acs-content-sha256": NOTHING,
        "x-acs-date": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "x-acs-signature-nonce": nonce,
        "x-acs-version": call.version,
    }
    names = ";".join(headers)
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    request = "\n".join(("POST", "/", canonical_query(call.query), lines, names, NOTHING))
    to_sign = f"{ALGORITHM}\n{hashlib.sha256(request.encode()).hexdigest()}"
    signature = hmac.new(key.secret.encode(), to_sign.encode(), hashlib.sha256).hexdigest()
    headers["authorization"] = (
        f"{ALGORITHM} Credential={key.id},SignedHeaders={names},Signature={signature}"
    )
    return headers


def _quote(text: str) -> str:
    return quote(text, safe="-_.~")
