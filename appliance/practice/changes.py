"""The kinds of change that a release or a drift file can make, as they are written in YAML."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from appliance.practice.catalogue import Text, Value


class Change(BaseModel):
    """One change. `target` is a dotted path into the product data."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    target: str
    note: str = ""
    """For people."""


class NewText(BaseModel):
    """A text; a language that is left out keeps what it says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    en: str | None = None
    zh: str | None = None


class RenameLabel(Change):
    """Give a button, field, tab, menu entry, option or page title another name."""

    kind: Literal["rename_label"]
    label: NewText


class ChangeText(Change):
    """Change a hint, placeholder, notice or other text that is no label."""

    kind: Literal["change_text"]
    text: NewText


class ChangeMessage(Change):
    """Change what is said after an action was done. `target` is the action."""

    kind: Literal["change_message"]
    text: NewText


class NewConfirmation(BaseModel):
    """What of a confirmation can be changed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: NewText | None = None
    notice: NewText | None = None
    submit: NewText | None = None
    types_name: bool | None = None
    acknowledge: Text | None = None


class ChangeConfirmation(Change, NewConfirmation):
    """Change the dialog that asks before an action. `target` is the action; at least one change."""

    kind: Literal["change_confirmation"]


class RequirePermission(Change):
    """Let an action be done only by those who have a permission. `target` is the action."""

    kind: Literal["require_permission"]
    permission: str


class DeadLink(Change):
    """Let an entry of the side navigation lead nowhere. `target` is the entry."""

    kind: Literal["dead_link"]


class MoveMenuEntry(Change):
    """Put a product into another category, or a navigation entry into another group."""

    kind: Literal["move_menu_entry"]
    to: str


class MoveControl(Change):
    """Move an action from one place of its pages to another: `list.row` to `list.more`."""

    kind: Literal["move_control"]
    from_: str = Field(alias="from")
    to: str


class RemoveControl(Change):
    """Take an action away, from one place or from everywhere."""

    kind: Literal["remove_control"]
    from_: str = Field("", alias="from")


class RemoveField(Change):
    """Show a field nowhere any more; the API still knows it."""

    kind: Literal["remove_field"]


class AddField(Change):
    """Add a field to a resource and to a step of its creation form."""

    kind: Literal["add_field"]
    name: str
    field: dict[str, Any]  # Any: checked as a field of the catalogue afterwards
    step: str
    after: str = ""
    """The field it stands behind; empty: it is the last."""


class MoveField(Change):
    """Ask for a field in another step of the creation form."""

    kind: Literal["move_field"]
    to: str


class RequireField(Change):
    """Make an optional field required."""

    kind: Literal["require_field"]


class ReorderSteps(Change):
    """Change the order of the steps of a wizard; the review stays where it is named."""

    kind: Literal["reorder_steps"]
    order: list[str]


class ChangeOptions(Change):
    """Replace the options of a choice."""

    kind: Literal["change_options"]
    options: list[dict[str, Any]]  # Any: checked as options of the catalogue afterwards


class ChangeDefault(Change):
    """Change what a field holds before anybody touches it."""

    kind: Literal["change_default"]
    default: Value


AnyChange = Annotated[
    RenameLabel
    | ChangeText
    | ChangeMessage
    | ChangeConfirmation
    | RequirePermission
    | DeadLink
    | MoveMenuEntry
    | MoveControl
    | RemoveControl
    | RemoveField
    | AddField
    | MoveField
    | RequireField
    | ReorderSteps
    | ChangeOptions
    | ChangeDefault,
    Field(discriminator="kind"),
]
"""Every kind of change."""


class OverlayFile(BaseModel):
    """A release or drift file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    release: str = ""
    """The release's name; a drift file has none."""
    follows: str = ""
    """The release that this one is laid over."""
    note: str = ""
    changes: list[AnyChange] = Field(default_factory=list)
