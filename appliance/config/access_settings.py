"""Settings of who comes to the server and how, and of what consoles made there may name."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from appliance.config.section import Section

RoleName = Literal["viewer", "operator", "admin"]


class TlsSettings(Section):
    """The server's own certificate. Files that change are taken without a restart."""

    certificate: Path | None = None
    """PEM file of the certificate, and behind it those in between, up to the authority's; none: the
    server speaks HTTP."""
    key: Path | None = None
    """PEM file of its private key; none: it is in the file of the certificate."""
    key_password_env: str | None = None
    """Environment variable that holds the password of the private key, where it has one."""
    key_password_file: Path | None = None
    """File that holds it, alone on its first line."""


class OidcSettings(Section):
    """Logging in to the dashboard at an identity provider (OpenID Connect), beside keys."""

    issuer: str = ""
    """Its address, exactly as its discovery document names it (`https://login.example/realms/a`);
    empty: people log in with keys only."""
    client_id: str = ""
    """What it calls the appliance. Register `PUBLIC_URL/login/oidc/callback` there."""
    client_secret_env: str | None = None
    """Environment variable that holds the client's secret."""
    client_secret_file: Path | None = None
    """File that holds it, alone on its first line. Without either: a public client (PKCE only)."""
    name: str = ""
    """What the button says: Log in with NAME; empty: the issuer's host."""
    scopes: tuple[str, ...] = ("openid", "profile", "email")
    """What it is asked for; `openid` has to be among them."""
    roles_claim: str = "groups"
    """Claim with somebody's groups, in the ID token or else from the userinfo endpoint: a text or a
    list; dots lead into it (`realm_access.roles`)."""
    roles: dict[str, RoleName] = Field(default_factory=dict)
    """Values of that claim, and the role of ours that each gives; the highest counts."""
    default_role: RoleName | None = None
    """Role of whoever has none by these; none: they do not come in."""
    timeout_s: float = Field(10.0, gt=0)
    """Longest time for an answer of the identity provider."""
    clock_skew_s: float = Field(60.0, ge=0, le=600)
    """By how much its clock and ours may differ."""


class ConsoleEditingSettings(Section):
    """What consoles that are made in the dashboard, or over REST, may name.

    Without this, an admin's key could have any password or file of the machine sent anywhere.
    """

    hosts: tuple[str, ...] = ()
    """Hosts that they may be at, also those of a log-in or an audit log (`*.example.org`); empty:
    none can be made there."""
    folders: tuple[Path, ...] = ()
    """Folders whose files they may name, of passwords and audit logs (`/run/secrets`); links are
    followed first."""
    variables: tuple[str, ...] = ()
    """Environment variables that they may name (`LAB_*`)."""
