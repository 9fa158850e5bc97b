"""Secrets that are told in files: on the first line, alone."""

from pathlib import Path

from appliance.core.errors import SetupError
from appliance.practice.accounts import DEVELOPMENT_PASSWORD
from appliance.system.secret_references import SecretReference, UnreadableSecretError


def password_in(file: Path | None) -> str:
    """The password of all accounts; without a file, the one that everybody knows."""
    return DEVELOPMENT_PASSWORD if file is None else _secret_in(file, "password")


def second_factor_in(file: Path | None) -> str:
    """The secret of the second factor; without a file, none."""
    return "" if file is None else _secret_in(file, "second factor").strip()


def _secret_in(file: Path, what: str) -> str:
    try:
        secret = SecretReference(file=file).read()
    except UnreadableSecretError as exc:
        raise SetupError(f"cannot read the {what} file {file}: {exc}") from exc
    if not secret.strip():
        raise SetupError(f"the {what} file {file} is empty: its first line is the {what}")
    return secret
