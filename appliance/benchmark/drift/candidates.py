"""Every change of a kind that leaves the product usable."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from appliance.benchmark.drift import fields
from appliance.benchmark.drift.judge import places_of
from appliance.benchmark.drift.words import NewWords, new_fields
from appliance.practice.catalogue import Action, Catalogue, Form, Located, Text

Change = dict[str, Any]  # Any: one entry of a drift file


class DrawContext(NamedTuple):
    """What changes are drawn from."""

    catalogue: Catalogue
    words: NewWords
    random: Random
    needed: frozenset[str]
    """Kinds of what the procedures need before they start."""
    kept: frozenset[tuple[str, str, str]]
    """Kind, field and value of what they need."""
    expected: frozenset[tuple[str, str]]
    """Kind and field of values that the audit log must show though the text does not give them."""


def candidates(kind: str, ground: DrawContext) -> list[Change]:
    """Changes of a kind, in the order of the product data."""
    return list(_BY_KIND[kind](ground))


def _path(located: Located) -> str:
    return f"{located.service}.resources.{located.kind}"


def _actions(ground: DrawContext) -> Iterator[tuple[Located, str, str, Action]]:
    for located in ground.catalogue.resources():
        for name, action in located.resource.actions.items():
            yield located, name, f"{_path(located)}.actions.{name}", action


def _labels(ground: DrawContext) -> Iterator[tuple[str, Text]]:
    yield from _labels_of_menus(ground)
    for located in ground.catalogue.resources():
        yield from _labels_of_pages(located)
    for _, _, path, action in _actions(ground):
        yield path, action.label
        if action.title:
            yield f"{path}.title", action.title
        if action.submit:
            yield f"{path}.submit", action.submit
        if action.form:
            yield f"{path}.form.title", action.form.title
            yield f"{path}.form.submit", action.form.submit
            for step in action.form.steps if len(action.form.steps) > 1 else ():
                yield f"{path}.form.steps.{step.id}", step.title


def _labels_of_menus(ground: DrawContext) -> Iterator[tuple[str, Text]]:
    for service, product in ground.catalogue.products.items():
        yield service, product.menu
        for group in product.navigation:
            for entry in group.entries:
                yield f"{service}.navigation.{group.id}.entries.{entry.id}", entry.label


def _labels_of_pages(located: Located) -> Iterator[tuple[str, Text]]:
    path, resource = _path(located), located.resource
    for name, field in resource.fields.items():
        yield f"{path}.fields.{name}", field.label
        for option in field.options:
            yield f"{path}.fields.{name}.options.{option.value}", option.label
    for name, state in resource.states.items():
        yield f"{path}.states.{name}", state.label
    for tab in resource.detail.tabs:
        yield f"{path}.detail.tabs.{tab.id}", tab.label


def _rename_label(ground: DrawContext) -> Iterator[Change]:
    for target, text in _labels(ground):
        yield {"target": target, "label": text}


def _change_text(ground: DrawContext) -> Iterator[Change]:
    for located in ground.catalogue.resources():
        at, page = _path(located), located.resource.list
        yield {"target": f"{at}.list.search_label", "text": page.search_label}
        yield {"target": f"{at}.list.empty", "text": None}
        for name, field in located.resource.fields.items():
            for key in ("hint", "placeholder", "help"):
                if getattr(field, key):
                    yield {"target": f"{at}.fields.{name}.{key}", "text": None}
    for _, _, path, action in _actions(ground):
        if action.notice:
            yield {"target": f"{path}.notice", "text": None}
        if action.form and action.form.intro:
            yield {"target": f"{path}.form.intro", "text": None}


def _change_message(ground: DrawContext) -> Iterator[Change]:
    for _, _, path, action in _actions(ground):
        if action.success:
            yield {"target": path, "text": "messages"}


def _change_confirmation(ground: DrawContext) -> Iterator[Change]:
    for _, _, path, action in _actions(ground):
        if confirmation := action.confirm:
            yield {"target": path, "title": confirmation.title}
            yield {"target": path, "submit": confirmation.submit}
            yield {"target": path, "notice": "remarks"}
            yield {"target": path, "types_name": not confirmation.types_name}
            if not confirmation.acknowledge:
                yield {"target": path, "acknowledge": "acknowledge"}


def _require_permission(ground: DrawContext) -> Iterator[Change]:
    """Not what the procedures' prerequisites are made and removed with."""
    for located, _, path, action in _actions(ground):
        is_provisioning = action.kind == "create" and located.kind in ground.needed
        if action.kind not in ("delete", "spawn") and not is_provisioning and not action.permission:
            for permission in ground.catalogue.console.permissions:
                yield {"target": path, "permission": permission}


