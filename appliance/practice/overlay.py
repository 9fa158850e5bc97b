"""Applies a release or drift file to the product data, and refuses one that does not fit."""

import copy
from collections.abc import Callable
from typing import Any, get_args

from pydantic import ValidationError

from appliance.core.errors import SetupError
from appliance.core.near import nearest
from appliance.practice import changes as c
from appliance.practice.catalogue import Catalogue
from appliance.practice.loading import NotThere, SourceFile, Tree, TreeNode, find
from appliance.practice.rules import problems_of

_LABEL_KEYS = ("label", "menu", "name", "title")
"""Keys that may hold the label, in order of preference."""

KINDS = {
    get_args(kind.model_fields["kind"].annotation)[0]: kind
    for kind in get_args(get_args(c.AnyChange)[0])
}
"""The kinds of change by their name in a file."""


def read_overlay(source: SourceFile) -> c.OverlayFile:
    """Validate the form of an overlay file; `SetupError` with file and line if it is bad."""
    try:
        return c.OverlayFile.model_validate(source.data)
    except ValidationError as exc:
        raise SetupError(_form_error(source, exc)) from exc


def apply_overlay(tree: Tree, overlay: c.OverlayFile, source: SourceFile) -> Tree:
    """A changed copy of the product data; `SetupError` if a change does not fit."""
    changed: Tree = _copy_tree(tree)
    for number, change in enumerate(overlay.changes):
        try:
            _APPLY[type(change)](changed, change)
            problems = problems_of(changed)
        except NotThere as exc:
            line = source.place(("changes", number, "target"))
            raise SetupError(f"{line}: {change.kind}: {exc}") from exc
        if problems:
            line = source.place(("changes", number))
            raise SetupError(f"{line}: {change.kind}: {problems[0]}")
    return changed


def _copy_tree(value: Any) -> Any:  # Any: a value of YAML
    """A deep copy in which YAML aliases no longer share objects, as changes must not spread."""
    if isinstance(value, dict):
        return {key: _copy_tree(inner) for key, inner in value.items()}
    return [_copy_tree(inner) for inner in value] if isinstance(value, list) else value


def catalogue_of(tree: Tree) -> Catalogue:
    """The checked catalogue of product data."""
    return Catalogue.model_validate(tree)


def _form_error(source: SourceFile, exc: ValidationError) -> str:
    errors = exc.errors()  # a misspelt key is also a missing one; the former says more
    error = next((e for e in errors if e["type"] == "extra_forbidden"), errors[0])
    loc = tuple(part for part in error["loc"] if part not in KINDS)
    number = loc[1] if len(loc) > 1 and isinstance(loc[1], int) else None
    if error["type"].startswith("union_tag"):
        word = _mapping_at(source, loc).get("kind")
        if word is None:
            return f"{source.place(loc)}: a change needs a kind; {nearest('', KINDS)}"
        place = source.place((*loc, "kind"))
        return f"{place}: there is no kind {word!r}; {nearest(str(word), KINDS)}"
    place = source.place(loc)
    if error["type"] == "extra_forbidden":
        word = str(loc[-1])
        return f"{place}: there is no key {word!r}; {nearest(word, _keys(source, number, loc))}"
    named = ".".join(str(part) for part in loc[2:] or loc)
    return f"{place}: {named}: {error['msg'].lower()}"


def _mapping_at(source: SourceFile, loc: tuple[str | int, ...]) -> Tree:
    value: Any = source.data  # Any: as in the file
    for part in loc:
        value = value[part]
    return value if isinstance(value, dict) else {}


def _keys(source: SourceFile, number: int | None, loc: tuple[str | int, ...]) -> list[str]:
    model: type[Any] = c.OverlayFile  # Any: one of the models of `changes`
    if number is not None:
        model = KINDS[str(_mapping_at(source, ("changes", number)).get("kind"))]
    if len(loc) > 3:  # inside a text
        model = c.NewText
    return [field.alias or name for name, field in model.model_fields.items()]


# -- one function for each kind -----------------------------------------------------------


def _rename_label(tree: Tree, change: c.RenameLabel) -> None:
    value = find(tree, change.target).value
    if not isinstance(value, dict):
        raise NotThere(f"{change.target} has no label")
    if "en" not in value:
        key = next((key for key in _LABEL_KEYS if isinstance(value.get(key), dict)), None)
        if key is None:
            raise NotThere(f"{change.target} has no label; {nearest('label', value)}")
        value = value[key]
    _set_text(value, change.label)


