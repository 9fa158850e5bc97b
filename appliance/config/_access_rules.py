"""What settings of `server.tls` and `server.oidc` must be true of together."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from appliance.config._schema import Path
from appliance.config.access_settings import OidcSettings
from appliance.config.settings import Settings

_TLS = ("server", "tls")
_OIDC = ("server", "oidc")
_LOCAL = ("127.0.0.1", "::1", "localhost")


def contradictions_of_access(settings: Settings) -> Iterator[tuple[Path, str]]:
    """Everything that does not fit together, with the path of the value to change."""
    tls, oidc = settings.server.tls, settings.server.oidc
    if tls.key and not tls.certificate:
        yield (*_TLS, "certificate"), "`server.tls` has a `key` and no `certificate`; name both."
    if tls.key_password_env and tls.key_password_file:
        yield _TLS, "`server.tls` has `key_password_env` and `key_password_file`; keep one."
    if oidc.issuer:
        yield from _of_oidc(oidc)
    elif oidc.client_id:
        yield (*_OIDC, "issuer"), "`server.oidc` has a `client_id` and no `issuer`; name both."


def _of_oidc(oidc: OidcSettings) -> Iterator[tuple[Path, str]]:
    if oidc.client_secret_env and oidc.client_secret_file:
        yield _OIDC, "`server.oidc` has `client_secret_env` and `client_secret_file`; keep one."
    if not oidc.client_id:
        yield (*_OIDC, "client_id"), "`server.oidc.client_id` is required beside an `issuer`."
    if not _is_safe(oidc.issuer):
        yield (
            (*_OIDC, "issuer"),
            "`server.oidc.issuer`: expected an address that starts with https:// (http:// to this"
            " machine only), without a query.",
        )
    if "openid" not in oidc.scopes:
        yield (*_OIDC, "scopes"), "`server.oidc.scopes` needs `openid`."
    if not oidc.roles and not oidc.default_role:
        yield (
            (*_OIDC, "roles"),
            "`server.oidc` needs `roles` or `default_role`, or nobody could come in.",
        )


def _is_safe(issuer: str) -> bool:
    """Over HTTP, whoever is in between could log in as anybody."""
    try:
        parts = urlsplit(issuer)
        is_plain = bool(parts.hostname) and not (parts.query or parts.fragment or parts.username)
    except ValueError:
        return False
    is_local = parts.scheme == "http" and parts.hostname in _LOCAL
    return is_plain and (parts.scheme == "https" or is_local)
