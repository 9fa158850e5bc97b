"""What people did, and who tried to come in: entries are added; nothing changes or removes one.

Each has a hash over itself and the hash before it, so that an entry that was changed, removed or
put in later shows. Whoever may write to the file could make all hashes anew; the log of the program
has each hash as well, and a copy of that kept elsewhere says whether it is the same chain.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from appliance.core.secrets import without_secrets
from appliance.store.mapping import RowMap
from appliance.store.paging import Paged, Paging, Where
from appliance.store.tables import Tables
from appliance.store.times import as_stored

_MAX_TEXT = 300
"""Characters of a text, which describes an action and is no place for documents."""
_KEY = re.compile(r"(cda_[0-9a-f]{12}_)[\w-]{20,}", re.ASCII)
"""A key that was sent in place of its id or a name; its public part may be logged."""
_AT_ONCE = 10_000
"""Entries read at a time when the whole chain is read."""


class Outcome(StrEnum):
    """What became of a deed."""

    DONE = "done"
    FAILED = "failed"
    """It was allowed, and could not be done."""
    REFUSED = "refused"
    """It was not allowed; or the key was wrong."""


class Way(StrEnum):
    """How somebody came."""

    REST = "rest"
    DASHBOARD = "dashboard"
    COMMAND = "command"
    """A command of this machine, while no server ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityRecord:
    """Something that somebody did, or wanted to."""

    happened_at: datetime
    """When."""
    who: str
    """Name of the key, or of the person; `local` without one; for a command, the user of the
    machine."""
    key_id: str = ""
    """Public part of the key; `oidc:` and the subject of a person whom the identity provider
    vouches for; empty: neither."""
    role: str = ""
    way: Way
    """How they came: `rest`, `dashboard`, or a `command` of the machine."""
    address: str = ""
    """Of the client; empty for a command."""
    deed: str
    """`quarantine-account`, as `appliance key roles` names it; or `log-in` and such."""
    object: str = ""
    """What it was done to: `lab/alice`, the id of a run."""
    outcome: Outcome = Outcome.DONE
    """What became of it."""
    detail: str = ""
    """More of it, or why not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(ActivityRecord):
    """A record with its number and hash in the chain."""

    number: int
    """From 1, without gaps."""
    hash: str
    """Of this entry and of the hash before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityFilter:
    """Which entries; None: all."""

    who: str | None = None
    deed: str | None = None
    outcome: Outcome | None = None
    address: str | None = None
    since: datetime | None = None
    """Not before this."""
    until: datetime | None = None
    """Before this."""

    def where(self) -> Where:
        """The filter as SQL conditions."""
        where = Where().equal(
            who=self.who, deed=self.deed, outcome=self.outcome, address=self.address
        )
        if self.since:
            where.that("happened_at >= ?", as_stored(self.since))
        if self.until:
            where.that("happened_at < ?", as_stored(self.until))
        return where


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Whether the entries are those that were written."""

    entries: int
    """How many follow from each other."""
    last_hash: str
    """Note it elsewhere: the chain can be held against it later. Empty: there is no entry."""
    broken_at: int | None = None
    """Number of the first that does not; None: all do."""
    has_seen: bool = True
    """Whether there is an entry of the hash that you noted; true without one."""

    @property
    def is_whole(self) -> bool:
        """Whether the chain is intact."""
        return self.broken_at is None and self.has_seen


_ENTRIES = RowMap(Entry, "activity")
_COLUMNS = ", ".join(("number", *(one.name for one in fields(ActivityRecord)), "hash"))
_CHAIN = f"SELECT {_COLUMNS} FROM activity ORDER BY number"  # noqa: S608 - a constant
"""In the order in which the values of an entry are hashed."""


class ActivityTable(Tables):
    """The table `activity`."""

    about = "what people did"

    def add(self, record: ActivityRecord) -> Entry:
        """Append a record to the chain, without the secrets that this process knows."""
        with self._session.transaction("keeping what somebody did") as connection:
            last_entry = connection.execute(
                "SELECT number, hash FROM activity ORDER BY number DESC LIMIT 1"
            ).fetchone()
            number, previous_hash = last_entry or (0, "")
            values = [number + 1, *_values(record)]
            hash = _hash(previous_hash, values)
            placeholders = ", ".join("?" * (len(values) + 1))
            connection.execute(
                f"INSERT INTO activity ({_COLUMNS}) VALUES ({placeholders})",  # noqa: S608 - constants
                [*values, hash],
            )
            return _ENTRIES.select(connection, "WHERE number = ?", [number + 1])[0]

    def page(self, paging: Paging, entry_filter: ActivityFilter | None = None) -> Paged[Entry]:
        """Newest first."""
        where = (entry_filter or ActivityFilter()).where()
        return self._page(_ENTRIES, where, "number DESC", paging)

    def each(self, entry_filter: ActivityFilter | None = None) -> Iterator[Entry]:
        """All entries, oldest first, in batches: there may be more than fit into memory."""
        last_number = 0
        while True:
            where = (entry_filter or ActivityFilter()).where().that("number > ?", last_number)
            batch = self._page(_ENTRIES, where, "number", Paging(limit=_AT_ONCE)).items
            yield from batch
            if len(batch) < _AT_ONCE:
                return
            last_number = batch[-1].number

    def check(self, noted_hash: str = "") -> Chain:
        """Whether each entry follows from those before.

        Args:
            noted_hash: A hash that was noted elsewhere; empty: none.
        """
        count, hash, has_seen = 0, "", not noted_hash
        with self._session.reading("checking what people did") as connection:
            for row in _fetch_rows(connection.execute(_CHAIN)):
                count += 1
                *values, stored_hash = row
                if values[0] != count or stored_hash != _hash(hash, values):
                    return Chain(entries=count, last_hash=hash, broken_at=count)
                hash = stored_hash
                has_seen = has_seen or stored_hash == noted_hash
        return Chain(entries=count, last_hash=hash, has_seen=has_seen)


def _fetch_rows(result: Any) -> Iterator[tuple[Any, ...]]:  # Any: DuckDB's rows
    while rows := result.fetchmany(_AT_ONCE):
        yield from rows


def _values(record: ActivityRecord) -> list[object]:
    return [_column(getattr(record, field.name)) for field in fields(ActivityRecord)]


def _column(value: object) -> object:
    if isinstance(value, datetime):
        return as_stored(value)
    text = without_secrets(str(value)).encode("utf-8", "replace").decode()
    text = "".join(map(_printable, _KEY.sub(r"\1…", text)))
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"


def _printable(char: str) -> str:
    """The character, or a replacement if it could control a terminal or reverse a line."""
    return char if char.isprintable() else " " if char.isspace() else "\ufffd"


def _hash(previous_hash: str, values: Sequence[object]) -> str:
    hashed = [value.isoformat() if isinstance(value, datetime) else value for value in values]
    return hashlib.sha256(json.dumps([previous_hash, *hashed]).encode()).hexdigest()
