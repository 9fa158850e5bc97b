"""The key that kept log-ins are encrypted with, from outside the data folder."""

import os
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from appliance.config import StorageSettings
from appliance.core.errors import SetupError
from appliance.core.secrets import learn

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
    if settings.key_env:
        place = f"the environment variable {settings.key_env} (storage.key_env)"
        secret = os.environ.get(settings.key_env, "").strip()
    elif settings.key_file:
        place = f"the file {settings.key_file} (storage.key_file)"
        if settings.key_file.resolve().is_relative_to(data_dir.resolve()):
            raise SetupError(
                f"{place} lies in the data folder {data_dir}: whoever copies that folder has the"
                " key with it. Keep it elsewhere."
            )
        secret = _first_line(settings.key_file, place)
    else:
        return None
    if len(learn(secret)) < _FEWEST:
        raise SetupError(
            f"{place} holds no key: {len(secret)} characters, at least {_FEWEST} are needed."
            " `openssl rand -base64 32` makes one."
        )
    derived = HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=_PURPOSE)
    return derived.derive(secret.encode())


def _first_line(file: Path, place: str) -> str:
    try:
        return file.read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else "it is no text"
        raise SetupError(f"{place} cannot be read: {why}") from None
