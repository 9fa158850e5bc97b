"""What the Terraform provider knows of the products: `terraform/provider/.../schema.json`."""

from appliance.core.jsonable import Json
from appliance.practice.catalogue import Action, Catalogue, FieldKind, FieldSpec, Located, Resource

SCHEMA_VERSION = 1
_LIMITED = (FieldKind.TEXT, FieldKind.MULTILINE, FieldKind.SECRET, FieldKind.CODE)
"""Kinds whose length counts."""


def terraform_schema(catalogue: Catalogue) -> dict[str, Json]:
    """Every resource that can be made and deleted: its fields, and the actions that change it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "resources": {
            located.kind: _resource(located)
            for located in catalogue.resources()
            if {"create", "delete"} <= {action.kind for action in located.resource.actions.values()}
        },
    }


def _resource(located: Located) -> dict[str, Json]:
    resource = located.resource
    actions = resource.actions
    creation = next(action for action in actions.values() if action.kind == "create")
    deletion = next(action for action in actions.values() if action.kind == "delete")
    return {
        "title": resource.name.en,
        "path": f"/api/{located.service}/{resource.collection}",
        "is_global": resource.is_global,
        "created": creation.to,
        "fields": {name: _field(name, resource) for name in resource.fields},
        "actions": {
            name: _action(action)
            for name, action in actions.items()
            if action.kind in ("edit", "tags", "transition")
        },
        "deleted_from": list(deletion.from_states),
    }


def _field(name: str, resource: Resource) -> dict[str, Json]:
    """What differs from the usual, so that the file can be read by people."""
    field = resource.fields[name]
    options: list[Json] = [option.value for option in field.options]
    usual: dict[str, Json] = {
        "required": field.required,
        "default": _default(field),
        "options": options,
        "pattern": field.pattern,
        "pattern_message": field.pattern_message.en if field.pattern_message else "",
        "language": field.language,
        "accept": list(field.accept),
        "unique": field.unique,
        "refers_to": field.refers_to,
        "within": field.within,
        "example": field.example,
        "generated": field.generated,
    }
    described: dict[str, Json] = {"kind": field.kind.value, "label": field.label.en}
    described |= {
        key: value
        for key, value in usual.items()
        if value not in (None, "", [], False) or (key == "default" and value is False)
    }
    if field.kind in _LIMITED and not field.generated:
        described |= {"min_length": field.min_length, "max_length": field.max_length}
    if field.kind is FieldKind.NUMBER:
        described |= {"min": field.min, "max": field.max}
    if field.shown_if is not None:
        values: list[Json] = list(field.shown_if.values)
        described["shown_if"] = {"field": field.shown_if.field, "values": values}
    if not field.generated and not _is_entered_at_creation(name, resource):
        described["is_set_later"] = True
    return described


def _default(field: FieldSpec) -> Json:
    if field.kind is FieldKind.BOOLEAN:
        return bool(field.default)
    match field.default:
        case dict() as tags:
            return dict(tags)
        case list() as chosen:
            return list(chosen)
        case value:
            return value


def _is_entered_at_creation(name: str, resource: Resource) -> bool:
    """Whether creating takes it; what no form asks for and an edit sets is set afterwards."""
    forms = [action.form for action in resource.actions.values() if action.form is not None]
    is_asked = any(name in step.fields for form in forms for step in form.steps)
    is_edited = any(
        name in action.fields
        for action in resource.actions.values()
        if action.kind in ("edit", "tags")
    )
    return is_asked or not is_edited


def _action(action: Action) -> dict[str, Json]:
    if action.kind == "transition":
        return {
            "from": list(action.from_states),
            "to": action.to,
            "clears": list(action.clears),
        }
    return {"from": list(action.from_states), "to": action.to, "sets": list(action.fields)}
