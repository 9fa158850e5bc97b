"""What settings of the network must be true of together."""

import ipaddress
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from appliance.config._schema import Path
from appliance.config.network_settings import (
    DIRECT,
    ClientCertificateSettings,
    ConsoleNetworkSettings,
    NetworkSettings,
)
from appliance.config.settings import ConsoleSettings, Settings

_HOST = re.compile(r"\.?[\w-]+(\.[\w-]+)*\.?(:\d{1,5})?")
_ADDRESS_WITH_PORT = re.compile(r"(\[[^\]]+\]|[\d.]+):\d{1,5}")


def contradictions_of_network(settings: Settings) -> Iterator[tuple[Path, str]]:
    """Everything that does not fit together, with the path of the value to change."""
    yield from _of_proxy(("network",), settings.network)
    for name, console in settings.consoles.items():
        yield from _of_console(("consoles", name), console)


def _of_console(path: Path, console: ConsoleSettings) -> Iterator[tuple[Path, str]]:
    if console.network.proxy != DIRECT:
        yield from _of_proxy((*path, "network"), console.network)
    yield from _of_certificate((*path, "client_certificate"), console.client_certificate)


def _of_proxy(
    path: Path, network: NetworkSettings | ConsoleNetworkSettings
) -> Iterator[tuple[Path, str]]:
    key_path = ".".join(path)
    if network.proxy and (wrong := _wrong_address(network.proxy, f"{key_path}.proxy_username")):
        yield (*path, "proxy"), f"`{key_path}.proxy`{wrong}"
    has_password = bool(network.proxy_password_env or network.proxy_password_file)
    if network.proxy_password_env and network.proxy_password_file:
        yield path, f"`{key_path}` has `proxy_password_env` and `proxy_password_file`; keep one."
    elif bool(network.proxy_username) != has_password:
        yield (
            path,
            f"`{key_path}` needs `proxy_username` with `proxy_password_env` or"
            " `proxy_password_file`, or none of them.",
        )
    elif has_password and not network.proxy:
        yield path, f"`{key_path}` has a password for a proxy, and no `proxy`."
    for entry in network.no_proxy:
        if not _is_entry(entry):
            yield (
                (*path, "no_proxy"),
                f"`{key_path}.no_proxy`: {entry!r} is no host, `.domain` or network (10.0.0.0/8).",
            )


def _wrong_address(text: str, username: str) -> str:
    """What is wrong with the address of a proxy: the rest of a sentence."""
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_address = is_address and (parts.port or 1) > 0 and parts.path in ("", "/")
    except ValueError:
        is_address = False
    if not is_address:
        return ": expected an address such as http://proxy.example:3128."
    if parts.username or parts.password:
        return f" has a password in it; name it: `{username}`, and `proxy_password_env`."
    return ""


def _is_entry(entry: str) -> bool:
    if _HOST.fullmatch(entry) or _ADDRESS_WITH_PORT.fullmatch(entry):
        return True
    try:
        ipaddress.ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        return False
    return True


def _of_certificate(
    path: Path, certificate: ClientCertificateSettings
) -> Iterator[tuple[Path, str]]:
    key_path = ".".join(path)
    if certificate.certificate is None and (
        certificate.key or certificate.passphrase_env or certificate.passphrase_file
    ):
        yield path, f"`{key_path}` needs `certificate`: the file in PEM."
    if certificate.passphrase_env and certificate.passphrase_file:
        yield path, f"`{key_path}` has `passphrase_env` and `passphrase_file`; keep one."
