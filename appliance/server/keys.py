"""API keys: made, recognised, revoked. A key is `cda_ID_SECRET`; only its hash is kept."""

import asyncio
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from appliance.config import ServerSettings
from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import SetupError
from appliance.core.secrets import learn
from appliance.server.hosts import is_for_this_machine
from appliance.server.trust import TRUSTED_FOR_S, TrustCache
from appliance.store.keys import KeyRow, KeyTable, Role, UnknownKey

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


class ExpiredKey(SetupError):
    """The key was right, and its time is over. Only its holder is told."""

    def __init__(self, row: KeyRow) -> None:
        super().__init__(
            f"The key {row.name!r} expired on {row.expires_at:%Y-%m-%d %H:%M} UTC. An admin makes"
            f" the next one: `appliance key rotate {row.id}`."
        )
        self.row = row


class KeyStore:
    """The keys of a store. What is no coroutine blocks.

    Args:
        table: Where they are kept.
        clock: Tells when they end.
        lasts: How long new ones are good where nothing else is said; None: until revoked.
    """

    def __init__(
        self, table: KeyTable, clock: Clock | None = None, lasts: timedelta | None = None
    ) -> None:
        self._table = table
        self._lasts = lasts
        self._clock = clock or SystemClock()
        # A key has 256 random bits: the least that argon2 is advised with is plenty.
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._trusted = TrustCache[KeyRow](self._clock)
        self._expired = TrustCache[KeyRow](self._clock)
        self._ends: dict[str, datetime] = {}
        self._local_key: NewKey | None = None

    def own(self) -> str:
        """A key for commands of this machine that may read the data folder. It is kept nowhere.

        Whoever may read that folder owns everything in it: the key gives them no more.
        """
        if self._local_key is None:
            text = learn(_new_text(secrets.token_hex(_ID_BYTES)))
            row = KeyRow(
                id="",
                name="local",
                role=Role.ADMIN,
                hash="",
                created_at=self._clock.now(),
                created_by="appliance serve",
            )
            self._local_key = NewKey(row, text)
        return self._local_key.text

    def create(self, name: str, role: Role, by: str, lasts: timedelta | None = None) -> NewKey:
        """A new key; nobody can read it again.

        Args:
            name: Who or what it is for.
            role: What it may do.
            by: Who wants it.
            lasts: How long it is good; None: as the settings say; zero: until revoked.

        Raises:
            SetupError: The name is empty or too long, or a good key has it.
        """
        name = name.strip()
        if not name or len(name) > MAX_NAME or not name.isprintable():
            raise SetupError(f"a key needs a name of 1 to {MAX_NAME} characters")
        if self._current_by_name(name) is not None:
            raise SetupError(
                f"there is a key {name!r}; rotate it, revoke it first, or take another name"
            )
        key = self._new(name, role, by, self._lasts if lasts is None else lasts)
        self._table.add(key.row)
        return key

    def rotate(self, key: str, by: str, grace: timedelta, lasts: timedelta | None = None) -> NewKey:
        """A new key of the same name and role; the old one is good for the grace still.

        Args:
            key: Id of the old one, or the name of a good one.
            by: Who wants it.
            grace: How long the old one goes on, unless it expires before.
            lasts: How long the new one is good; None: as long as the old one was to be.

        Raises:
            UnknownKey: There is none.
            SetupError: It was revoked, or rotated before.
        """
        old = self._find(key)
        if old is None:
            raise UnknownKey(key)
        if old.revoked_at is not None:
            raise SetupError(f"the key {old.name!r} ({old.id}) was revoked; create a new one")
        if old.replaced_by:
            raise SetupError(
                f"the key {old.name!r} ({old.id}) was rotated to {old.replaced_by}; rotate that one"
            )
        if lasts is None:
            lasts = old.expires_at - old.created_at if old.expires_at else self._lasts
        until = self._clock.now() + grace
        if old.expires_at is not None:
            until = min(until, old.expires_at)
        new_key = self._new(old.name, old.role, by, lasts)
        self._table.replace(old, new_key.row, until)
        self._ends[old.id] = until
        return new_key

    def _new(self, name: str, role: Role, by: str, lasts: timedelta | None) -> NewKey:
        id, now = secrets.token_hex(_ID_BYTES), self._clock.now()
        text = learn(_new_text(id))
        row = KeyRow(
            id=id,
            name=name,
            role=role,
            hash=self._hasher.hash(text),
            created_at=now,
            created_by=by,
            expires_at=now + lasts if lasts else None,
        )
        return NewKey(row, text)

    def _current_by_name(self, name: str) -> KeyRow | None:
        """The one that goes by that name now: of those that were rotated, the last."""
        return next((row for row in self.all() if row.name == name and self._is_current(row)), None)

    def _is_current(self, row: KeyRow) -> bool:
        return row.is_good(self._clock.now()) and not row.replaced_by

    def _find(self, key: str) -> KeyRow | None:
        """By its name, which an expired one has as long as no other takes it, or by its id."""
        rows = self.all()
        matching_names = [row for row in reversed(rows) if row.name == key and not row.revoked_at]
        return self._current_by_name(key) or next(
            (row for row in (*matching_names, *rows) if row in matching_names or row.id == key),
            None,
        )

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
        current, now = self._find(key), self._clock.now()
        row = self._table.revoke(current.id, by, now) if current else None
        if row is None:
            raise UnknownKey(key)
        self._ends[row.id] = now
        return row

    def get(self, id: str) -> KeyRow | None:
        """The one of that id, good or not."""
        row = self._table.get(id)
        if row is not None and row.expires_at is not None:
            self._ends.setdefault(id, row.expires_at)
        return row

    def is_over(self, id: str) -> bool:
        """Whether it was revoked or has ended, as far as is known of keys that are in use."""
        return id in self._ends and self._ends[id] <= self._clock.now()

    def find_trusted(self, text: str) -> KeyRow | None:
        """The key, where it was found to be good a moment ago, or is our own."""
        if self._local_key and secrets.compare_digest(text.encode(), self._local_key.text.encode()):
            return self._local_key.row
        row = self._trusted.get(text)
        return None if row is None or self.is_over(row.id) else row

    async def recognise(self, text: str) -> KeyRow | None:
        """The key that was sent; None where it is none of ours, or was revoked.

        Raises:
            ExpiredKey: It is one of ours, whole and right, whose time is over.
        """
        if (known := self.find_trusted(text)) is not None:
            return known
        if (expired := self._expired.get(text)) is not None:
            raise ExpiredKey(expired)
        if (matched := _KEY.fullmatch(text)) is None:
            return None
        row = await asyncio.to_thread(self._verify, matched["id"], text)
        if row is None:
            return None
        if row.has_expired(self._clock.now()):
            self._expired.add(learn(text), row)
            raise ExpiredKey(row)
        if self.is_over(row.id):  # meanwhile
            return None
        self._trusted.add(learn(text), row)
        return row

    def _verify(self, id: str, text: str) -> KeyRow | None:
        row = self.get(id)
        if row is None or row.revoked_at is not None:
            return None
        try:
            self._hasher.verify(row.hash, text)
        except VerificationError:
            return None
        now = self._clock.now()
        if row.has_expired(now):
            return row
        if row.last_used_at is None or now - row.last_used_at >= timedelta(seconds=TRUSTED_FOR_S):
            self._table.mark_used(id, now)
        return row


def public_part(text: str) -> str:
    """The id in what has the form of a key; empty: it has another."""
    matched = _KEY.fullmatch(text)
    return matched["id"] if matched else ""


def _new_text(id: str) -> str:
    return f"cda_{id}_{secrets.token_urlsafe(_SECRET_BYTES)}"


def key_lifetime(settings: ServerSettings) -> timedelta | None:
    """How long new keys are good; None: until they are revoked."""
    return None if settings.key_days is None else timedelta(days=settings.key_days)


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
