"""Checks the parts of the product data against each other, beyond their shape."""

from collections import Counter
from collections.abc import Iterator

from pydantic import ValidationError

from appliance.practice.accounts import Role
from appliance.practice.action_rules import action_problems
from appliance.practice.catalogue import Catalogue, Located, NavEntry, Product, Tab
from appliance.practice.field_rules import field_problems, price_problems
from appliance.practice.loading import SPECIAL, CatalogueNames, Tree, unknown_names
from appliance.practice.views import is_secret

_FILTERED = ("choice", "boolean")
_ROLES = [role.value for role in Role]


def problems_of(tree: Tree) -> list[str]:
    """Problems with the product data, as sentences; empty if there are none."""
    try:
        catalogue = Catalogue.model_validate(tree)
    except ValidationError as exc:
        error = exc.errors()[0]
        where = ".".join(str(part) for part in error["loc"]).removeprefix("products.")
        return [f"{where}: {error['msg'].lower()}"]
    return list(_problems(catalogue))


def _problems(catalogue: Catalogue) -> Iterator[str]:
    catalogue_names = CatalogueNames(
        {resource.kind: resource for resource in catalogue.resources()},
        set(catalogue.console.permissions),
    )
    yield from _shell_problems(catalogue)
    yield from _duplicate_problems(
        "resource", [resource.kind for resource in catalogue.resources()]
    )
    for service, product in catalogue.products.items():
        if product.category not in catalogue.console.categories:
            yield f"{service}: no category {product.category!r}"
        yield from _duplicate_problems(
            f"{service}: collection", [r.collection for r in product.resources.values()]
        )
        yield from _navigation_problems(service, product)
    for resource in catalogue_names.kinds.values():
        yield from _resource_problems(resource, catalogue_names)


def _shell_problems(catalogue: Catalogue) -> Iterator[str]:
    yield from _duplicate_problems(
        "console.regions", [region.id for region in catalogue.console.regions]
    )
    for name, permission in catalogue.console.permissions.items():
        yield from unknown_names(f"console.permissions.{name}.roles", permission.roles, _ROLES)


def _navigation_problems(service: str, product: Product) -> Iterator[str]:
    entries = [entry for group in product.navigation for entry in group.entries]
    yield from unknown_names(f"{service}.entry", [product.entry], [e.id for e in entries])
    yield from _duplicate_problems(f"{service}.navigation", [entry.id for entry in entries])
    for entry in entries:
        yield from _entry_problems(f"{service}.navigation.{entry.id}", entry, product)


def _entry_problems(where: str, entry: NavEntry, product: Product) -> Iterator[str]:
    if entry.kind == "list" or entry.resource:
        yield from unknown_names(where, [entry.resource], product.resources)
    if entry.kind == "page" or entry.page:
        yield from unknown_names(where, [entry.page], product.pages)


def _resource_problems(located: Located, catalogue_names: CatalogueNames) -> Iterator[str]:
    resource = located.resource
    where = f"{located.service}.resources.{located.kind}"
    yield from _list_problems(where, located)
    for tab in resource.detail.tabs:
        yield from _tab_problems(f"{where}.detail.tabs.{tab.id}", tab, located, catalogue_names)
    for name in resource.actions:
        yield from action_problems(f"{where}.actions.{name}", name, located, catalogue_names)
    for name in resource.fields:
        yield from field_problems(f"{where}.fields.{name}", name, located, catalogue_names)
    if resource.price is not None:
        yield from price_problems(f"{where}.price", resource.price, resource)


def _list_problems(where: str, located: Located) -> Iterator[str]:
    resource = located.resource
    page, detail, fields = resource.list, resource.detail, resource.fields
    columns = [column.field for column in page.columns]
    yield from unknown_names(f"{where}.list.columns", columns, {*fields, *SPECIAL})
    yield from _duplicate_problems(f"{where}.list.columns", columns)
    yield from unknown_names(f"{where}.list.search", page.search, {*fields, "id"})
    for name in (*columns, *page.search):
        if name in fields and is_secret(fields[name]):
            yield f"{where}.list: {name} is a secret and cannot be listed or searched"
    filters = {n for n, field in fields.items() if field.kind in _FILTERED} | {"state"}
    yield from unknown_names(f"{where}.list.filters", page.filters, filters)
    tabs = [tab.header for tab in detail.tabs if tab.kind != "related"]
    for names in (page.header, page.batch, page.row, page.more, detail.header, detail.more, *tabs):
        yield from unknown_names(f"{where}.actions", names, resource.actions)
    yield from _duplicate_problems(f"{where}.detail.tabs", [tab.id for tab in detail.tabs])


def _tab_problems(
    where: str, tab: Tab, located: Located, catalogue_names: CatalogueNames
) -> Iterator[str]:
    fields = located.resource.fields
    yield from unknown_names(where, tab.fields, {*fields, *SPECIAL})
    for name in tab.fields:
        if name in fields and is_secret(fields[name]):
            yield f"{where}: {name} is a secret and cannot be shown"
    if tab.kind == "related" or tab.resource:
        yield from unknown_names(where, [tab.resource], catalogue_names.kinds)
        related = catalogue_names.kinds.get(tab.resource)
        if related and all(
            field.refers_to != located.kind for field in related.resource.fields.values()
        ):
            yield f"{where}: a {tab.resource} does not refer to a {located.kind}"
        if related:
            yield from unknown_names(where, tab.header, related.resource.actions)
    if tab.kind == "frame":
        edits = [n for n, action in located.resource.actions.items() if action.kind == "edit"]
        yield from unknown_names(where, [tab.action], edits)


def _duplicate_problems(where: str, names: list[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{where}: {name!r} is there twice"
