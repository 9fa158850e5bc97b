"""Logging in at an identity provider (OpenID Connect): it vouches for people, claims give roles."""

from appliance.server.identity.errors import NotLetIn, Reason
from appliance.server.identity.provider import (
    LASTS_S,
    IdentityProvider,
    TheProvider,
    person_of,
    provider_name,
)

__all__ = [
    "LASTS_S",
    "IdentityProvider",
    "NotLetIn",
    "Reason",
    "TheProvider",
    "person_of",
    "provider_name",
]
