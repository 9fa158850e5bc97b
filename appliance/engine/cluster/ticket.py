"""What a worker is told by Ray: where to ask for one job, and how to know that it is the head.

Nothing in it is secret, and nothing else goes through Ray: whoever has the key that is named here
fetches the job over a connection of its own.
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
"""Characters of a key: what `openssl rand -base64 32` prints has 44."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """For one job."""

    id: bytes
    host: str
    port: int
    certificate: str
    """That of the head's issuer, in PEM."""
    key: SecretReference
    """Where the key is, on every node."""
    proof: bytes = b""
    """That it is from the head."""


def issue(host: str, port: int, certificate: str, key: SecretReference) -> Ticket:
    """A ticket of the head's; it blocks, and raises as `key_of`."""
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
    """What only somebody with the key can say of a ticket; it blocks, and raises as `key_of`."""
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
    """Whether it was said by somebody with the key."""
    return hmac.compare_digest(prove(ticket, who), proof)


def key_of(place: SecretReference) -> str:
    """The key by which head and workers know each other. It blocks.

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
