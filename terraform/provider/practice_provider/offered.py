"""What a cloud offers that `schema.json` does not know: a newer release, or one that changed.

The attributes are those of the schema all the same; what is left out of a block is filled in as the
cloud has it.
"""

from collections.abc import Mapping
from typing import Any

from practice_provider.spec import Kind

Offered = Mapping[str, Mapping[str, Any]]  # Any: JSON
"""The fields of a kind as the cloud describes them."""


def defaults(kind: Kind, offered: Offered) -> dict[str, Any]:
    """The defaults that are others than in the schema, by field; None: there is no such field."""
    found: dict[str, Any] = {}
    for field in kind.fields:
        if field.default is None or field.generated:
            continue
        if field.name not in offered:
            found[field.name] = None
        elif offered[field.name].get("default") not in (None, "", [], {}):
            found[field.name] = offered[field.name]["default"]
        elif field.kind == "choice" and not _is_option(offered[field.name], field.default):
            found[field.name] = _first(offered[field.name])
    return found


def unasked(kind: Kind, offered: Offered, given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of fields that the schema does not know and the cloud requires."""
    known = {field.name for field in kind.fields}
    return {
        name: value
        for name, field in offered.items()
        if name not in known
        and field.get("required")
        and not field.get("generated")
        and _is_asked(field, given)
        and (value := field.get("default") or _first(field))
    }


def _is_option(field: Mapping[str, Any], value: Any) -> bool:  # Any: as above
    options = field.get("options")
    return not options or value in options


def _first(field: Mapping[str, Any]) -> Any:  # Any: as above
    options = field.get("options")
    value = options[0] if options else field.get("example") or field.get("min")
    return [value] if field.get("kind") == "choices" else value


def _is_asked(field: Mapping[str, Any], given: Mapping[str, Any]) -> bool:  # Any: as above
    condition = field.get("shown_if")
    return condition is None or given.get(condition["field"]) in condition["values"]
