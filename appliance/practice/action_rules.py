"""What must hold for an action of a resource."""

from collections.abc import Iterator

from appliance.practice.catalogue import Action, FieldKind, Located
from appliance.practice.loading import CatalogueNames, unknown_names

_EDITS = ("edit", "tags")
_REFERENCES = (FieldKind.REFERENCE, FieldKind.REFERENCES)


def action_problems(
    where: str, name: str, located: Located, around: CatalogueNames
) -> Iterator[str]:
    """What is wrong with an action."""
    resource = located.resource
    action = resource.actions[name]
    states = [*action.from_states, *filter(None, (action.through, action.to))]
    yield from unknown_names(where, states, resource.states)
    yield from unknown_names(f"{where}.fields", action.fields, resource.fields)
    yield from unknown_names(f"{where}.clears", action.clears, resource.fields)
    yield from unknown_names(f"{where}.requires", action.requires, action.fields)
    if action.permission:
        yield from unknown_names(f"{where}.permission", [action.permission], around.permissions)
    yield from _form_problems(where, action, located)
    yield from _kind_problems(where, name, action)
    if action.kind == "spawn":
        yield from _spawn_problems(where, action, located, around)
    elif not action.event or action.success is None:
        yield f"{where}: it needs an event and a success notice"


def _form_problems(where: str, action: Action, located: Located) -> Iterator[str]:
    fields = located.resource.fields
    for step in action.form.steps if action.form else ():
        yield from unknown_names(f"{where}.form.{step.id}", step.fields, fields)
    form_fields = [
        name for step in (action.form.steps if action.form else ()) for name in step.fields
    ]
    if len(set(form_fields)) < len(form_fields):
        yield f"{where}.form: a field is asked for twice"
    for name in (*form_fields, *action.fields):
        if name in fields and fields[name].generated:
            yield f"{where}: {name} is generated and cannot be entered"
    generated = [name for name, field in fields.items() if field.generated]
    yield from unknown_names(f"{where}.reveals", action.reveals, generated)


def _kind_problems(where: str, name: str, action: Action) -> Iterator[str]:
    if (action.kind == "create") != (action.form is not None):
        yield f"{where}: a creation has a form, and nothing else has"
    for kind in ("create", "delete"):
        if (action.kind == kind) != (name == kind):
            yield f"{where}: the action of the kind {kind} is called {kind}, and no other is"
    if (action.kind in _EDITS) != bool(action.fields):
        yield f"{where}: edits have fields, and nothing else has"
    if action.kind == "transition" and not action.to:
        yield f"{where}: a transition leads to a state"
    if action.kind in ("create", *_EDITS) and action.through and not action.to:
        yield f"{where}: it goes through a state and leads to none"
    if action.clears and action.kind != "transition":
        yield f"{where}: only a transition empties fields"
    if action.reveals and action.kind != "create":
        yield f"{where}: only a creation reveals"


def _spawn_problems(
    where: str, action: Action, located: Located, around: CatalogueNames
) -> Iterator[str]:
    yield from unknown_names(f"{where}.resource", [action.resource], around.kinds)
    other = around.kinds.get(action.resource)
    if other is None:
        return
    if "create" not in other.resource.actions:
        yield f"{where}.resource: a {action.resource} cannot be created"
    if not any(
        field.refers_to == located.kind and field.kind in _REFERENCES
        for field in other.resource.fields.values()
    ):
        yield f"{where}.resource: a {action.resource} does not refer to a {located.kind}"
