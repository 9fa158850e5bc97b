"""Which texts the console shows where: every place of the product data with a text on it.

A *context* is a page, form or dialog: `list:bucket`, `detail:bucket`, `form:bucket.create`,
`confirm:bucket.delete`, `done:bucket.create` (after it was done), `menu` (of products),
`nav:storage` (side navigation), `shell` (what is around all pages).
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from appliance.practice.catalogue import (
    Action,
    Catalogue,
    Confirmation,
    Located,
    Product,
    Text,
)


class SpotRole(StrEnum):
    """What a text names."""

    MENU = "menu"  # an entry of the product menu
    CATEGORY = "category"  # a heading of the product menu
    NAV = "nav"
    GROUP = "group"  # a heading of the side navigation
    ACTION = "action"
    TAB = "tab"
    FIELD = "field"
    COLUMN = "column"  # of a list, or a line of a detail page
    OPTION = "option"
    STATE = "state"
    TITLE = "title"  # of a dialog or page
    STEP = "step"  # of a wizard, or a section of a form
    SUBMIT = "submit"
    TICK = "tick"  # the box of a confirmation
    MESSAGE = "message"
    SEARCH = "search"
    REMARK = "remark"
    SHELL = "shell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """One text of the product data, where the console shows it."""

    text: Text
    path: str
    """Of the text in the product data."""
    role: SpotRole
    context: str
    place: str = ""
    """Where an action stands: `list.row`; in a list of another item: the path of its tab."""
    to: str = ""
    """The context that it leads to."""
    field: str = ""
    """Path of the field that it belongs to."""

    @property
    def thing(self) -> str:
        """Path of what bears the text: the action, field, option, entry."""
        return self.path.rpartition(".")[0]


class Spots:
    """All of them, by context."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.by_context: dict[str, list[Spot]] = defaultdict(list)
        self.service_of = {located.kind: located.service for located in catalogue.resources()}
        for spot in _all_spots(catalogue):
            self.by_context[spot.context].append(spot)

    def saying(self, contexts: list[str], text: str, language: str) -> list[Spot]:
        """The spots of some contexts with a text."""
        spots = [spot for context in contexts for spot in self.by_context.get(context, ())]
        return [spot for spot in spots if says(spot.text.in_language(language), text)]

    def of_kind(self, kind: str) -> list[str]:
        """The contexts of a resource."""
        return [context for context in self.by_context if kind_of(context) == kind]

    def of_service(self, service: str) -> list[str]:
        """The contexts of a product."""
        kinds = {kind for kind, owner in self.service_of.items() if owner == service}
        return [
            context
            for context in self.by_context
            if context == f"nav:{service}" or kind_of(context) in kinds
        ]


def kind_of(context: str) -> str:
    """The resource that a context is about."""
    sort, _, rest = context.partition(":")
    return "" if sort == "nav" else rest.partition(".")[0]


def says(shown: str, text: str) -> bool:
    """Whether a text of the product data, with its gaps (`{name}`) filled in, is this one."""
    if "{" not in shown:
        return _plain(shown) == _plain(text)
    parts = re.split(r"\{\w+\}", _plain(shown))
    return re.fullmatch(".+".join(map(re.escape, parts)), _plain(text)) is not None


def _plain(text: str) -> str:
    return " ".join(text.replace("…", "").split())


def _all_spots(catalogue: Catalogue) -> Iterator[Spot]:
    for name, text in catalogue.console.texts.items():
        if not name.startswith(("error_", "refused_")):
            yield Spot(
                text=text, path=f"console.texts.{name}", role=SpotRole.SHELL, context="shell"
            )
    for region in catalogue.console.regions:
        path = f"console.regions.{region.id}.label"
        yield Spot(text=region.label, path=path, role=SpotRole.SHELL, context="shell")
    for name, text in catalogue.console.categories.items():
        path = f"console.categories.{name}"
        yield Spot(text=text, path=path, role=SpotRole.CATEGORY, context="menu")
    for service, product in catalogue.products.items():
        yield from _product_spots(service, product)
    for located in catalogue.resources():
        yield from _list_spots(located)
        yield from _detail_spots(located, catalogue)
        for name, action in located.resource.actions.items():
            yield from _action_spots(located, name, action)


