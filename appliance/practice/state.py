"""What the accounts have: items in memory, and in a file when told to."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from appliance.core.errors import SetupError
from appliance.core.jsonable import Json, json_object
from appliance.practice.catalogue import Value

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """A state that changes by itself."""

    at: datetime
    to: str
    """The state afterwards; empty: the item is gone then."""


@dataclass(slots=True, kw_only=True)
class Item:
    """One resource of an account."""

    id: str
    kind: str
    values: dict[str, Value]
    state: str
    created: datetime
    settling: Settling | None = None

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.values.get("name", self.id))


@dataclass(slots=True)
class AccountState:
    """What one account has."""

    items: dict[str, Item] = field(default_factory=dict)

    def of_kind(self, kind: str) -> list[Item]:
        """All items of a kind, oldest first."""
        return [item for item in self.items.values() if item.kind == kind]

    def settle(self, now: datetime) -> bool:
        """Let time pass; whether anything changed."""
        due = [i for i in self.items.values() if i.settling is not None and i.settling.at <= now]
        for item in due:
            assert item.settling is not None  # noqa: S101 - for the type checker: chosen above
            if item.settling.to:
                item.state, item.settling = item.settling.to, None
            else:
                del self.items[item.id]
        return bool(due)


def new_id(prefix: str) -> str:
    """An identifier such as `bkt-3f9a01c27d`."""
    return f"{prefix}-{secrets.token_hex(5)}"


def save(file: Path, accounts: Mapping[str, AccountState]) -> None:
    """Write everything, so that a reader sees the old state or the new one."""
    data: dict[str, Json] = {
        "schema_version": SCHEMA_VERSION,
        "accounts": {
            name: [json_object(item) for item in state.items.values()]
            for name, state in accounts.items()
        },
    }
    half = file.with_suffix(".tmp")
    half.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    half.replace(file)


def load(file: Path) -> dict[str, AccountState]:
    """What was saved; nothing when there is no file."""
    if not file.exists():
        return {}
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["schema_version"] != SCHEMA_VERSION:
            raise SetupError(f"{file} was written by another version; use another data folder")
        return {
            name: AccountState({item["id"]: _item(item) for item in items})
            for name, items in data["accounts"].items()
        }
    except (ValueError, KeyError, TypeError) as exc:
        raise SetupError(f"{file} is not a state file of the practice cloud: {exc!r}") from exc


def _item(data: dict[str, str]) -> Item:
    known = dict[str, object](data)
    settling = known.pop("settling")
    created = datetime.fromisoformat(data["created"])
    later = None
    if isinstance(settling, dict):
        later = Settling(at=datetime.fromisoformat(settling["at"]), to=settling["to"])
    return Item(**known | {"created": created, "settling": later})  # type: ignore[arg-type]  # from our own file
