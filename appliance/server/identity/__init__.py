"""Logging in at an identity provider (OpenID Connect): it vouches for people, claims give roles."""

from appliance.server.identity.errors import NotLetIn, Reason
from appliance.server.identity.flows import LASTS_S
from appliance.server.identity.people import person_of
from appliance.server.identity.provider import IdentityProvider, TheProvider, provider_name

__all__ = [
    "LASTS_S",
    "IdentityProvider",
    "NotLetIn",
    "Reason",
    "TheProvider",
    "person_of",
    "provider_name",
]