def _product_spots(service: str, product: Product) -> Iterator[Spot]:
    entries = [entry for group in product.navigation for entry in group.entries]
    first = next(entry for entry in entries if entry.id == product.entry)
    home = f"list:{first.resource}" if first.resource else f"nav:{service}"
    for key, text in (("menu", product.menu), ("name", product.name)):
        path = f"{service}.{key}"
        yield Spot(text=text, path=path, role=SpotRole.MENU, context="menu", to=home)
    if product.onboarding:
        at, context = f"{service}.onboarding", f"nav:{service}"
        text = product.onboarding.title
        yield Spot(text=text, path=f"{at}.title", role=SpotRole.TITLE, context=context)
        text = product.onboarding.dismiss
        yield Spot(text=text, path=f"{at}.dismiss", role=SpotRole.SUBMIT, context=context)
    for name, page in product.pages.items():
        path, context = f"{service}.pages.{name}.title", f"nav:{service}"
        yield Spot(text=page.title, path=path, role=SpotRole.TITLE, context=context)
    for group in product.navigation:
        at, context = f"{service}.navigation.{group.id}", f"nav:{service}"
        if group.label:
            yield Spot(text=group.label, path=f"{at}.label", role=SpotRole.GROUP, context=context)
        for entry in group.entries:
            path = f"{at}.entries.{entry.id}.label"
            to = f"list:{entry.resource}" if entry.resource else context
            yield Spot(text=entry.label, path=path, role=SpotRole.NAV, context=context, to=to)


def _list_spots(located: Located) -> Iterator[Spot]:
    service, kind, resource = located
    at, context = f"{service}.resources.{kind}", f"list:{kind}"
    page = resource.list
    yield Spot(text=resource.plural, path=f"{at}.plural", role=SpotRole.TITLE, context=context)
    path = f"{at}.list.search_label"
    yield Spot(text=page.search_label, path=path, role=SpotRole.SEARCH, context=context)
    for place in ("header", "batch", "row", "more"):
        for name in getattr(page, place):
            yield _action_spot(located, name, context, f"list.{place}")
    for column in page.columns:
        if column.label:
            path, field = f"{at}.list.columns.{column.field}.label", f"{at}.fields.{column.field}"
            text = column.label
            yield Spot(text=text, path=path, role=SpotRole.COLUMN, context=context, field=field)
    yield from _value_spots(
        located, context, {column.field for column in page.columns} | {*page.filters}
    )


def _value_spots(located: Located, context: str, shown: set[str]) -> Iterator[Spot]:
    """What stands in the lines of a list or detail page: names of fields, options, states."""
    service, kind, resource = located
    at = f"{service}.resources.{kind}"
    for name, field in resource.fields.items():
        if name not in shown:
            continue
        path = f"{at}.fields.{name}"
        yield Spot(
            text=field.label,
            path=f"{path}.label",
            role=SpotRole.COLUMN,
            context=context,
            field=path,
        )
        for option in field.options:
            yield Spot(text=option.label, path=f"{path}.options.{option.value}.label",
                       role=SpotRole.OPTION, context=context, field=path)  # fmt: skip
    for name, state in resource.states.items():
        path = f"{at}.states.{name}.label"
        yield Spot(text=state.label, path=path, role=SpotRole.STATE, context=context)


def _detail_spots(located: Located, catalogue: Catalogue) -> Iterator[Spot]:
    service, kind, resource = located
    at, context, page = f"{service}.resources.{kind}", f"detail:{kind}", resource.detail
    for place in ("header", "more"):
        for name in getattr(page, place):
            yield _action_spot(located, name, context, f"detail.{place}")
    for tab in page.tabs:
        path = f"{at}.detail.tabs.{tab.id}"
        to = f"form:{kind}.{tab.action}" if tab.action else ""
        text = tab.label
        yield Spot(text=text, path=f"{path}.label", role=SpotRole.TAB, context=context, to=to)
        other = catalogue.resource(tab.resource) if tab.resource else located
        place = path if tab.resource else f"detail.tabs.{tab.id}"
        for name in tab.header:
            yield _action_spot(other, name, context, place)
        if tab.resource:
            for row in ("row", "more"):
                for name in getattr(other.resource.list, row):
                    yield _action_spot(other, name, context, f"list.{row}")
            yield from _value_spots(other, context, {c.field for c in other.resource.list.columns})
    yield from _value_spots(located, context, {field for tab in page.tabs for field in tab.fields})


