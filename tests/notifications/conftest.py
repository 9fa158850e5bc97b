"""An empty store, and settings with one notification."""

from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from appliance.config import NotificationSettings, ServerSettings, Settings, SweepSettings
from appliance.store.store import Store


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path) as store:
        yield store


@pytest.fixture
def told(monkeypatch):
    """`told(url, **settings)`: all settings, with one notification `team` to that address."""

    def make(url, **more):
        monkeypatch.setenv("TEAM_URL", url)
        return Settings(
            notifications={"team": NotificationSettings(url_env="TEAM_URL", **more)},
            server=ServerSettings(public_url="https://docs.example"),
            sweep=SweepSettings(time_zone="Europe/Berlin"),
        )

    return make


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A file with a certificate for 127.0.0.1, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "chat")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), False
        )
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("certificate") / "chat.pem"
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(private + made.public_bytes(pem))
    return file
