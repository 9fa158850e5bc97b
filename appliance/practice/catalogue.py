"""What a product is, as data: the shape of the files in `products/` with a release laid over.

Only shape lives here. `loading.py` reads the files, `overlay.py` changes them.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

Value = str | bool | int | list[str] | dict[str, str] | None
"""What a field of an item can hold. Lists are for several choices or references, the dictionary is
for tags, and for a file: `{"name": ..., "size": ..., "content": base64}`."""


class FrozenModel(BaseModel):
    """Frozen; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Text(FrozenModel):
    """A text in the two languages of the console."""

    en: str
    zh: str

    def in_language(self, language: str, **values: str) -> str:
        """The text in a language, with `{name}` replaced."""
        text = self.zh if language == "zh" else self.en
        for name, value in values.items():
            text = text.replace("{" + name + "}", value)
        return text


class FieldKind(StrEnum):
    """What a field holds."""

    TEXT = "text"
    MULTILINE = "multiline"
    SECRET = "secret"  # noqa: S105 - a kind; its values are never answered, logged or shown
    CODE = "code"
    NUMBER = "number"
    CIDR = "cidr"
    DATE = "date"  # 2026-11-21
    TIME = "time"  # 03:30
    CHOICE = "choice"
    CHOICES = "choices"
    BOOLEAN = "boolean"
    TAGS = "tags"
    REFERENCE = "reference"
    REFERENCES = "references"
    FILE = "file"


Widget = Literal[
    "",  # the usual one of the kind
    "select",  # choice, reference: native
    "combobox",  # choice: a button with a list box
    "typeahead",  # choice, reference: an input that filters a list box
    "plain",  # choice: a drop-down of bare `div`s, as many a console has
    "cards",  # choice
    "radio",  # choice
    "switch",  # boolean
    "checkbox",  # boolean
    "checkboxes",  # choices, references
    "transfer",  # choices, references: two lists and buttons between them
    "stepper",  # number: a web component with a shadow root
    "slider",  # number
    "calendar",  # date: an input and a calendar that pops up (the usual one)
    "native",  # date, time: the browser's own
]
"""How a field is entered."""


class Condition(FrozenModel):
    """Holds while another field of the form has one of some values."""

    field: str
    values: tuple[str | bool, ...] = Field(min_length=1)


class Option(FrozenModel):
    """One value of a choice."""

    value: str
    label: Text
    description: Text | None = None


class FieldSpec(FrozenModel):
    """One attribute of a resource, and how it is entered."""

    kind: FieldKind = FieldKind.TEXT
    label: Text
    hint: Text | None = None
    """Help under the field."""
    help: Text | None = None
    """Shown as a tooltip of an icon beside the label."""
    placeholder: Text | None = None
    widget: Widget = ""
    shown_if: Condition | None = None
    """The form asks for it only while this holds; else it has its default."""
    required: bool = False
    default: Value = None
    options: tuple[Option, ...] = ()
    pattern: str = ""
    """Regular expression that a text must match as a whole."""
    pattern_message: Text | None = None
    min_length: int = 0
    max_length: int = 255
    min: int = 0
    max: int = 65535
    unit: Text | None = None
    """number: bounds, and what stands behind the value."""
    language: Literal["", "json"] = ""
    """code: must be of that form."""
    accept: tuple[str, ...] = ()
    """file: endings of names that are taken; empty: all."""
    unique: bool = False
    """Whether no two items of the account may have the same value."""
    refers_to: str = ""
    """Kind of the items that a reference names."""
    within: str = ""
    """Another reference field: a reference must share its value, an address range lie in it."""
    example: str = ""
    """A value that is accepted, for programs that fill in what they know nothing about."""
    generated: Literal["", "address", "key", "secret", "host"] = ""
    """Not entered: the cloud makes it when the item is created."""
    is_copyable: bool = False
    """Whether a copy button stands beside it on detail pages."""
    is_hidden: bool = False
    """Not shown in the console; the API knows it all the same."""


class Confirmation(FrozenModel):
    """The dialog that asks before something is done."""

    title: Text
    notice: Text
    types_name: bool = False
    """Whether the item's name has to be typed."""
    acknowledge: Text | None = None
    """Label of a check box that has to be ticked."""
    submit: Text


class FormStep(FrozenModel):
    """A page of a wizard or a section of a form."""

    id: str
    title: Text
    fields: tuple[str, ...] = ()
    """No fields: a review of what was entered."""


class Form(FrozenModel):
    """How an item is created."""

    layout: Literal["modal", "drawer", "page", "wizard"]
    panel: Literal["", "price", "quota", "both"] = ""
    """What stands beside the form: the estimated price, the quota that is left."""
    title: Text
    intro: Text | None = None
    submit: Text
    steps: tuple[FormStep, ...] = Field(min_length=1)


class Action(FrozenModel):
    """Something that can be done with a resource."""

    kind: Literal["create", "edit", "delete", "transition", "tags", "spawn"]
    """spawn: opens the creation form of another resource, with this item filled in."""
    label: Text
    event: str = ""
    """Name of the operation in the audit log; only spawn has none."""
    success: Text | None = None
    """The notice after it was done; `{name}` is the item's. Only spawn has none."""
    resource: str = ""
    """spawn: the kind that is created; its first reference to this kind is filled in."""
    layout: Literal["modal", "drawer"] = "modal"
    """edit, tags: where its fields are entered."""
    permission: str = ""
    """What the caller needs beside being no mere viewer; a name of the shell's permissions."""
    title: Text | None = None
    """Heading of the edit dialog."""
    notice: Text | None = None
    """A remark in the edit dialog."""
    submit: Text | None = None
    fields: tuple[str, ...] = ()
    """edit: the fields in the dialog."""
    requires: tuple[str, ...] = ()
    """edit: those of its fields that must be filled in here, though the item can be without them,
    as the instance that a disk is attached to."""
    form: Form | None = None
    confirm: Confirmation | None = None
    from_states: tuple[str, ...] = ()
    """States in which it is allowed; empty: all but while the item is being deleted."""
    through: str = ""
    """State while it is under way; empty: it is done at once."""
    to: str = ""
    """State afterwards; edit: empty: as before."""
    clears: tuple[str, ...] = ()
    """transition: fields that are emptied."""
    reveals: tuple[str, ...] = ()
    """create: generated fields that are shown once, in a dialog with copy buttons."""


