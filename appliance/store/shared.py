"""Resources that serve several attempts, and who uses them now."""

from collections.abc import Mapping
from dataclasses import dataclass

from appliance.core.jsonable import Json
from appliance.store.mapping import RowMap
from appliance.store.tables import Tables


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedResource:
    """A shared resource that exists."""

    key: str
    """Equal for the same console, account, module and arguments."""
    attempt_id: str
    """Under which it was made."""
    users: tuple[str, ...]
    """Ids of the attempts that use it."""
    outputs: Mapping[str, Json]


_SHARED = RowMap(SharedResource, "shared_resources", json={"outputs": dict})


class SharedTable(Tables):
    """The table `shared_resources`."""

    about = "shared resources"

    def add(self, key: str, attempt_id: str, outputs: Mapping[str, Json]) -> None:
        """Keep a new one, which nobody uses yet."""
        with self._session.transaction("saving a shared resource") as connection:
            new = SharedResource(key=key, attempt_id=attempt_id, users=(), outputs=outputs)
            _SHARED.insert(connection, new)

    def get(self, key: str) -> SharedResource | None:
        """The one of that key."""
        return next((shared for shared in self.all() if shared.key == key), None)

    def all(self) -> tuple[SharedResource, ...]:
        """All there are."""
        return self._select(_SHARED)

    def use(self, key: str, attempt_id: str) -> None:
        """An attempt uses it now."""
        self._write(
            "UPDATE shared_resources SET users = list_append(users, ?) WHERE key = ?",
            [attempt_id, key],
        )

    def leave(self, attempt_id: str) -> None:
        """An attempt is over: it uses nothing any more."""
        self._write(
            "UPDATE shared_resources SET users = list_filter(users, lambda x: x <> ?)"
            " WHERE list_contains(users, ?)",
            [attempt_id, attempt_id],
        )

    def forget(self, attempt_id: str) -> None:
        """What was made under this id is gone."""
        self._write("DELETE FROM shared_resources WHERE attempt_id = ?", [attempt_id])
