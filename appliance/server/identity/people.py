"""Who somebody is, and which role their claims give."""

from collections.abc import Iterator

from appliance.config import OidcSettings
from appliance.server.callers import Caller, Role
from appliance.server.identity.errors import NotLetIn, Reason
from appliance.server.identity.tokens import Claims

_NAMES = ("email", "preferred_username", "name", "sub")
_LONGEST = 200


def claim_at(claims: Claims, name: str) -> object:
    """A claim by its name, or by the way to it (`realm_access.roles`); None: there is none."""
    if name in claims:  # some have dots in their names, as addresses do
        return claims[name]
    found: object = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def person_of(claims: Claims, settings: OidcSettings) -> Caller:
    """Whoever the claims are of, in the highest role that they give.

    Raises:
        NotLetIn: They give none.
    """
    subject = f"oidc:{claims['sub']}"
    name = next(filter(None, (_text(claims.get(one)) for one in _NAMES)), subject)
    values = [one for one in _values(claims, settings) if one in settings.roles]
    given = [Role(settings.roles[one]) for one in values]
    if not given and settings.default_role:
        given = [Role(settings.default_role)]
    if not given:
        raise NotLetIn(
            Reason.NO_ROLE,
            f"{name} ({subject}): no value of the claim {settings.roles_claim!r} gives a role",
        )
    role = max(given, key=tuple(Role).index)
    return Caller(name=name, role=role, key_id=subject, session=True)


def _values(claims: Claims, settings: OidcSettings) -> Iterator[str]:
    found = claim_at(claims, settings.roles_claim)
    for one in found if isinstance(found, list) else [found]:
        if isinstance(one, str):
            yield one


def _text(value: object) -> str:
    if not isinstance(value, str):
        return ""
    return "".join(char for char in value if char.isprintable()).strip()[:_LONGEST]