class State(FrozenModel):
    """A state of an item."""

    label: Text
    tone: Literal["good", "progress", "neutral", "bad"]
    settle: float = 1.0
    """A state under way lasts this many times the cloud's settling time."""


class Column(FrozenModel):
    """A column of a list. `state` and `created` are known for every resource."""

    field: str
    label: Text | None = None
    is_sortable: bool = True
    is_shown: bool = True
    """Whether it is there before anybody touches the column settings."""


class ListPage(FrozenModel):
    """The list of a resource: which columns, and which actions where."""

    columns: tuple[Column, ...]
    search: tuple[str, ...] = ("name",)
    search_label: Text
    filters: tuple[str, ...] = ()
    """Choices, booleans or `state`: each is a drop-down above the table."""
    has_column_settings: bool = False
    delay_ms: int = 0
    """Rows come that much later, and grey bars stand for them meanwhile."""
    is_optimistic: bool = False
    """Whether a deleted row goes, and an edited one changes, before the cloud has answered."""
    empty: Text
    header: tuple[str, ...] = ()
    batch: tuple[str, ...] = ()
    row: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


class Tab(FrozenModel):
    """A tab of a detail page."""

    id: str
    label: Text
    kind: Literal["fields", "tags", "related", "activity", "frame"]
    fields: tuple[str, ...] = ()
    action: str = ""
    """frame: the edit action whose form stands in an embedded frame."""
    origin: Literal["same", "other"] = "same"
    """frame: where the frame comes from."""
    resource: str = ""
    """related: the kind that refers to this one."""
    header: tuple[str, ...] = ()
    """Actions above the tab's content."""


class DetailPage(FrozenModel):
    """The page of one item."""

    header: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    tabs: tuple[Tab, ...] = ()


class Price(FrozenModel):
    """What an item costs: the base, and what the chosen values add, in credits an hour."""

    base: float
    by: dict[str, dict[str, float]] = Field(default_factory=dict)
    """By field and value; for a number the key `each` is the price of one."""


class Resource(FrozenModel):
    """A type of thing that an account can have."""

    name: Text
    plural: Text
    collection: str
    """Its word in addresses."""
    id_prefix: str
    is_global: bool = False
    """Whether it is in every region at once."""
    quota: int = 0
    """How many an account may have in a region; 0: as many as it likes."""
    price: Price | None = None
    is_protectable: bool = False
    """Whether it can be protected against deletion; the API does that, the console does not."""
    fields: dict[str, FieldSpec]
    states: dict[str, State]
    actions: dict[str, Action]
    list: ListPage
    detail: DetailPage


class NavEntry(FrozenModel):
    """An entry of the side navigation."""

    id: str
    label: Text
    kind: Literal["overview", "list", "activity", "quotas", "page"]
    """quotas: what the account has of what it may have; page: one of the product's pages."""
    resource: str = ""
    page: str = ""
    is_dead: bool = False
    """Whether it leads to a page that does not exist."""


class NavGroup(FrozenModel):
    """A group of the side navigation; one without a label cannot be collapsed."""

    id: str
    label: Text | None = None
    entries: tuple[NavEntry, ...]


class Onboarding(FrozenModel):
    """A pop-up that stands in the way at the first visit of a session."""

    title: Text
    text: Text
    dismiss: Text


class StaticPage(FrozenModel):
    """A page of text."""

    title: Text
    paragraphs: tuple[Text, ...]


class Product(FrozenModel):
    """A product of the cloud."""

    name: Text
    menu: Text
    """Its entry in the product menu."""
    summary: Text
    category: str
    entry: str
    """Id of the navigation entry that the product menu leads to."""
    banner: Text | None = None
    """Stands above its pages until it is closed."""
    onboarding: Onboarding | None = None
    pages: dict[str, StaticPage] = Field(default_factory=dict)
    navigation: tuple[NavGroup, ...]
    resources: dict[str, Resource]


class Region(FrozenModel):
    """A place where resources are."""

    id: str
    label: Text


class Permission(FrozenModel):
    """Something that only some roles may do."""

    label: Text
    roles: tuple[str, ...]


class Shell(FrozenModel):
    """What is around the products."""

    regions: tuple[Region, ...] = Field(min_length=1)
    """The first is where a session begins."""
    permissions: dict[str, Permission] = Field(default_factory=dict)
    categories: dict[str, Text]
    texts: dict[str, Text]


class Located(NamedTuple):
    """A resource and the product it belongs to."""

    service: str
    kind: str
    resource: Resource


class Catalogue(FrozenModel):
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
        return next(located for located in self.resources() if located.kind == kind)

    def collection(self, service: str, collection: str) -> Located | None:
        """The resource that an address names."""
        for located in self.resources():
            if located.service == service and located.resource.collection == collection:
                return located
        return None

    def text(self, key: str) -> Text:
        """A text of the shell."""
        return self.console.texts[key]