def _change_text(tree: Tree, change: c.ChangeText) -> None:
    place = find(tree, change.target)
    if not isinstance(place.value, dict) or "en" not in place.value:
        members = place.value if isinstance(place.value, dict) else ()
        texts = [k for k in members if isinstance(members[k], dict) and "en" in members[k]]
        raise NotThere(f"{change.target} is not a text; {nearest('text', texts)}")
    _set_text(place.value, change.text)


def _change_message(tree: Tree, change: c.ChangeMessage) -> None:
    _set_text(_action_part(tree, change.target, "success"), change.text)


def _change_confirmation(tree: Tree, change: c.ChangeConfirmation) -> None:
    confirm = _action_part(tree, change.target, "confirm")
    if not change.model_fields_set & {*c.NewConfirmation.model_fields}:
        names = ", ".join(c.NewConfirmation.model_fields)
        raise NotThere(f"nothing of the confirmation is changed; there is {names}")
    for key in ("title", "notice", "submit"):
        new_text = getattr(change, key)
        if new_text is not None:
            _set_text(confirm[key], new_text)
    if change.types_name is not None:
        confirm["types_name"] = change.types_name
    if change.acknowledge is not None:
        confirm["acknowledge"] = change.acknowledge.model_dump()


def _require_permission(tree: Tree, change: c.RequirePermission) -> None:
    _action(tree, change.target)
    find(tree, f"console.permissions.{change.permission}")
    find(tree, change.target).value["permission"] = change.permission


def _dead_link(tree: Tree, change: c.DeadLink) -> None:
    _entry(tree, change.target).value["is_dead"] = True


def _set_text(text: Tree, new: c.NewText) -> None:
    text.update(new.model_dump(exclude_none=True))


def _move_menu_entry(tree: Tree, change: c.MoveMenuEntry) -> None:
    place = find(tree, change.target)
    if isinstance(place.value, dict) and "category" in place.value:
        find(tree, f"console.categories.{change.to}")
        place.value["category"] = change.to
        return
    place = _entry(tree, change.target)
    product = change.target.partition(".")[0]
    group = find(tree, f"{product}.navigation.{change.to}").value
    place.holder.remove(place.value)
    group["entries"].append(place.value)


def _entry(tree: Tree, target: str) -> TreeNode:
    """An entry of the side navigation."""
    place = find(tree, target)
    path = target.partition(".")[2]
    if not path.startswith("navigation.") or path.count(".") != 3 or "entries" not in path:
        raise NotThere(
            f"{target} is no menu entry: name PRODUCT.navigation.GROUP.entries.ENTRY, "
            "or to move a product, the product"
        )
    return place


def _action(tree: Tree, target: str) -> tuple[str, str]:
    """The path of an action's resource, and the name of the action."""
    find(tree, target)
    resource, _, name = target.rpartition(".actions.")
    if not resource or "." in name:
        raise NotThere(f"{target} is no action: name it PRODUCT.resources.RESOURCE.actions.ACTION")
    return resource, name


def _action_part(tree: Tree, target: str, part: str) -> Tree:
    """A part that only some actions have: a message, a confirmation."""
    resource, name = _action(tree, target)
    actions = find(tree, f"{resource}.actions").value
    value: Tree | None = actions[name].get(part)
    if value is None:
        actions_with_part = [other for other, action in actions.items() if action.get(part)]
        raise NotThere(f"{target} has no {part}; {nearest(name, actions_with_part)}")
    return value


def _places(tree: Tree, resource: str) -> dict[str, list[str]]:
    """The lists of actions on a resource's pages, by place; missing ones are created."""
    definition = find(tree, resource).value
    places = {
        f"list.{n}": definition["list"].setdefault(n, [])
        for n in ("header", "batch", "row", "more")
    }
    places |= {f"detail.{n}": definition["detail"].setdefault(n, []) for n in ("header", "more")}
    for tab in definition["detail"].get("tabs", ()):
        if tab["kind"] != "related":
            places[f"detail.tabs.{tab['id']}"] = tab.setdefault("header", [])
    return places


def _remove_from_place(places: dict[str, list[str]], place: str, name: str) -> None:
    if place not in places:
        raise NotThere(f"there is no place {place!r}; {nearest(place, places)}")
    if name not in places[place]:
        holders = [p for p, names in places.items() if name in names]
        raise NotThere(
            f"{name} does not stand in {place}; it stands in {', '.join(holders) or 'none'}"
        )
    places[place].remove(name)


