"""The key that kept log-ins are encrypted with, from outside the data folder."""

from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from appliance.config import StorageSettings
from appliance.core.errors import SetupError
from appliance.core.secrets import learn
from appliance.system.secret_references import SecretReference, UnreadableSecretError

_KEY_BYTES = 32
"""AES-256."""
_FEWEST = 32
"""Characters of a secret: what `openssl rand -base64 32` prints has 44."""
_PURPOSE = b"console-docs-appliance session states"


def session_key(settings: StorageSettings, data_dir: Path) -> bytes | None:
    """The key; None where the settings name none.

    Raises:
        SetupError: It cannot be read, is too short, or lies beside what it protects.
    """
    reference = SecretReference(settings.key_env, settings.key_file)
    if not reference:
        return None
    place = f"{reference} (storage.{'key_env' if settings.key_env else 'key_file'})"
    file = None if settings.key_env else settings.key_file
    if file is not None and file.resolve().is_relative_to(data_dir.resolve()):
        raise SetupError(
            f"{place} lies in the data folder {data_dir}: whoever copies that folder has the"
            " key with it. Keep it elsewhere."
        )
    try:
        secret = reference.read().strip()  # what is kept was encrypted without blanks around it
    except UnreadableSecretError as exc:
        raise SetupError(f"{place} cannot be read: {exc}") from None
    if len(learn(secret)) < _FEWEST:
        raise SetupError(
            f"{place} holds no key: {len(secret)} characters, at least {_FEWEST} are needed."
            " `openssl rand -base64 32` makes one."
        )
    derived = HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=_PURPOSE)
    return derived.derive(secret.encode())
