"""Settings of a company's network: its own certificates, its proxy, certificates of ours."""

from pathlib import Path

from appliance.config.section import Section
from appliance.system.network.network import Network
from appliance.system.network.proxy import Proxy
from appliance.system.network.trust import ClientCertificate
from appliance.system.secret_references import SecretReference

DIRECT = "direct"


class NetworkSettings(Section):
    """How others are reached. Variables such as `HTTPS_PROXY` are not read: only this is."""

    ca: Path | None = None
    """File with certificates in PEM that are trusted besides the system's, or a folder of such
    files: those of a company's own issuer, also for the browsers (which need `certutil`)."""
    proxy: str = ""
    """Proxy on the way to others (`http://proxy.example:3128`); this machine itself is always
    reached directly. The browsers go through it too, and still to the consoles' hosts only."""
    proxy_username: str = ""
    """Name that the proxy knows us by, where it asks for one."""
    proxy_password_env: str | None = None
    """Environment variable that holds the password for it."""
    proxy_password_file: Path | None = None
    """File that holds that password, alone on its first line."""
    no_proxy: tuple[str, ...] = ()
    """What is reached directly: hosts with all under them (`example.org`), only what is under one
    (`.example.org`), networks (`10.0.0.0/8`); with `:port`, at that one."""

    def network(self) -> Network:
        """As those who speak take it."""
        return Network(ca=self.ca, proxy=_proxy(self, "network"), no_proxy=self.no_proxy)


class ConsoleNetworkSettings(Section):
    """How a console is reached where that is not as `network` says for all."""

    proxy: str = ""
    """Its own proxy; `direct`: none; empty: that of `network`."""
    proxy_username: str = ""
    """Name that its own proxy knows us by."""
    proxy_password_env: str | None = None
    """Environment variable that holds the password for it."""
    proxy_password_file: Path | None = None
    """File that holds that password."""
    no_proxy: tuple[str, ...] = ()
    """What of it is reached directly, besides what `network.no_proxy` names."""


class ClientCertificateSettings(Section):
    """A certificate that says who we are, for a console that asks for one (mutual TLS)."""

    certificate: Path | None = None
    """File in PEM, with the certificates between it and its issuer behind it."""
    key: Path | None = None
    """File of its key; empty: it stands in the same file."""
    passphrase_env: str | None = None
    """Environment variable that holds the passphrase of the key."""
    passphrase_file: Path | None = None
    """File that holds that passphrase."""


def network_of(
    general: NetworkSettings,
    name: str,
    own: ConsoleNetworkSettings,
    certificate: ClientCertificateSettings,
) -> Network:
    """The network of the console of that name."""
    of_all = general.network()
    proxy = of_all.proxy
    if own.proxy:
        proxy = _proxy(own, f"consoles.{name}.network") if own.proxy != DIRECT else None
    client = None
    if certificate.certificate is not None:
        client = ClientCertificate(
            certificate=certificate.certificate,
            key=certificate.key,
            passphrase=SecretReference(certificate.passphrase_env, certificate.passphrase_file),
            where=f"consoles.{name}.client_certificate",
        )
    no_proxy = (*of_all.no_proxy, *own.no_proxy)
    return Network(ca=of_all.ca, proxy=proxy, no_proxy=no_proxy, client=client)


def _proxy(settings: NetworkSettings | ConsoleNetworkSettings, where: str) -> Proxy | None:
    if not settings.proxy:
        return None
    password = SecretReference(settings.proxy_password_env, settings.proxy_password_file)
    return Proxy(
        url=settings.proxy.rstrip("/"),
        username=settings.proxy_username,
        password=password,
        where=where,
    )