def _move_control(tree: Tree, change: c.MoveControl) -> None:
    resource, name = _action(tree, change.target)
    places = _places(tree, resource)
    if change.to not in places:
        raise NotThere(f"there is no place {change.to!r}; {nearest(change.to, places)}")
    _remove_from_place(places, change.from_, name)
    if name not in places[change.to]:
        places[change.to].append(name)


def _remove_control(tree: Tree, change: c.RemoveControl) -> None:
    resource, name = _action(tree, change.target)
    places = _places(tree, resource)
    if change.from_:
        _remove_from_place(places, change.from_, name)
        return
    for names in (*places.values(), *_tabs_of_others(tree, resource.rpartition(".")[2])):
        if name in names:
            names.remove(name)


def _tabs_of_others(tree: Tree, kind: str) -> list[list[str]]:
    """The actions above lists of the resource on pages of other items."""
    resources = [r for product in tree["products"].values() for r in product["resources"].values()]
    tabs = [tab for resource in resources for tab in resource["detail"].get("tabs", ())]
    return [tab["header"] for tab in tabs if tab.get("resource") == kind and "header" in tab]


def _field(tree: Tree, target: str) -> TreeNode:
    place = find(tree, target)
    if ".fields." not in target or not isinstance(place.value, dict) or "label" not in place.value:
        raise NotThere(f"{target} is no field: name it PRODUCT.resources.RESOURCE.fields.FIELD")
    return place


def _remove_field(tree: Tree, change: c.RemoveField) -> None:
    _field(tree, change.target).value["is_hidden"] = True


def _require_field(tree: Tree, change: c.RequireField) -> None:
    _field(tree, change.target).value["required"] = True


def _change_default(tree: Tree, change: c.ChangeDefault) -> None:
    _field(tree, change.target).value["default"] = change.default


def _change_options(tree: Tree, change: c.ChangeOptions) -> None:
    _field(tree, change.target).value["options"] = copy.deepcopy(change.options)


def _steps(tree: Tree, resource: str) -> list[Tree]:
    steps = find(tree, f"{resource}.actions.create.form.steps").value
    return steps if isinstance(steps, list) else []


def _add_field(tree: Tree, change: c.AddField) -> None:
    fields = find(tree, f"{change.target}.fields").value
    if change.name in fields:
        raise NotThere(f"{change.target} has a field {change.name!r} already")
    step = find(tree, f"{change.target}.actions.create.form.steps.{change.step}").value
    fields[change.name] = copy.deepcopy(change.field)
    names = step.setdefault("fields", [])
    if change.after and change.after not in names:
        raise NotThere(
            f"there is no {change.after!r} in step {change.step}; {nearest(change.after, names)}"
        )
    names.insert(names.index(change.after) + 1 if change.after else len(names), change.name)


def _move_field(tree: Tree, change: c.MoveField) -> None:
    resource, _, name = change.target.rpartition(".fields.")
    _field(tree, change.target)
    target = find(tree, f"{resource}.actions.create.form.steps.{change.to}").value
    for step in _steps(tree, resource):
        if name in step.get("fields", ()):
            step["fields"].remove(name)
    target.setdefault("fields", []).append(name)


def _reorder_steps(tree: Tree, change: c.ReorderSteps) -> None:
    resource, name = _action(tree, change.target)
    place = find(tree, f"{resource}.actions.{name}.form.steps")
    by_id = {step["id"]: step for step in place.value}
    for step_id in change.order:
        if step_id not in by_id:
            raise NotThere(f"there is no step {step_id!r}; {nearest(step_id, by_id)}")
    if sorted(change.order) != sorted(by_id):
        raise NotThere(f"order must name every step once: {', '.join(by_id)}")
    place.holder[place.key] = [by_id[word] for word in change.order]


_APPLY: dict[type[c.Change], Callable[[Tree, Any], None]] = {  # Any: the kind that the key names
    c.RenameLabel: _rename_label,
    c.ChangeText: _change_text,
    c.ChangeMessage: _change_message,
    c.ChangeConfirmation: _change_confirmation,
    c.RequirePermission: _require_permission,
    c.DeadLink: _dead_link,
    c.MoveMenuEntry: _move_menu_entry,
    c.MoveControl: _move_control,
    c.RemoveControl: _remove_control,
    c.RemoveField: _remove_field,
    c.AddField: _add_field,
    c.MoveField: _move_field,
    c.RequireField: _require_field,
    c.ReorderSteps: _reorder_steps,
    c.ChangeOptions: _change_options,
    c.ChangeDefault: _change_default,
}
