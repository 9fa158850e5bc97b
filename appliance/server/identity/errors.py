"""Why somebody is not let in."""

from enum import StrEnum

from appliance.core.errors import ApplianceError


class Reason(StrEnum):
    """A kind of failure, each with a sentence of its own for people (`login.oidc.…`)."""

    UNREACHABLE = "unreachable"
    """The provider does not answer, or not in a way that can be used."""
    MISCONFIGURED = "misconfigured"
    """It is another one than the settings say, or does not know us."""
    REFUSED = "refused"
    """The person, or the provider, refused."""
    FAILED = "failed"
    """The provider reports another error."""
    USED_UP = "used_up"
    """The log-in was begun elsewhere, too long ago, or is over."""
    NOT_GENUINE = "not_genuine"
    """What vouches for them is not right."""
    CLOCK = "clock"
    """It is of another time: the clocks differ."""
    UNKNOWN_KEY = "unknown_key"
    """It is signed with a key that the provider does not name."""
    NO_ROLE = "no_role"
    """They are who they say, and have no role here."""


class NotLetIn(ApplianceError):
    """Somebody is not logged in; the message is for the activity log, and holds no secret."""

    def __init__(self, reason: Reason, why: str) -> None:
        super().__init__(why)
        self.reason = reason
