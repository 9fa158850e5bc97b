"""Logging in at an identity provider (OpenID Connect): it vouches for people, claims give roles."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.server.identity.errors import NotLetIn, Reason
    from appliance.server.identity.provider import (
        LASTS_S,
        IdentityProvider,
        TheProvider,
        person_of,
        provider_name,
    )
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "LASTS_S",
    "IdentityProvider",
    "NotLetIn",
    "Reason",
    "TheProvider",
    "person_of",
    "provider_name",
]
