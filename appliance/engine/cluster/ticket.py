"""Tickets, which Ray passes to workers: where to fetch a job and how to authenticate the head.

A ticket holds no secret, and nothing else goes through Ray: a worker that has the key named in it
fetches the job over its own connection.
"""

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256

from appliance.core.errors import SetupError
from appliance.core.secrets import learn
from appliance.system.secret_references import SecretReference, UnreadableSecretError

ID_BYTES, PROOF_BYTES = 16, 32
_FEWEST = 32
"""Fewest characters of a key; `openssl rand -base64 32` prints 44."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """A ticket for one job."""

    id: bytes
    host: str
    port: int
    certificate: str
    """Certificate of the head's issuer, in PEM."""
    key: SecretReference
    """Reference to the key, valid on every node."""
    proof: bytes = b""
    """Proof that the head issued it."""


def issue(host: str, port: int, certificate: str, key: SecretReference) -> Ticket:
    """Issue a ticket; blocks, and raises as `key_of`."""
    bare = Ticket(
        id=secrets.token_bytes(ID_BYTES), host=host, port=port, certificate=certificate, key=key
    )
    return Ticket(
        id=bare.id,
        host=host,
        port=port,
        certificate=certificate,
        key=key,
        proof=prove(bare, "head"),
    )


def prove(ticket: Ticket, who: str) -> bytes:
    """A MAC of a ticket, which proves possession of the key; blocks, and raises as `key_of`."""
    message = b"\0".join(
        (
            who.encode(),
            ticket.id,
            f"{ticket.host}:{ticket.port}".encode(),
            ticket.certificate.encode(),
        )
    )
    return hmac.digest(key_of(ticket.key).encode(), message, sha256)


def is_right(ticket: Ticket, who: str, proof: bytes) -> bool:
    """Whether a proof was made with the key."""
    return hmac.compare_digest(prove(ticket, who), proof)


def key_of(place: SecretReference) -> str:
    """Read the key by which head and workers authenticate each other. Blocks.

    Raises:
        SetupError: It cannot be read, or is too short.
    """
    try:
        key = learn(place.read().strip())
    except UnreadableSecretError as exc:
        raise SetupError(f"the key of `execution` cannot be read from {place}: {exc}") from None
    if len(key) < _FEWEST:
        raise SetupError(
            f"{place} holds no key for `execution`: {len(key)} characters, at least {_FEWEST} are"
            " needed, the same here and on every node; `openssl rand -base64 32` makes one"
        )
    return key
