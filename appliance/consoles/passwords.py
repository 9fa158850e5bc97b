"""Reads an account's password at the moment it is needed; nothing keeps it."""

from appliance.config import AccountSettings
from appliance.core.errors import ConsoleError
from appliance.core.secrets import learn
from appliance.system.secret_references import SecretReference, UnreadableSecretError


def password_of(name: str, settings: AccountSettings) -> str:
    """The password of the account `name`.

    Raises:
        ConsoleError: The variable is not set, or the file cannot be read or is empty.
    """
    place = SecretReference(settings.password_env, settings.password_file)
    if not place:
        raise ConsoleError(f"account {name} names no password_env and no password_file")
    try:
        password = place.read()
    except UnreadableSecretError as exc:
        what = f"the password of account {name}"
        raise ConsoleError(f"cannot read {what} from {place}: {exc}") from exc
    if not password:
        raise ConsoleError(f"the password of account {name} is empty: set {place}")
    return learn(password)
