"""Backups that only the holder of an age identity can read: to public keys, read with private ones.

The format is age's (age-encryption.org): any `age` program reads it too.
"""

from collections.abc import Sequence
from pathlib import Path

from pyrage import (
    DecryptError,
    EncryptError,
    IdentityError,
    RecipientError,
    decrypt_file,
    encrypt_file,
    ssh,
    x25519,
)

from appliance.core.errors import SetupError, StoreError

_SSH_PRIVATE_KEY = b"-----BEGIN OPENSSH PRIVATE KEY-----"


def check_recipients(recipients: Sequence[str]) -> None:
    """`SetupError` where one is no public key."""
    _recipients(recipients)


def encrypt(source: Path, target: Path, recipients: Sequence[str]) -> None:
    """Encrypt a file to public keys: any one of them opens it.

    Raises:
        SetupError: One is no public key.
        StoreError: It cannot be written.
    """
    keys = _recipients(recipients)
    try:
        encrypt_file(str(source), str(target), keys)
    except EncryptError as error:
        raise StoreError(f"{source} cannot be encrypted to {target}: {error}.") from error


def decrypt(source: Path, target: Path, identity: Path) -> None:
    """Decrypt a file with the private key in another.

    Raises:
        SetupError: There is no such key in it, or it is not one that opens it.
    """
    keys = _identities(identity)
    try:
        decrypt_file(str(source), str(target), keys)
    except DecryptError as error:
        raise SetupError(
            f"{source} cannot be decrypted with {identity}: {error}. Name the identity that belongs"
            " to one of the public keys that it was encrypted to (storage.backup_recipients)."
        ) from error


def _recipients(texts: Sequence[str]) -> list[object]:
    keys: list[object] = []
    for text in texts:
        try:
            kind = ssh if text.startswith("ssh-") else x25519
            keys.append(kind.Recipient.from_str(text.strip()))
        except RecipientError as error:
            raise SetupError(
                f"storage.backup_recipients: {text!r} is no public key: {error}. `age-keygen`"
                " prints one (age1…); keys of OpenSSH (ssh-ed25519, ssh-rsa) do as well."
            ) from error
    return keys


def _identities(file: Path) -> list[object]:
    try:
        data = file.read_bytes()
        if data.lstrip().startswith(_SSH_PRIVATE_KEY):
            return [ssh.Identity.from_buffer(data)]
        lines = [line.strip() for line in data.decode().splitlines()]
        keys_in_it = [line for line in lines if line and not line.startswith("#")]
        keys: list[object] = [x25519.Identity.from_str(line) for line in keys_in_it]
    except (OSError, UnicodeDecodeError, IdentityError) as error:
        raise SetupError(
            f"{file} has no identity that can be used: {getattr(error, 'strerror', error)}. It is"
            " the file that `age-keygen` wrote, or a private key of OpenSSH without passphrase."
        ) from error
    if not keys:
        raise SetupError(f"{file} is empty: name the file that `age-keygen` wrote.")
    return keys
