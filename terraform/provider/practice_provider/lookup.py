"""`data "practice_item"`: an item that something else made, by its name or id."""

import json
from typing import Any

from tf.iface import DataSource
from tf.schema import Attribute, Schema
from tf.types import Map, String
from tf.utils import Diagnostics

from practice_provider.client import Item, Refused
from practice_provider.resource import Context, HasClient
from practice_provider.spec import Kind, kinds
from practice_provider.values import Values, is_known


class PracticeItem(DataSource):
    """One item of any kind."""

    def __init__(self, provider: HasClient) -> None:
        self._provider = provider

    @classmethod
    def get_name(cls) -> str:
        """What stands behind `practice_`."""
        return "item"

    @classmethod
    def get_schema(cls) -> Schema:
        """What is looked for, and what is found."""
        return Schema(
            attributes=[
                Attribute("kind", String(), required=True),
                Attribute("name", String(), optional=True, computed=True),
                Attribute("id", String(), optional=True, computed=True),
                Attribute("region", String(), computed=True),
                Attribute("state", String(), computed=True),
                Attribute("values", Map(String()), computed=True),
            ]
        )

    def validate(self, diags: Diagnostics, type_name: str, config: Values) -> None:
        """Say what is wrong with a block before anything is done."""
        super().validate(diags, type_name, config)
        kind, known = config["kind"], kinds()
        if is_known(kind) and kind not in known:
            diags.add_error(
                "Invalid kind",
                f"There is no kind {kind!r}; there is {', '.join(sorted(known))}.",
                path=["kind"],
            )
        if (config.get("name") is None) == (config.get("id") is None):
            diags.add_error("Give name or id", "An item is found by one of the two.")

    def read(self, ctx: Context, config: Values) -> Values | None:
        """Find it."""
        kind = kinds()[config["kind"]]
        try:
            found = self._found(kind, config)
        except Refused as refused:
            ctx.diagnostics.add_error(
                f"Cannot find the {kind.title}: {refused.code}", refused.detail
            )
            return None
        if len(found) != 1:
            wanted = config.get("id") or config.get("name")
            number = f"{len(found)} are" if found else "None is"
            ctx.diagnostics.add_error(f"No single {kind.title}", f"{number} called {wanted!r}.")
            return None
        item = found[0]
        return {
            "kind": kind.name,
            "name": item["values"].get("name"),
            "id": item["id"],
            "region": item.get("region", ""),
            "state": item["state"],
            "values": {name: _text(value) for name, value in item["values"].items()},
        }

    def _found(self, kind: Kind, config: Values) -> list[Item]:
        if config.get("id") is None:
            return self._provider.client.named(kind.path, config["name"])
        item = self._provider.client.item(kind.path, config["id"])
        return [item] if item else []


def _text(value: Any) -> str:  # Any: JSON
    """Texts as they are, everything else as JSON: Terraform's maps hold one type."""
    return value if isinstance(value, str) else json.dumps(value)
