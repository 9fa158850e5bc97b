"""Which certificates are trusted: the system's, and those that the settings name beside them."""

import atexit
import re
import shutil
import ssl
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import certifi

from appliance.core.errors import SetupError
from appliance.system.secret_references import SecretReference

_PEM = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
_HASHED = re.compile(r"[0-9a-f]{8}\.\d+")
"""Names under which OpenSSL looks for certificates in a folder."""
_KEPT = 32
_NO_CHECK_TIME = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, for which `ssl` has no name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientCertificate:
    """What says who we are, to a server that asks."""

    certificate: Path
    """PEM, with the certificates between it and its issuer behind it."""
    key: Path | None = None
    """None: it stands in the same file."""
    passphrase: SecretReference = field(default_factory=SecretReference)
    where: str = ""
    """The path of the setting, for messages."""


def ssl_context(ca: Path | None, client: ClientCertificate | None) -> ssl.SSLContext:
    """For connections to servers. Made once, and again when a file has changed.

    Raises:
        SetupError: A certificate or key cannot be read.
    """
    return _context(ca, client, _stamp(ca, client))


def pinned_context(certificate: Path) -> ssl.SSLContext:
    """Trusts whoever has that certificate, under whatever name and at any time, and nobody else.

    Raises:
        OSError: The file cannot be read, or holds none.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # whoever has signed it
    context.verify_flags |= _NO_CHECK_TIME
    context.load_verify_locations(certificate)
    return context


@lru_cache(_KEPT)
def _context(
    ca: Path | None, client: ClientCertificate | None, stamp: tuple[int, ...]
) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if not _has_system_certificates():
        context.load_verify_locations(cafile=certifi.where())
    if ca is not None:
        # Python 3.13 asks of issuers what many of a company's own do not have; no browser does.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        try:
            context.load_verify_locations(cadata="\n".join(pem_certificates(ca)))
        except ssl.SSLError as error:
            raise SetupError(f"network.ca: {ca} has a certificate that is none: {error}") from None
    if client is not None:
        _load(context, client)
    return context


def _load(context: ssl.SSLContext, client: ClientCertificate) -> None:
    def passphrase() -> str:
        """Asked for only where the key is encrypted: else OpenSSL would ask at the terminal."""
        passphrase = client.passphrase
        return passphrase.require(f"the passphrase of {client.where}") if passphrase else ""

    try:
        context.load_cert_chain(client.certificate, client.key, passphrase)
    except OSError as error:  # ssl.SSLError is one
        files = " and ".join(str(file) for file in (client.certificate, client.key) if file)
        raise SetupError(
            f"{client.where}: {files}: {_why(error)}; expected a certificate and its key in PEM,"
            " and the passphrase where the key has one"
        ) from None


def _why(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return "certificate and key do not fit, or cannot be read"
    return error.strerror or str(error)


def pem_certificates(ca: Path) -> tuple[str, ...]:
    """The certificates in a file, or in the `.pem` and `.crt` files of a folder.

    Raises:
        SetupError: There is none, or it cannot be read.
    """
    try:
        files = _files_of(ca)
        texts = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    except OSError as error:
        raise SetupError(f"network.ca: {ca} cannot be read: {error.strerror or error}") from error
    certificates = tuple(dict.fromkeys(pem for text in texts for pem in _PEM.findall(text)))
    if not certificates:
        raise SetupError(f"network.ca: {ca} has no certificate: expected PEM (BEGIN CERTIFICATE)")
    return certificates


def bundle(ca: Path) -> Path:
    """A file with the system's certificates and these, for programs that take no more than one."""
    return _bundle(ca, _stamp(ca, None))


@lru_cache(_KEPT)
def _bundle(ca: Path, stamp: tuple[int, ...]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="appliance-trust-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o755)  # nothing in it is a secret, and a sandbox is another user
    file = folder / "trusted.pem"
    file.write_text("\n".join((*_system_certificates(), *pem_certificates(ca), "")))
    file.chmod(0o644)
    return file


def _system_certificates() -> Iterator[str]:
    for file in _system_files() or (Path(certifi.where()),):
        yield from _PEM.findall(file.read_text(encoding="utf-8", errors="replace"))


def _has_system_certificates() -> bool:
    return bool(_system_files())


def _system_files() -> tuple[Path, ...]:
    """Where OpenSSL looks: one file, and one file for each certificate."""
    paths = ssl.get_default_verify_paths()
    files = [Path(paths.cafile)] if paths.cafile else []
    if paths.capath:
        files += (each for each in Path(paths.capath).iterdir() if _HASHED.fullmatch(each.name))
    return tuple(files)


def _files_of(ca: Path) -> list[Path]:
    if not ca.is_dir():
        return [ca]
    return sorted(file for file in ca.iterdir() if file.suffix in (".pem", ".crt"))


def _stamp(ca: Path | None, client: ClientCertificate | None) -> tuple[int, ...]:
    """When the files were written last: what is renewed while a server runs counts at once."""
    files = [client.certificate, client.key] if client is not None else []
    if ca is not None:
        files += [ca, *(_files_of(ca) if ca.is_dir() else ())]
    return tuple(file.stat().st_mtime_ns if file and file.exists() else 0 for file in files)
