"""The keys of an audit source, read at the moment of use; nothing keeps them."""

from typing import NamedTuple

from appliance.config import AuditSettings
from appliance.core.errors import OutcomeError
from appliance.core.secrets import learn
from appliance.system.secret_references import SecretReference


class AccessKey(NamedTuple):
    """An access key."""

    id: str
    secret: str


def keys_of(settings: AuditSettings) -> AccessKey | None:
    """The access key that the settings name; None: they name none.

    Raises:
        OutcomeError: A variable that they name is not set.
    """
    if not settings.key_id_env and not settings.key_secret_env:
        return None
    return AccessKey(_read("key_id_env", settings.key_id_env), secret_of(settings))


def secret_of(settings: AuditSettings) -> str:
    """The secret of an access key, or of a signature.

    Raises:
        OutcomeError: It is not named, or the variable is not set.
    """
    return learn(_read("key_secret_env", settings.key_secret_env))


def _read(key: str, variable: str | None) -> str:
    if not variable:
        raise OutcomeError(f"audit.{key} is missing: name the environment variable that holds it")
    value = SecretReference(variable).read().strip()
    if not value:
        raise OutcomeError(
            f"audit.{key}: the environment variable {variable} is empty; set it, or name another"
        )
    return value
