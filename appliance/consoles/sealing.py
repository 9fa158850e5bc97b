"""Log-ins on disk: encrypted, each bound to its console and account.

A file that cannot be decrypted (another key, a file of another account, damage) is as good as none.
"""

import os
from pathlib import Path

import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from appliance.config import StorageSettings
from appliance.core.errors import SetupError
from appliance.system.files import write_whole
from appliance.system.secret_references import SecretReference

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
    # What is kept was encrypted without blanks around it.
    secret = reference.require("the key of kept log-ins").strip()
    if len(secret) < _FEWEST:
        raise SetupError(
            f"{place} holds no key: {len(secret)} characters, at least {_FEWEST} are needed."
            " `openssl rand -base64 32` makes one."
        )
    derived = HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=_PURPOSE)
    return derived.derive(secret.encode())


_FORMAT = b"1"
"""First byte of a file; then the nonce, then what was encrypted."""
_NONCE_BYTES = 12
"""AES-GCM's."""

_log = structlog.get_logger()


def read_sealed(place: Path, cipher: AESGCM) -> str | None:
    """None when there is none, or none that can be used."""
    try:
        data = place.read_bytes()
    except OSError:
        return None
    try:
        if not data.startswith(_FORMAT):
            raise ValueError("of another format")
        sealed = data[len(_FORMAT) :]
        text = cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _owner_of(place))
        return text.decode()
    except (InvalidTag, ValueError) as error:
        _log.warning("session_unreadable", file=str(place), error=type(error).__name__)
        return None


def _owner_of(place: Path) -> bytes:
    """Console, account and file: what it is bound to, so that none passes for another."""
    return "/".join(place.parts[-3:]).encode()


def write_sealed(place: Path, text: str, cipher: AESGCM) -> None:
    """Whole or not at all, and for the owner's eyes only from the first byte."""
    place.parents[3].mkdir(parents=True, exist_ok=True)
    for folder in (place.parents[2], place.parents[1], place.parent):
        folder.mkdir(mode=0o700, exist_ok=True)
    nonce = os.urandom(_NONCE_BYTES)
    sealed = _FORMAT + nonce + cipher.encrypt(nonce, text.encode(), _owner_of(place))
    write_whole(place, sealed, mode=0o600)
