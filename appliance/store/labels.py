"""What consoles call things, as attempts saw it: by release, language and place."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from appliance.core.jsonable import Json
from appliance.store.mapping import RowMap
from appliance.store.paging import Paged, Paging, Where
from appliance.store.rows import Rows, row_types, utc_text
from appliance.store.session import Session

PLACE = "place"
"""Role of what is no label: how often a page, dialog or menu was seen at all."""
_MOST = 200_000
"""Labels of one console: some thousand pages in two languages. Beyond it the oldest go."""


class SeenLabel(NamedTuple):
    """A label where it stands; see `0018_labels.sql`."""

    locale: str
    page: str
    dialog: str
    parent: str
    role: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleLabel:
    """A label, and how often attempts saw it there."""

    console: str
    release: str
    """As the settings call it; empty: they do not."""
    locale: str
    page: str
    dialog: str
    """Title of the dialog it stands in; empty: in none."""
    parent: str
    """The menu that has it, or the field that offers it; empty: neither."""
    role: str
    name: str
    """Its words; empty for a place."""
    seen: int
    """By how many attempts."""
    first_seen: datetime
    """When it was seen first."""
    last_seen: datetime
    """When it was seen last."""

    @property
    def place(self) -> tuple[str, str, str]:
        """Where it stands."""
        return self.page, self.dialog, self.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLabel:
    """A label wherever it stands."""

    role: str
    name: str
    pages: int
    """On how many it was seen."""
    page: str
    """Where it was seen last."""
    dialog: str
    """There; empty: in none."""
    last_seen: datetime


_FOUND = RowMap(FoundLabel, "console_labels")
_LABELS = RowMap(ConsoleLabel, "console_labels")
_ORDER = "release, locale, page, dialog, parent, role, name"


class LabelTable:
    """The table `console_labels`."""

    def __init__(self, session: Session, most: int = _MOST) -> None:
        self._session, self._most = session, most
        self._types: Mapping[str, str] = {}

    def see(self, console: str, release: str, labels: Collection[SeenLabel], at: datetime) -> None:
        """An attempt saw these."""
        if not labels:
            return
        when = utc_text(at)
        new: dict[str, Json] = {"console": console, "release": release, "seen": 1}
        times: dict[str, Json] = {"first_seen": when, "last_seen": when}
        with self._session.transaction("keeping what a console calls things") as connection:
            self._types = self._types or row_types(connection)
            rows = Rows(self._types)
            for label in labels:
                rows.add("console_labels", new | times | label._asdict())
            rows.write(
                connection,
                "INSERT INTO console_labels BY NAME {} ON CONFLICT DO UPDATE SET"
                " seen = console_labels.seen + 1, last_seen = excluded.last_seen",
            )
            if Where().equal(console=console).count(connection, "console_labels") > self._most:
                connection.execute(
                    "DELETE FROM console_labels WHERE rowid IN (SELECT rowid FROM console_labels"
                    " WHERE console = ? ORDER BY last_seen DESC OFFSET ?)",
                    [console, self._most],
                )

    def pages_with(self, console: str, names: Collection[str]) -> Mapping[str, frozenset[str]]:
        """By address, without the console's own, the pages that had something of these names.

        Pages of single things are left out: their addresses are not kept.
        """
        with self._session.reading("looking up where a console has something") as connection:
            rows = connection.execute(
                "SELECT page, list(DISTINCT lower(name)) FROM console_labels WHERE console = ?"
                " AND dialog = '' AND lower(name) IN (SELECT unnest(?)) AND page NOT LIKE '%*%'"
                " GROUP BY page ORDER BY page",
                [console, sorted({name.lower() for name in names})],
            ).fetchall()
        return {page: frozenset(labels) for page, labels in rows}

    def find(self, console: str, query: str, limit: int) -> Paged[FoundLabel]:
        """Labels with these words, the shortest first."""
        where = Where().equal(console=console).that("role <> ?", PLACE).mentions(query, ["name"])
        with self._session.reading("searching what a console calls things") as connection:
            rows = connection.execute(
                "SELECT role, name, count(DISTINCT page), arg_max(page, last_seen),"  # noqa: S608 - see `Where`
                " arg_max(dialog, last_seen), max(last_seen), count(*) OVER ()"
                f" FROM console_labels WHERE {where.sql} GROUP BY role, name"
                " ORDER BY length(name), name, role LIMIT ?",
                [*where.values, limit],
            ).fetchall()
        return Paged(tuple(_FOUND.read(row[:-1]) for row in rows), rows[0][-1] if rows else 0)

    def page(
        self, paging: Paging, *, console: str, release: str | None = None
    ) -> Paged[ConsoleLabel]:
        """Of a console, in the order of its pages."""
        where = Where().equal(console=console, release=release)
        with self._session.reading("reading what a console calls things") as connection:
            return _LABELS.page(connection, where, _ORDER, paging)
