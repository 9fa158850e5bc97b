"""The certificate that the server shows: looked at before it starts, read again when it changes."""

import ssl
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import structlog
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes, PublicKeyTypes
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from appliance.config import TlsSettings
from appliance.core.clock import Clock
from appliance.core.errors import SetupError
from appliance.system.secret_references import SecretReference

_WARNED_FOR = timedelta(days=30)
_FOR_OTHERS = 0o007
"""Bits of a file's mode; a group may read a key, as where secrets are mounted into containers."""
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class CertificateState:
    """A certificate and key that belong together and are good now."""

    expires_at: datetime
    warnings: tuple[str, ...]
    """Sentences on what will go wrong, or should not be so."""


class TlsFiles(NamedTuple):
    """Where a certificate, its private key and that one's password are."""

    certificate: Path
    key: Path
    password: SecretReference


def tls_files(settings: TlsSettings) -> TlsFiles | None:
    """What the settings name; None: the server speaks HTTP."""
    if settings.certificate is None:
        return None
    password = SecretReference(settings.key_password_env, settings.key_password_file)
    return TlsFiles(settings.certificate, settings.key or settings.certificate, password)


def examine(files: TlsFiles, now: datetime) -> CertificateState:
    """Whether a server can show that certificate.

    Raises:
        SetupError: A file cannot be read, they do not belong together, or its time is not now.
    """
    file = files.certificate
    try:
        leaf = x509.load_pem_x509_certificates(_read_file(file, "certificate"))[0]
    except ValueError:
        raise SetupError(f"server.tls.certificate: {file} holds no certificate in PEM") from None
    if leaf.not_valid_after_utc <= now:
        expired_at = f"{leaf.not_valid_after_utc:%Y-%m-%d %H:%M} UTC"
        raise SetupError(
            f"server.tls.certificate: {file} expired on {expired_at}; put a new one there"
        )
    if leaf.not_valid_before_utc > now:
        begins = f"{leaf.not_valid_before_utc:%Y-%m-%d %H:%M} UTC"
        raise SetupError(f"server.tls.certificate: {file} is good from {begins} on only")
    if _public_bytes(leaf.public_key()) != _public_bytes(_private_key(files).public_key()):
        raise SetupError(f"server.tls.key: {files.key} is not the key of {file}")
    return CertificateState(leaf.not_valid_after_utc, tuple(_warnings(files, leaf, now)))


def _warnings(files: TlsFiles, leaf: x509.Certificate, now: datetime) -> list[str]:
    warnings = []
    time_left = leaf.not_valid_after_utc - now
    if time_left < _WARNED_FOR:
        warnings.append(f"{files.certificate} expires in {max(time_left.days, 0)} days: renew it")
    if files.key.stat().st_mode & _FOR_OTHERS:
        warnings.append(f"others may read the private key: chmod o= {files.key}")
    return warnings


def _private_key(files: TlsFiles) -> PrivateKeyTypes:
    password = _password(files)
    try:
        return load_pem_private_key(
            _read_file(files.key, "key"), password.encode() if password else None
        )
    except TypeError:
        why = "has a password: name it by key_password_env or key_password_file"
        if password:
            why = "has no password: leave key_password_env and key_password_file out"
    except ValueError:
        why = "holds no private key in PEM, or its password is another"
    raise SetupError(f"server.tls.key: {files.key} {why}")


def _password(files: TlsFiles) -> str:
    return files.password.require("the key's password of server.tls") if files.password else ""


def _read_file(file: Path, key: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise SetupError(
            f"server.tls.{key}: {file} cannot be read: {error.strerror or error}"
        ) from None


def _public_bytes(key: PublicKeyTypes) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


class ServedCertificate:
    """What each new connection is shown: the files as they are now, where they are good."""

    def __init__(self, files: TlsFiles, clock: Clock) -> None:
        self._files = files
        self._clock = clock
        self._loaded_stamp = self._stamp()
        self._current = self._load()

    @property
    def context(self) -> ssl.SSLContext:
        """For the server, as long as it runs."""
        context = self._current
        context.sni_callback = self._choose
        return context

    def _choose(
        self, connection: ssl.SSLObject, name: str | None, context: ssl.SSLContext
    ) -> int | None:
        stamp = self._stamp()
        if stamp != self._loaded_stamp:
            self._loaded_stamp = stamp
            try:
                self._current = self._load()
            except SetupError as error:  # one file of two is there already; or it is a wrong one
                log.warning("certificate.not_taken", why=str(error))
            else:
                log.info("certificate.taken", file=str(self._files.certificate))
        connection.context = self._current
        return None

    def _load(self) -> ssl.SSLContext:
        state = examine(self._files, self._clock.now())
        for warning in state.warnings:
            log.warning("certificate", warning=warning)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        password = _password(self._files)
        try:
            context.load_cert_chain(self._files.certificate, self._files.key, password=password)
        except (OSError, ssl.SSLError) as error:
            raise SetupError(f"server.tls: {error}") from None
        return context

    def _stamp(self) -> tuple[tuple[int, int, int] | None, ...]:
        return tuple(map(_stamp_of, (self._files.certificate, self._files.key)))


def _stamp_of(file: Path) -> tuple[int, int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
