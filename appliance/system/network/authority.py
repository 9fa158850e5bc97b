"""An issuer of certificates that only those trust who are given its own; it ends with its process.

A console that asks for a client certificate is shown to the browser through `relay.py`, which holds
the key and checks the console's own certificate; what the browser sees is issued here. So is what
the workers of one head see.
"""

import ipaddress
import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_GOOD_FOR = timedelta(days=30)
"""Longer than any browser lives."""


class Authority:
    """Its key is in memory only."""

    def __init__(self, good_for: timedelta = _GOOD_FOR) -> None:
        self._good_for = good_for
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named("Console Docs Appliance, for itself")
        basic = x509.BasicConstraints(ca=True, path_length=0)
        own = self._building(self._name, self._key).add_extension(basic, critical=True)
        self._own = own.sign(self._key, hashes.SHA256())
        self._contexts: dict[str, ssl.SSLContext] = {}

    @property
    def pem(self) -> str:
        """The certificate that the browser is to trust."""
        return self._own.public_bytes(Encoding.PEM).decode()

    def context_of(self, host: str) -> ssl.SSLContext:
        """What is shown to the browser as that host."""
        if host not in self._contexts:
            self._contexts[host] = self._issue(host)
        return self._contexts[host]

    def _issue(self, host: str) -> ssl.SSLContext:
        key = ec.generate_private_key(ec.SECP256R1())
        building = self._building(_named(host[:64]), key)
        building = building.add_extension(
            x509.SubjectAlternativeName([_general_name(host)]), critical=False
        ).add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        certificate = building.sign(self._key, hashes.SHA256())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory(prefix="appliance-tls-") as folder:  # OpenSSL reads files
            file = Path(folder) / "host.pem"
            file.write_bytes(
                certificate.public_bytes(Encoding.PEM)
                + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            )
            context.load_cert_chain(file)
        return context

    def _building(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey
    ) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + self._good_for)
        )


def _named(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
