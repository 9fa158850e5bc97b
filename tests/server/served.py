"""`appliance serve` as a process of its own, and certificates for it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from tests.serving import Served, serving

DAY = timedelta(days=1)


@contextmanager
def served(folder: Path, server: Mapping[str, object], **variables: str) -> Iterator[Served]:
    """One that verifies nothing by itself."""
    settings = {
        "server": dict(server),
        "consoles": {"lab": {"kind": "generic", "url": "http://127.0.0.1:9/"}},
        "schedules": {"nightly": {"is_enabled": False}, "backup": {"is_enabled": False}},
    }
    with serving(folder, settings, **variables) as running:
        yield running


def write_certificate(
    folder: Path, *, good_for: timedelta = 90 * DAY, password: str = "", name: str = "docs.example"
) -> tuple[Path, Path]:
    """Files of a certificate for that name and 127.0.0.1, signed by itself, and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 400 * DAY)
        .not_valid_after(now + good_for)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate, private = folder / "tls.crt", folder / "tls.key"
    certificate.write_bytes(made.public_bytes(Encoding.PEM))
    protection = BestAvailableEncryption(password.encode()) if password else NoEncryption()
    private.touch(mode=0o600)
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, protection))
    return certificate, private
