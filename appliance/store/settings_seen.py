"""Which settings were in force when a server started last: hashes of values, and no value."""

import hashlib
import json
from collections.abc import Iterator, Mapping

from appliance.core.jsonable import Json
from appliance.store.tables import Tables


class SettingsSeenTable(Tables):
    """The table `settings_in_force`."""

    about = "settings in force"

    def replace(self, settings: Mapping[str, Json]) -> tuple[str, ...]:
        """Keep these; the paths of those that are others than before, none the first time."""
        now = {path: _hash(value) for path, value in _leaves((), dict(settings))}
        with self._session.transaction("keeping the settings in force") as connection:
            rows = connection.execute("SELECT path, hash FROM settings_in_force").fetchall()
            before = dict(rows)
            if before == now:
                return ()
            connection.execute("DELETE FROM settings_in_force")
            connection.executemany(
                "INSERT INTO settings_in_force VALUES (?, ?)", [list(one) for one in now.items()]
            )
        paths = before.keys() | now.keys()
        changed = sorted(path for path in paths if before.get(path) != now.get(path))
        return tuple(changed) if before else ()


def _leaves(path: tuple[str, ...], value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves((*path, key), inner)
    else:
        yield ".".join(path), value


def _hash(value: Json) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
