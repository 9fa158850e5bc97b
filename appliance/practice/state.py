"""What the accounts have: items, and the text that a state is kept as."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from appliance.practice.catalogue import Value


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
    region: str
    """Where it is; empty: everywhere."""
    values: dict[str, Value]
    state: str
    created: datetime
    settling: Settling | None = None
    is_protected: bool = False
    """Whether it cannot be deleted until somebody says otherwise."""

    @property
    def name(self) -> str:
        """Its name, or what else people can tell it by."""
        return str(self.values.get("name") or self.values.get("description") or self.id)

    def is_in(self, region: str | None) -> bool:
        """Whether it is seen from a region; None: from all."""
        return region is None or self.region in ("", region)


@dataclass(slots=True)
class AccountState:
    """What one account has."""

    items: dict[str, Item] = field(default_factory=dict)
    made: int = 0
    """How many items it ever had: their ids follow from it, so that a rollout repeats exactly."""
    quotas: dict[str, int] = field(default_factory=dict)
    """Quotas by kind that differ from those of the product data."""

    def of_kind(self, kind: str) -> list[Item]:
        """All items of a kind, oldest first."""
        return [item for item in self.items.values() if item.kind == kind]

    def new_id(self, account: str, prefix: str) -> str:
        """The next identifier, such as `bkt-3f9a01c27d`; distinct between accounts."""
        self.made += 1
        digest = hashlib.sha256(f"{account}/{self.made}".encode()).hexdigest()
        return f"{prefix}-{digest[:10]}"

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

    def shift(self, by: timedelta) -> None:
        """Move what is under way in time, as when a state is restored later."""
        for item in self.items.values():
            if item.settling is not None:
                item.settling = Settling(at=item.settling.at + by, to=item.settling.to)


def dump_state(state: AccountState) -> str:
    """A state as text; it shares nothing with the state."""
    items = [
        {
            "id": item.id,
            "kind": item.kind,
            "region": item.region,
            "values": item.values,
            "state": item.state,
            "created": item.created.isoformat(),
            "is_protected": item.is_protected,
            "settling": item.settling and [item.settling.at.isoformat(), item.settling.to],
        }
        for item in state.items.values()
    ]
    data = {"made": state.made, "quotas": state.quotas, "items": items}
    return json.dumps(data, ensure_ascii=False)


def load_state(text: str) -> AccountState:
    """The state of a text that `dump_state` wrote."""
    data = json.loads(text)
    items = {item["id"]: _item(item) for item in data["items"]}
    return AccountState(items, data["made"], data["quotas"])


def _item(data: Mapping[str, Any]) -> Item:  # Any: from our own text
    settling = None
    if data["settling"] is not None:
        at, to = data["settling"]
        settling = Settling(at=datetime.fromisoformat(at), to=to)
    created = datetime.fromisoformat(data["created"])
    return Item(**{**data, "created": created, "settling": settling})
