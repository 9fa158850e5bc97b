"""What a product is, as data: the shape of the files in `products/` with a release laid over.

Only shape lives here. `loading.py` reads the files, `overlay.py` changes them.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

Value = str | bool | int | dict[str, str] | None
"""What a field of an item can hold; the dictionary is for tags."""


class Model(BaseModel):
    """Frozen; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Text(Model):
    """A text in the two languages of the console."""

    en: str
    zh: str

    def said(self, language: str, **values: str) -> str:
        """The text in a language, with `{name}` replaced."""
        text = self.zh if language == "zh" else self.en
        for name, value in values.items():
            text = text.replace("{" + name + "}", value)
        return text


class FieldKind(StrEnum):
    """What a field holds."""

    TEXT = "text"
    MULTILINE = "multiline"
    CIDR = "cidr"
    CHOICE = "choice"
    BOOLEAN = "boolean"
    TAGS = "tags"
    REFERENCE = "reference"


class Option(Model):
    """One value of a choice."""

    value: str
    label: Text
    description: Text | None = None


class FieldSpec(Model):
    """One attribute of a resource, and how it is entered."""

    kind: FieldKind = FieldKind.TEXT
    label: Text
    hint: Text | None = None
    """Help under the field."""
    placeholder: Text | None = None
    widget: Literal["", "select", "combobox", "cards", "radio", "switch", "checkbox"] = ""
    required: bool = False
    default: Value = None
    options: tuple[Option, ...] = ()
    pattern: str = ""
    """Regular expression that a text must match as a whole."""
    pattern_message: Text | None = None
    min_length: int = 0
    max_length: int = 255
    unique: bool = False
    """Whether no two items of the account may have the same value."""
    refers_to: str = ""
    """Kind of the item that a reference names."""
    within: str = ""
    """Another reference field: a reference must share its value, an address range lie in it."""
    example: str = ""
    """A value that is accepted, for programs that fill in what they know nothing about."""
    is_hidden: bool = False
    """Not shown in the console; the API knows it all the same."""


class Confirmation(Model):
    """The dialog that asks before something is done."""

    title: Text
    notice: Text
    types_name: bool = False
    """Whether the item's name has to be typed."""
    submit: Text


class FormStep(Model):
    """A page of a wizard or a section of a form."""

    id: str
    title: Text
    fields: tuple[str, ...] = ()
    """No fields: a review of what was entered."""


class Form(Model):
    """How an item is created."""

    layout: Literal["modal", "page", "wizard"]
    title: Text
    intro: Text | None = None
    submit: Text
    steps: tuple[FormStep, ...] = Field(min_length=1)


class Action(Model):
    """Something that can be done with a resource."""

    kind: Literal["create", "edit", "delete", "transition", "tags"]
    label: Text
    event: str
    """Name of the operation in the audit log."""
    success: Text
    """The notice after it was done; `{name}` is the item's."""
    title: Text | None = None
    """Heading of the edit dialog."""
    notice: Text | None = None
    """A remark in the edit dialog."""
    submit: Text | None = None
    fields: tuple[str, ...] = ()
    """edit: the fields in the dialog."""
    form: Form | None = None
    confirm: Confirmation | None = None
    from_states: tuple[str, ...] = ()
    """States in which it is allowed; empty: all but while the item is being deleted."""
    through: str = ""
    """State while it is under way; empty: it is done at once."""
    to: str = ""
    """State afterwards."""


class State(Model):
    """A state of an item."""

    label: Text
    tone: Literal["good", "progress", "neutral", "bad"]
    settle: float = 1.0
    """A state under way lasts this many times the cloud's settling time."""


class Column(Model):
    """A column of a list. `state` and `created` are known for every resource."""

    field: str
    label: Text | None = None
    is_sortable: bool = True


class ListPage(Model):
    """The list of a resource: which columns, and which actions where."""

    columns: tuple[Column, ...]
    search: tuple[str, ...] = ("name",)
    search_label: Text
    empty: Text
    header: tuple[str, ...] = ()
    batch: tuple[str, ...] = ()
    row: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


class Tab(Model):
    """A tab of a detail page."""

    id: str
    label: Text
    kind: Literal["fields", "tags", "related", "activity"]
    fields: tuple[str, ...] = ()
    resource: str = ""
    """related: the kind that refers to this one."""
    header: tuple[str, ...] = ()
    """Actions above the tab's content."""


class DetailPage(Model):
    """The page of one item."""

    header: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    tabs: tuple[Tab, ...] = ()


class Resource(Model):
    """A type of thing that an account can have."""

    name: Text
    plural: Text
    collection: str
    """Its word in addresses."""
    id_prefix: str
    fields: dict[str, FieldSpec]
    states: dict[str, State]
    actions: dict[str, Action]
    list: ListPage
    detail: DetailPage


class NavEntry(Model):
    """An entry of the side navigation."""

    id: str
    label: Text
    kind: Literal["overview", "list", "activity"]
    resource: str = ""


class NavGroup(Model):
    """A group of the side navigation; one without a label cannot be collapsed."""

    id: str
    label: Text | None = None
    entries: tuple[NavEntry, ...]


class Product(Model):
    """A product of the cloud."""

    name: Text
    menu: Text
    """Its entry in the product menu."""
    summary: Text
    category: str
    entry: str
    """Id of the navigation entry that the product menu leads to."""
    navigation: tuple[NavGroup, ...]
    resources: dict[str, Resource]


class Shell(Model):
    """What is around the products."""

    categories: dict[str, Text]
    texts: dict[str, Text]


class Located(NamedTuple):
    """A resource and the product it belongs to."""

    service: str
    kind: str
    resource: Resource


class Catalogue(Model):
    """Everything that a release of the cloud offers."""

    console: Shell
    products: dict[str, Product]

    def resources(self) -> Iterator[Located]:
        """All resources, product by product."""
        for service, product in self.products.items():
            for kind, resource in product.resources.items():
                yield Located(service, kind, resource)

    def resource(self, kind: str) -> Located:
        """The resource of a kind; kinds are distinct over all products."""
        return next(found for found in self.resources() if found.kind == kind)

    def collection(self, service: str, collection: str) -> Located | None:
        """The resource that an address names."""
        for found in self.resources():
            if found.service == service and found.resource.collection == collection:
                return found
        return None

    def text(self, key: str) -> Text:
        """A text of the shell."""
        return self.console.texts[key]
