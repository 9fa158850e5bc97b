"""Whether an ID token is the provider's, for us, of now, and of this log-in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from joserfc import jwt
from joserfc.errors import (
    BadSignatureError,
    ClaimError,
    ExpiredTokenError,
    InvalidKeyIdError,
    JoseError,
)
from joserfc.jwk import KeySet
from joserfc.jwt import JWTClaimsRegistry

from appliance.server.identity.errors import NotLetIn, Reason

Claims: TypeAlias = Mapping[str, Any]  # Any: JSON
_ALGORITHMS = tuple(f"{kind}{bits}" for kind in ("RS", "PS", "ES") for bits in (256, 384, 512))
"""With a public key: `none`, and what the client's own secret would sign, are refused."""
_OF_TIME = ("iat", "nbf")


class UnknownKeyError(Exception):
    """It is signed with a key that is not in the set: there may be a newer set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a token has to say."""

    issuer: str
    client_id: str
    nonce: str
    now_s: int
    """Since 1970."""
    skew_s: int
    """By how much the clocks may differ."""


def claims_of(token: str, keys: KeySet, expected: Expected) -> Claims:
    """What it says, where all of it is as it should be.

    Raises:
        UnknownKeyError: The set has no key of that name.
        NotLetIn: Something is not as it should be; the message says what.
    """
    try:
        claims = jwt.decode(token, keys, algorithms=_ALGORITHMS).claims
    except InvalidKeyIdError:
        raise UnknownKeyError from None
    except BadSignatureError:
        raise NotLetIn(Reason.NOT_GENUINE, "the ID token's signature is wrong") from None
    except (JoseError, ValueError) as error:
        raise NotLetIn(
            Reason.NOT_GENUINE, f"the ID token cannot be read: {type(error).__name__}"
        ) from None
    registry = JWTClaimsRegistry(
        now=expected.now_s,
        leeway=expected.skew_s,
        iss={"essential": True, "value": expected.issuer},
        aud={"essential": True, "value": expected.client_id},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": expected.nonce},
        azp={"value": expected.client_id},
    )
    try:
        registry.validate(claims)
    except ExpiredTokenError:
        raise NotLetIn(Reason.CLOCK, "the ID token has expired: do the clocks agree?") from None
    except ClaimError as error:
        claim = error.claim or "a claim"
        if claim in _OF_TIME:
            why = f"the ID token's {claim} is in the future: do the clocks agree?"
            raise NotLetIn(Reason.CLOCK, why) from None
        raise NotLetIn(
            Reason.NOT_GENUINE, f"the ID token's {claim} is not what it should be"
        ) from None
    return claims
