"""`appliance serve` as a process of its own, and certificates for it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Served:
    """A server that answers."""

    url: str
    folder: Path
    environment: Mapping[str, str]

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Another command of the same folder."""
        return subprocess.run(
            [sys.executable, "-m", "appliance.cli", *words],
            cwd=self.folder,
            env=dict(self.environment),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    @property
    def log(self) -> str:
        """What it said so far."""
        return (self.folder / "serve.log").read_text()


def environment(**more: str) -> dict[str, str]:
    """This process's, without settings of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("APPLIANCE_")}
    return kept | {"PYTHONPATH": str(Path.cwd())} | more


@contextmanager
def served(folder: Path, server: Mapping[str, object], **variables: str) -> Iterator[Served]:
    """One that verifies nothing by itself."""
    settings = {
        "server": {"port": 0} | dict(server),
        "consoles": {"lab": {"kind": "generic", "url": "http://127.0.0.1:9/"}},
        "schedules": {"nightly": {"is_enabled": False}, "backup": {"is_enabled": False}},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(settings))
    around = environment(**variables)
    with (folder / "serve.log").open("a") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "appliance.cli", "serve", "--json"],
            cwd=folder,
            env=around,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        line = process.stdout.readline()
        told = json.loads(line or "{}")
        assert "url" in told, (folder / "serve.log").read_text()
        yield Served(told["url"], folder, around)
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


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