def _action_spot(located: Located, name: str, context: str, place: str) -> Spot:
    service, kind, resource = located
    action = resource.actions[name]
    return Spot(
        text=action.label,
        path=f"{service}.resources.{kind}.actions.{name}.label",
        role=SpotRole.ACTION,
        context=context,
        place=place,
        to=_leads_to(kind, name, action),
    )


def _leads_to(kind: str, name: str, action: Action) -> str:
    if action.kind == "spawn":
        return f"form:{action.resource}.create"
    if action.kind in ("create", "edit", "tags"):
        return f"form:{kind}.{name}"
    return f"confirm:{kind}.{name}" if action.confirm else f"done:{kind}.{name}"


def _action_spots(located: Located, name: str, action: Action) -> Iterator[Spot]:
    service, kind, resource = located
    at = f"{service}.resources.{kind}.actions.{name}"
    form, done_context = f"form:{kind}.{name}", f"done:{kind}.{name}"
    if action.success:
        text = action.success
        yield Spot(text=text, path=f"{at}.success", role=SpotRole.MESSAGE, context=done_context)
    fields = action.fields
    if action.form:
        fields = tuple(field for step in action.form.steps for field in step.fields)
        text = action.form.title
        yield Spot(text=text, path=f"{at}.form.title", role=SpotRole.TITLE, context=form)
        path = f"{at}.form.submit"
        yield Spot(
            text=action.form.submit, path=path, role=SpotRole.SUBMIT, context=form, to=done_context
        )
        for step in action.form.steps:
            path = f"{at}.form.steps.{step.id}.title"
            yield Spot(text=step.title, path=path, role=SpotRole.STEP, context=form)
    if action.title:
        yield Spot(text=action.title, path=f"{at}.title", role=SpotRole.TITLE, context=form)
    if action.submit:
        path = f"{at}.submit"
        yield Spot(
            text=action.submit, path=path, role=SpotRole.SUBMIT, context=form, to=done_context
        )
    for field_name in fields:
        field, path = resource.fields[field_name], f"{service}.resources.{kind}.fields.{field_name}"
        yield Spot(
            text=field.label, path=f"{path}.label", role=SpotRole.FIELD, context=form, field=path
        )
        for option in field.options:
            yield Spot(text=option.label, path=f"{path}.options.{option.value}.label",
                       role=SpotRole.OPTION, context=form, field=path)  # fmt: skip
    for field_name in action.reveals:
        path = f"{service}.resources.{kind}.fields.{field_name}"
        text = resource.fields[field_name].label
        yield Spot(
            text=text, path=f"{path}.label", role=SpotRole.COLUMN, context=done_context, field=path
        )
    if action.confirm:
        yield from _confirmation_spots(action.confirm, f"{at}.confirm", f"{kind}.{name}")


def _confirmation_spots(confirmation: Confirmation, path: str, name: str) -> Iterator[Spot]:
    context, done_context = f"confirm:{name}", f"done:{name}"
    yield Spot(text=confirmation.title, path=f"{path}.title", role=SpotRole.TITLE, context=context)
    yield Spot(
        text=confirmation.notice, path=f"{path}.notice", role=SpotRole.REMARK, context=context
    )
    yield Spot(
        text=confirmation.submit,
        path=f"{path}.submit",
        role=SpotRole.SUBMIT,
        context=context,
        to=done_context,
    )
    if confirmation.acknowledge:
        text = confirmation.acknowledge
        yield Spot(text=text, path=f"{path}.acknowledge", role=SpotRole.TICK, context=context)