def _entries(ground: DrawContext) -> Iterator[tuple[str, list[str], str]]:
    for service, product in ground.catalogue.products.items():
        for group in product.navigation:
            others = [other.id for other in product.navigation if other is not group]
            for entry in group.entries:
                if not entry.is_dead:
                    yield f"{service}.navigation.{group.id}.entries.{entry.id}", others, entry.kind


def _dead_link(ground: DrawContext) -> Iterator[Change]:
    for path, _, _ in _entries(ground):
        yield {"target": path}


def _move_menu_entry(ground: DrawContext) -> Iterator[Change]:
    for service, product in ground.catalogue.products.items():
        for category in ground.catalogue.console.categories:
            if category != product.category:
                yield {"target": service, "to": category}
    for path, others, _ in _entries(ground):
        for group in others:
            yield {"target": path, "to": group}


def _move_control(ground: DrawContext) -> Iterator[Change]:
    """What creates stays where it is; only what needs no form is done with several at once."""
    for located, name, path, action in _actions(ground):
        current_places = sorted(places_of(located.resource, name))
        places = ["list.row", "list.more", "detail.header", "detail.more"]
        if action.kind in ("delete", "transition"):
            places.append("list.batch")
        for origin in current_places if action.kind != "create" else ():
            for to in places:
                if to not in current_places and not origin.startswith("detail.tabs"):
                    yield {"target": path, "from": origin, "to": to}


def _remove_control(ground: DrawContext) -> Iterator[Change]:
    for located, name, path, action in _actions(ground):
        if action.kind != "create":
            yield {"target": path}
            for place in sorted(places_of(located.resource, name)):
                yield {"target": path, "from": place}


def _remove_field(ground: DrawContext) -> Iterator[Change]:
    for located in ground.catalogue.resources():
        for name in located.resource.fields:
            if fields.can_be_hidden(located, name):
                yield {"target": f"{_path(located)}.fields.{name}"}


def _forms(ground: DrawContext) -> Iterator[tuple[Located, str, Form]]:
    for located, name, path, action in _actions(ground):
        if name == "create" and action.form:
            yield located, path, action.form


def _add_field(ground: DrawContext) -> Iterator[Change]:
    for located, _, form in _forms(ground):
        steps = [step for step in form.steps if step.fields]
        for name, spec in new_fields().items():
            if name not in located.resource.fields:
                for step in steps:
                    for required in (True, False):
                        after = ground.random.choice(step.fields)
                        field = {**spec, "required": required}
                        yield {"target": _path(located), "name": name, "step": step.id,
                               "after": after, "field": field}  # fmt: skip


def _move_field(ground: DrawContext) -> Iterator[Change]:
    for located, _, form in _forms(ground):
        steps = [step for step in form.steps if step.fields]
        for step in steps:
            for name in step.fields if len(step.fields) > 1 else ():
                if not fields.depends(located, [name], list(located.resource.fields)):
                    for other in steps:
                        if other is not step:
                            yield {"target": f"{_path(located)}.fields.{name}", "to": other.id}


def _require_field(ground: DrawContext) -> Iterator[Change]:
    for located, _, form in _forms(ground):
        for step in form.steps:
            for name in step.fields:
                if fields.can_be_required(located, name):
                    yield {"target": f"{_path(located)}.fields.{name}"}


def _reorder_steps(ground: DrawContext) -> Iterator[Change]:
    for located, path, form in _forms(ground):
        ids = [step.id for step in form.steps]
        for position, (earlier, later) in enumerate(zip(form.steps, form.steps[1:], strict=False)):
            is_free = not fields.depends(located, list(earlier.fields), list(later.fields))
            if earlier.fields and later.fields and is_free:
                order = [*ids[:position], later.id, earlier.id, *ids[position + 2 :]]
                yield {"target": path, "order": order}


def _change_options(ground: DrawContext) -> Iterator[Change]:
    for located in ground.catalogue.resources():
        for name in located.resource.fields:
            for options in fields.other_options(located, name, ground.kept):
                yield {"target": f"{_path(located)}.fields.{name}", "options": options}


def _change_default(ground: DrawContext) -> Iterator[Change]:
    for located in ground.catalogue.resources():
        for name in located.resource.fields:
            if (located.kind, name) not in ground.expected:
                for default in fields.other_defaults(located, name):
                    yield {"target": f"{_path(located)}.fields.{name}", "default": default}


_BY_KIND: dict[str, Callable[[DrawContext], Iterator[Change]]] = {
    "rename_label": _rename_label,
    "change_text": _change_text,
    "change_message": _change_message,
    "change_confirmation": _change_confirmation,
    "require_permission": _require_permission,
    "dead_link": _dead_link,
    "move_menu_entry": _move_menu_entry,
    "move_control": _move_control,
    "remove_control": _remove_control,
    "remove_field": _remove_field,
    "add_field": _add_field,
    "move_field": _move_field,
    "require_field": _require_field,
    "reorder_steps": _reorder_steps,
    "change_options": _change_options,
    "change_default": _change_default,
}
