"""What the API answers: items, pages of items and the catalogue as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from appliance.core.jsonable import Json
from appliance.practice.catalogue import Catalogue, FieldKind, Located, Value
from appliance.practice.state import AccountState, Item

PAGE_SIZE = 10
"""Rows of a list page."""


def item_view(item: Item, found: Located, state: AccountState) -> dict[str, Json]:
    """An item; references carry the name of what they refer to."""
    return {
        "id": item.id,
        "kind": item.kind,
        "state": item.state,
        "is_settled": item.settling is None,
        "created": item.created.isoformat(),
        "values": {name: _plain(value) for name, value in item.values.items()},
        "references": {
            name: {"id": other.id, "name": other.name}
            for name, other in _references(item, found, state)
        },
    }


def page_view(
    items: Sequence[Item], found: Located, state: AccountState, query: Mapping[str, str]
) -> dict[str, Json]:
    """A page of items: filtered by `search` and by field values, sorted by `sort` and `order`."""
    chosen = [item for item in items if _matches(item, found, query)]
    sort = query.get("sort", "")
    if sort:
        chosen.sort(key=lambda item: _sort_key(item, sort), reverse=query.get("order") == "desc")
    else:
        chosen.reverse()  # newest first
    size = _number(query.get("per_page"), PAGE_SIZE, 200)
    pages = max(1, -(-len(chosen) // size))
    page = _number(query.get("page"), 1, pages)
    shown = chosen[(page - 1) * size : page * size]
    return {
        "items": [item_view(item, found, state) for item in shown],
        "total": len(chosen),
        "page": page,
        "per_page": size,
    }


def kinds_view(catalogue: Catalogue) -> dict[str, Json]:
    """What can be made, for programs: addresses, fields, and the actions that lead to a state."""
    return {
        kind: {
            "service": service,
            "path": f"/api/{service}/{resource.collection}",
            "fields": {
                name: {
                    "kind": field.kind.value,
                    "required": field.required,
                    "refers_to": field.refers_to,
                    "default": _plain(field.default),
                    "example": field.example or next((o.value for o in field.options), ""),
                }
                for name, field in resource.fields.items()
            },
            "transitions": {
                action.to: name
                for name, action in resource.actions.items()
                if action.kind == "transition" and action.from_states and action.to
            },
        }
        for service, kind, resource in catalogue.resources()
    }


def localised(value: Any, language: str) -> Any:  # Any: JSON of the catalogue, and the same again
    """JSON with every text in one language."""
    if isinstance(value, dict):
        if value.keys() == {"en", "zh"}:
            return value["zh" if language == "zh" else "en"]
        return {key: localised(inner, language) for key, inner in value.items()}
    if isinstance(value, list):
        return [localised(inner, language) for inner in value]
    return value


def _references(item: Item, found: Located, state: AccountState) -> Iterator[tuple[str, Item]]:
    for name, field in found.resource.fields.items():
        other = state.items.get(str(item.values.get(name)))
        if field.kind is FieldKind.REFERENCE and other is not None:
            yield name, other


def _plain(value: Value) -> Json:
    return dict(value) if isinstance(value, dict) else value


def _matches(item: Item, found: Located, query: Mapping[str, str]) -> bool:
    word = query.get("search", "").strip().casefold()
    if word and not any(
        word in _said(item, field).casefold() for field in found.resource.list.search
    ):
        return False
    filters = [name for name in query if name in found.resource.fields]
    return all(str(item.values.get(name)) == query[name] for name in filters)


def _said(item: Item, field: str) -> str:
    return item.id if field == "id" else str(item.values.get(field, ""))


def _sort_key(item: Item, field: str) -> str:
    match field:
        case "created":
            return item.created.isoformat()
        case "state":
            return item.state
        case _:
            return _said(item, field).casefold()


def _number(text: str | None, default: int, most: int) -> int:
    return min(max(int(text), 1), most) if text and text.isdigit() else min(default, most)
