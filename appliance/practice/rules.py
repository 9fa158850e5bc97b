"""What must hold between the parts of the product data, beyond their shape."""

from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from appliance.practice._tree import nearest
from appliance.practice.catalogue import Catalogue, Located
from appliance.practice.loading import Tree

SPECIAL = frozenset({"state", "created", "id"})
"""Columns and detail lines that every item has."""


def problems_of(tree: Tree) -> list[str]:
    """What is wrong with product data, as sentences; empty when nothing is."""
    try:
        catalogue = Catalogue.model_validate(tree)
    except ValidationError as exc:
        error = exc.errors()[0]
        where = ".".join(str(part) for part in error["loc"]).removeprefix("products.")
        return [f"{where}: {error['msg'].lower()}"]
    return list(_problems(catalogue))


def _problems(catalogue: Catalogue) -> Iterator[str]:
    kinds = {found.kind for found in catalogue.resources()}
    for service, product in catalogue.products.items():
        if product.category not in catalogue.console.categories:
            yield f"{service}: no category {product.category!r}"
        entries = [entry for group in product.navigation for entry in group.entries]
        yield from _unknown(f"{service}.entry", [product.entry], [e.id for e in entries])
        yield from _unknown(
            f"{service}.navigation", [e.resource for e in entries if e.resource], kinds
        )
    for found in catalogue.resources():
        yield from _resource_problems(found, kinds)


def _resource_problems(found: Located, kinds: set[str]) -> Iterator[str]:
    service, kind, resource = found
    where = f"{service}.resources.{kind}"
    shown = {*resource.fields, *SPECIAL}
    page, detail = resource.list, resource.detail
    yield from _unknown(f"{where}.list.columns", [c.field for c in page.columns], shown)
    for names in (page.header, page.batch, page.row, page.more, detail.header, detail.more):
        yield from _unknown(f"{where}.actions", names, resource.actions)
    for tab in detail.tabs:
        yield from _unknown(f"{where}.detail.tabs.{tab.id}", tab.fields, shown)
        if tab.resource:
            yield from _unknown(f"{where}.detail.tabs.{tab.id}", [tab.resource], kinds)
    for name, action in resource.actions.items():
        states = [*action.from_states, *filter(None, (action.through, action.to))]
        yield from _unknown(f"{where}.actions.{name}", states, resource.states)
        yield from _unknown(f"{where}.actions.{name}.fields", action.fields, resource.fields)
        for step in action.form.steps if action.form else ():
            yield from _unknown(
                f"{where}.actions.{name}.form.{step.id}", step.fields, resource.fields
            )
    for name, field in resource.fields.items():
        options = [option.value for option in field.options]
        if field.kind == "choice" and field.default is not None and field.default not in options:
            yield f"{where}.fields.{name}: the default {field.default!r} is none of the options"
        if field.refers_to:
            yield from _unknown(f"{where}.fields.{name}", [field.refers_to], kinds)


def _unknown(where: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    known = list(known)
    for name in names:
        if name not in known:
            yield f"{where}: there is no {name!r}; {nearest(name, known)}"
