"""API keys: made, recognised, revoked. A key is `cda_ID_SECRET`; only its hash is kept."""

import asyncio
import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from appliance.config import ServerSettings
from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import SetupError
from appliance.core.secrets import learn
from appliance.server.hosts import is_for_this_machine
from appliance.store.keys import KeyRow, KeyTable, Role, UnknownKey

TRUSTED_FOR_S = 60.0
_MOST = 1000


class KeyCache:
    """What keys recently stood behind secrets; of the secrets, it has the hashes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: OrderedDict[str, tuple[KeyRow, float]] = OrderedDict()

    def get(self, secret: str) -> KeyRow | None:
        """The key behind it; None: that has to be found out."""
        row, until = self._known.get(digest(secret), (None, 0.0))
        return row if until > self._clock.monotonic() else None

    def add(self, secret: str, row: KeyRow, seconds: float = TRUSTED_FOR_S) -> None:
        """Trust a key for a minute at most."""
        until = self._clock.monotonic() + min(seconds, TRUSTED_FOR_S)
        self._known[digest(secret)] = (row, until)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)

    def forget(self, secret: str) -> None:
        """Trust a key no longer."""
        self._known.pop(digest(secret), None)


def digest(secret: str) -> str:
    """What may be kept of a secret of many random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


MAX_NAME = 80
_KEY = re.compile(r"cda_(?P<id>[0-9a-f]{12})_[A-Za-z0-9_-]{43}")
_ID_BYTES = 6
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key, at the only time that it can be read."""

    row: KeyRow
    text: str = field(repr=False)
    """What its owner sends."""


class KeyStore:
    """The keys of a store. What is no coroutine blocks."""

    def __init__(self, table: KeyTable, clock: Clock | None = None) -> None:
        self._table = table
        self._clock = clock or SystemClock()
        # A key has 256 random bits: the least that argon2 is advised with is plenty.
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._trusted = KeyCache(self._clock)
        self._revoked: set[str] = set()
        self._own: NewKey | None = None

    def own(self) -> str:
        """A key for commands of this machine that may read the data folder. It is kept nowhere.

        Whoever may read that folder owns everything in it: the key gives them no more.
        """
        if self._own is None:
            text = learn(
                f"cda_{secrets.token_hex(_ID_BYTES)}_{secrets.token_urlsafe(_SECRET_BYTES)}"
            )
            row = KeyRow(
                id="",
                name="local",
                role=Role.ADMIN,
                hash="",
                created_at=self._clock.now(),
                created_by="appliance serve",
            )
            self._own = NewKey(row, text)
        return self._own.text

    def create(self, name: str, role: Role, by: str) -> NewKey:
        """A new key; nobody can read it again.

        Raises:
            SetupError: The name is empty or too long, or a good key has it.
        """
        name = name.strip()
        if not name or len(name) > MAX_NAME or not name.isprintable():
            raise SetupError(f"a key needs a name of 1 to {MAX_NAME} characters")
        if any(key.name == name and key.revoked_at is None for key in self._table.all()):
            raise SetupError(f"there is a key {name!r}; revoke it first, or take another name")
        id = secrets.token_hex(_ID_BYTES)
        text = _new_text(id)
        learn(text)
        row = KeyRow(
            id=id,
            name=name,
            role=role,
            hash=self._hasher.hash(text),
            created_at=self._clock.now(),
            created_by=by,
        )
        self._table.add(row)
        return NewKey(row, text)

    def all(self) -> tuple[KeyRow, ...]:
        """All keys, revoked ones too, oldest first."""
        return self._table.all()

    def revoke(self, key: str, by: str) -> KeyRow:
        """Make one useless, and end its log-ins to the dashboard.

        Args:
            key: Its id, or the name of a good one.
            by: Who wants it.

        Raises:
            UnknownKey: There is none.
        """
        id = next((row.id for row in self.all() if row.name == key and not row.revoked_at), key)
        row = self._table.revoke(id, by, self._clock.now())
        if row is None:
            raise UnknownKey(key)
        self._revoked.add(row.id)
        return row

    def is_revoked(self, id: str) -> bool:
        """Whether it was revoked since the program began."""
        return id in self._revoked

    def find_trusted(self, text: str) -> KeyRow | None:
        """The key, where it was found to be good a moment ago, or is our own."""
        if self._own and secrets.compare_digest(text.encode(), self._own.text.encode()):
            return self._own.row
        row = self._trusted.get(text)
        return None if row is None or self.is_revoked(row.id) else row

    async def recognise(self, text: str) -> KeyRow | None:
        """The key that was sent; None where it is none of ours, or not any more."""
        if (known := self.find_trusted(text)) is not None:
            return known
        if (matched := _KEY.fullmatch(text)) is None:
            return None
        row = await asyncio.to_thread(self._verify, matched["id"], text)
        if row is None or self.is_revoked(row.id):  # meanwhile
            return None
        self._trusted.add(learn(text), row)
        return row

    def _verify(self, id: str, text: str) -> KeyRow | None:
        row = self._table.get(id)
        if row is None or row.revoked_at is not None:
            return None
        try:
            self._hasher.verify(row.hash, text)
        except VerificationError:
            return None
        now = self._clock.now()
        if row.last_used_at is None or now - row.last_used_at >= timedelta(seconds=TRUSTED_FOR_S):
            self._table.mark_used(id, now)
        return row


def public_part(text: str) -> str:
    """The id in what has the form of a key; empty: it has another."""
    matched = _KEY.fullmatch(text)
    return matched["id"] if matched else ""


def _new_text(id: str) -> str:
    return f"cda_{id}_{secrets.token_urlsafe(_SECRET_BYTES)}"


def check_keys(settings: ServerSettings, rows: Sequence[KeyRow]) -> None:
    """Whether anybody could ask a server of these settings.

    Raises:
        SetupError: Requests need a key, and there is no good one of an admin.
    """
    has_admin = any(row.role is Role.ADMIN and row.revoked_at is None for row in rows)
    if not has_admin and not is_for_this_machine(settings):
        raise SetupError(
            f"requests to {settings.host} need a key, and there is none: "
            "`appliance key create NAME --role admin` makes one"
        )
