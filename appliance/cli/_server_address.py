"""The address of a server as people write it, and the key for it."""

import os
from ipaddress import ip_address
from pathlib import Path

import httpx

from appliance.cli._output import talk
from appliance.config import KEY_VARIABLE
from appliance.core.errors import SetupError
from appliance.system.secret_references import SecretReference


def key_in(file: Path | None) -> str:
    """The key with which a server is asked; None: the environment's; empty: there is none.

    Raises:
        SetupError: The file cannot be read, or is empty.
    """
    if file is None:
        return os.environ.get(KEY_VARIABLE, "").strip()
    return SecretReference(file=file).require("the key").strip()


def checked_address(url: str, *, has_key: bool) -> str:
    """A server's address without what does not belong there.

    Raises:
        SetupError: It is none, or a password stands in it.
    """
    try:
        parts = httpx.URL(url)
    except httpx.InvalidURL as exc:
        raise SetupError(f"{url!r} is no address of a server: {exc}") from exc
    if parts.userinfo:
        raise SetupError(
            "the address of a server has no name and password in it: name a key with --key-file"
            f" or {KEY_VARIABLE}."
        )
    if parts.scheme not in ("http", "https") or not parts.host:
        raise SetupError(f"{url!r} is no address of a server: as in https://appliance.example")
    if has_key and parts.scheme == "http" and not _is_here(parts.host):
        talk(f"Warning: the key goes to {parts.host} unencrypted: use https.")
    return f"{parts.scheme}://{parts.netloc.decode()}{parts.path.rstrip('/')}"


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
