"""The JSON responses of the API: items, pages of items, and the catalogue."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from appliance.core.jsonable import Json
from appliance.practice.catalogue import Catalogue, FieldKind, FieldSpec, Located, Resource, Value
from appliance.practice.motion import ids_in, references_of
from appliance.practice.state import AccountState, Item

PAGE_SIZE = 10
"""Rows of a list page."""
_REFERENCES = (FieldKind.REFERENCE, FieldKind.REFERENCES)


def item_view(item: Item, located: Located, state: AccountState) -> dict[str, Json]:
    """An item; references include the names of their targets, secrets are left out."""
    fields = located.resource.fields
    return {
        **_common_properties(item),
        "values": {
            name: _shown_value(field, item.values[name])
            for name, field in fields.items()
            if name in item.values and not is_secret(field)
        },
        "references": {
            name: reference_names
            for name, field in fields.items()
            if field.kind in _REFERENCES
            and (reference_names := _reference_names(field, item.values.get(name), state))
        },
    }


def inventory_view(item: Item, located: Mapping[str, Located]) -> dict[str, Json]:
    """An item in the inventory: what identifies it, and the ids of what it uses."""
    uses = {used_id: None for _, ids in references_of(item, located) for used_id in ids}
    return {**_common_properties(item), "uses": [*uses]}


def _common_properties(item: Item) -> dict[str, Json]:
    return {
        "id": item.id,
        "kind": item.kind,
        "name": item.name,
        "region": item.region,
        "state": item.state,
        "is_settled": item.settling is None,
        "is_protected": item.is_protected,
        "created": item.created.isoformat(),
    }


def created_view(item: Item, located: Located, state: AccountState) -> dict[str, Json]:
    """A new item, with the values that are revealed only this once."""
    view = item_view(item, located, state)
    reveals = located.resource.actions["create"].reveals
    if reveals:
        view["revealed"] = {name: _as_json(item.values[name]) for name in reveals}
    return view


def is_secret(field: FieldSpec) -> bool:
    """Whether a field is never included in a response."""
    return field.kind is FieldKind.SECRET or field.generated == "secret"


def page_view(
    items: Sequence[Item], located: Located, state: AccountState, query: Mapping[str, str]
) -> dict[str, Json]:
    """A page of items: filtered by `search` and by field values, sorted by `sort` and `order`."""
    matching = [item for item in items if _matches(item, located, query)]
    sort = query.get("sort", "")
    if sort and not (sort in located.resource.fields and is_secret(located.resource.fields[sort])):
        is_descending = query.get("order") == "desc"
        matching.sort(key=lambda item: _sort_key(item, sort, state), reverse=is_descending)
    else:
        matching.reverse()  # newest first
    size = _number(query.get("per_page"), PAGE_SIZE, 200)
    pages = max(1, -(-len(matching) // size))
    page = _number(query.get("page"), 1, pages)
    page_items = matching[(page - 1) * size : page * size]
    return {
        "items": [item_view(item, located, state) for item in page_items],
        "total": len(matching),
        "page": page,
        "per_page": size,
    }


def kinds_view(catalogue: Catalogue) -> dict[str, Json]:
    """The kinds of resources for programs: paths, fields, and actions."""
    return {located.kind: _kind_view(located) for located in catalogue.resources()}


def _kind_view(located: Located) -> dict[str, Json]:
    resource = located.resource
    return {
        "service": located.service,
        "path": f"/api/{located.service}/{resource.collection}",
        "is_global": resource.is_global,
        "is_protectable": resource.is_protectable,
        "quota": resource.quota,
        "fields": {name: _field_view(field) for name, field in resource.fields.items()},
        "transitions": {
            action.to: name
            for name, action in resource.actions.items()
            if action.kind == "transition" and action.from_states and action.to
        },
        "actions": _actions_view(resource),
    }


_ACTION_KEYS = {
    *("kind", "event", "permission", "fields", "requires"),
    *("from_states", "through", "to", "clears", "reveals"),
}
_FIELD_KEYS = {
    *("kind", "required", "refers_to", "within", "generated", "is_hidden", "min", "max", "pattern"),
    *("min_length", "max_length", "language", "accept", "unique", "shown_if"),
}
"""Keys of the product data that programs are given unchanged."""


def _actions_view(resource: Resource) -> dict[str, Json]:
    return {
        name: action.model_dump(mode="json", include=_ACTION_KEYS)
        for name, action in resource.actions.items()
        if action.kind != "spawn"
    }


def _field_view(field: FieldSpec) -> dict[str, Json]:
    options: list[Json] = [option.value for option in field.options]
    return {
        **field.model_dump(mode="json", include=_FIELD_KEYS),
        "default": _as_json(field.default),
        "example": field.example or next(iter(options), ""),
        "options": options,
    }


def schema_text(catalogue: Catalogue, language: str) -> str:
    """Everything that the console shows, as JSON text in one language."""
    return _compact(localise(catalogue.model_dump(mode="json"), language))


def with_session(schema: str, session: Mapping[str, object]) -> str:
    """The text of `schema_text` with data of the session inserted, without parsing it."""
    return f"{schema[:-1]},{_compact(session)[1:]}"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def localise(value: Any, language: str) -> Any:  # Any: JSON of the catalogue, and the same again
    """The JSON with every text in one language."""
    if isinstance(value, dict):
        if value.keys() == {"en", "zh"}:
            return value["zh" if language == "zh" else "en"]
        return {key: localise(inner, language) for key, inner in value.items()}
    if isinstance(value, list):
        return [localise(inner, language) for inner in value]
    return value


def _reference_names(field: FieldSpec, value: Value, state: AccountState) -> Json:
    """What a reference names, or the list of what several do."""
    names: list[Json] = [
        {"id": other.id, "name": other.name}
        for id_ in ids_in(value)
        if (other := state.items.get(id_)) is not None
    ]
    if field.kind is FieldKind.REFERENCES:
        return names
    return names[0] if names else None


def _shown_value(field: FieldSpec, value: Value) -> Json:
    if field.kind is FieldKind.FILE and isinstance(value, dict):
        return {"name": value["name"], "size": int(value["size"])}
    return _as_json(value)


def _as_json(value: Value) -> Json:
    if isinstance(value, list):
        return [*value]
    return dict(value) if isinstance(value, dict) else value


def _matches(item: Item, located: Located, query: Mapping[str, str]) -> bool:
    word = query.get("search", "").strip().casefold()
    if word and not any(
        word in _cell_text(item, field).casefold() for field in located.resource.list.search
    ):
        return False
    fields = located.resource.fields
    filters = [n for n in query if n in fields and not is_secret(fields[n])]
    if query.get("state") and "state" not in fields and item.state != query["state"]:
        return False
    return all(_has_value(item.values.get(name), query[name]) for name in filters)


def _has_value(value: Value, expected: str) -> bool:
    """Whether the value equals the expected one, or is a list that contains it."""
    if isinstance(value, bool):
        return str(value).lower() == expected.lower()
    if isinstance(value, list):
        return expected in value
    return ("" if value is None else str(value)) == expected


def _cell_text(item: Item, field: str) -> str:
    if field == "id":
        return item.id
    value = item.values.get(field)
    return ", ".join(value) if isinstance(value, list) else "" if value is None else str(value)


def _sort_key(item: Item, field: str, state: AccountState) -> tuple[float, str]:
    """Numbers sort by size, references by the name of their target."""
    match field:
        case "created":
            return 0, item.created.isoformat()
        case "state" | "region":
            return 0, str(getattr(item, field))
    value = item.values.get(field)
    if isinstance(value, int) and not isinstance(value, bool):
        return value, ""
    names = [state.items[id_].name for id_ in ids_in(value) if id_ in state.items]
    return -1, (", ".join(names) or _cell_text(item, field)).casefold()


def _number(text: str | None, default: int, maximum: int) -> int:
    return min(max(int(text), 1), maximum) if text and text.isdigit() else min(default, maximum)
