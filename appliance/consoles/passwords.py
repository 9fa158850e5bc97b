"""Reads an account's password at the moment it is needed; nothing keeps it."""

import os

from appliance.config import AccountSettings
from appliance.core.errors import ConsoleError
from appliance.core.secrets import learn


def password_of(name: str, settings: AccountSettings) -> str:
    """The password of the account `name`.

    Raises:
        ConsoleError: The variable is not set, or the file cannot be read or is empty.
    """
    if settings.password_env:
        password = os.environ.get(settings.password_env, "")
        place = f"the environment variable {settings.password_env}"
    elif settings.password_file:
        place = f"the file {settings.password_file}"
        try:
            text = settings.password_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as exc:
            raise ConsoleError(f"cannot read the password of account {name}: {exc}") from exc
        password = text.partition("\n")[0].rstrip("\r")
    else:
        raise ConsoleError(f"account {name} names no password_env and no password_file")
    if not password:
        raise ConsoleError(f"the password of account {name} is empty: set {place}")
    return learn(password)
