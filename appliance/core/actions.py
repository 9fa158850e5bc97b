"""What can be done in a console: one small type a kind, used as `actions.Click(3)`."""

from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from typing import ClassVar, TypeAlias


class ActionKind(StrEnum):
    """As trajectories, recipes and the answers of models name it."""

    CLICK = "click"
    TYPE = "type"
    SELECT = "select"
    CHECK = "check"
    UPLOAD = "upload"
    PRESS = "press"
    HOVER = "hover"
    SCROLL = "scroll"
    DRAG = "drag"
    GO_BACK = "go_back"
    OPEN_URL = "open_url"
    SWITCH_TAB = "switch_tab"
    WAIT = "wait"
    UNFOLD = "unfold"
    COMPLETE = "complete"
    UNACHIEVABLE = "unachievable"
    REQUEST_RESOURCE = "request_resource"
    HAND_OVER = "hand_over"


class _Base:
    """What every action has."""

    __slots__ = ()
    kind: ClassVar[ActionKind]
    ARGUMENT: ClassVar[str] = ""
    """Name of the field that says with what it is done; empty: it takes nothing."""

    @property
    def argument(self) -> str:
        """With what it is done, as text: what is typed, chosen, pressed or waited for."""
        value = getattr(self, self.ARGUMENT) if self.ARGUMENT else ""
        return f"{value:g}" if isinstance(value, float) else str(value)

    @property
    def is_final(self) -> bool:
        """Whether the policy says that it is done."""
        return self.kind in (ActionKind.COMPLETE, ActionKind.UNACHIEVABLE)


class _OnPage(_Base):
    """What is done to no single element."""

    __slots__ = ()
    element: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class Click(_Base):
    """Click an element. `how` is empty, `double` or `right`."""

    kind = ActionKind.CLICK
    ARGUMENT = "how"
    element: int
    how: str = ""


@dataclass(frozen=True, slots=True)
class ClickAt(_OnPage):
    """Click a point (x, y in CSS pixels of the viewport): a drawing has no elements."""

    kind = ActionKind.CLICK
    ARGUMENT = "how"
    point: tuple[float, float]
    how: str = ""


@dataclass(frozen=True, slots=True)
class Type(_Base):
    """Put text into a field; empty text clears it."""

    kind = ActionKind.TYPE
    ARGUMENT = "text"
    element: int
    text: str


@dataclass(frozen=True, slots=True)
class Select(_Base):
    """Choose an option by its label."""

    kind = ActionKind.SELECT
    ARGUMENT = "option"
    element: int
    option: str


@dataclass(frozen=True, slots=True)
class Check(_Base):
    """Tick a box, choose a radio button or turn a switch on; or off."""

    kind = ActionKind.CHECK
    ARGUMENT = "checked"
    element: int
    checked: bool = True


@dataclass(frozen=True, slots=True)
class Upload(_Base):
    """Give a file of this machine to a field."""

    kind = ActionKind.UPLOAD
    ARGUMENT = "path"
    element: int
    path: str


@dataclass(frozen=True, slots=True)
class Press(_Base):
    """Press a key (`Enter`, `Control+A`) on an element, or on what has the focus."""

    kind = ActionKind.PRESS
    ARGUMENT = "keys"
    keys: str
    element: int | None = None


@dataclass(frozen=True, slots=True)
class Hover(_Base):
    """Rest the mouse on an element."""

    kind = ActionKind.HOVER
    element: int


@dataclass(frozen=True, slots=True)
class Scroll(_Base):
    """Scroll the page, or a part of it: up, down, left, right, top or bottom."""

    kind = ActionKind.SCROLL
    ARGUMENT = "direction"
    direction: str
    element: int | None = None


@dataclass(frozen=True, slots=True)
class Drag(_Base):
    """Drag an element onto another; `where` is before, after, left or right of it, or empty."""

    kind = ActionKind.DRAG
    ARGUMENT = "where"
    element: int
    to: int
    where: str = ""


@dataclass(frozen=True, slots=True)
class GoBack(_OnPage):
    """One page back."""

    kind = ActionKind.GO_BACK


@dataclass(frozen=True, slots=True)
class OpenUrl(_OnPage):
    """Open an address of the console."""

    kind = ActionKind.OPEN_URL
    ARGUMENT = "url"
    url: str


@dataclass(frozen=True, slots=True)
class SwitchTab(_OnPage):
    """Go to another tab, by number or title."""

    kind = ActionKind.SWITCH_TAB
    ARGUMENT = "tab"
    tab: str


@dataclass(frozen=True, slots=True)
class Wait(_OnPage):
    """Let the page go on."""

    kind = ActionKind.WAIT
    ARGUMENT = "seconds"
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Unfold(_OnPage):
    """Look at other rows of a long table or list: "51-100", or words that a row holds."""

    kind = ActionKind.UNFOLD
    ARGUMENT = "rows"
    fold: int
    rows: str


@dataclass(frozen=True, slots=True)
class Complete(_OnPage):
    """The text has come to its end; `seen` says what shows it."""

    kind = ActionKind.COMPLETE
    ARGUMENT = "seen"
    seen: str


@dataclass(frozen=True, slots=True)
class Unachievable(_OnPage):
    """There is no way on."""

    kind = ActionKind.UNACHIEVABLE
    ARGUMENT = "why"
    why: str


@dataclass(frozen=True, slots=True)
class RequestResource(_OnPage):
    """Ask the environment for something that the procedure needs, in words."""

    kind = ActionKind.REQUEST_RESOURCE
    ARGUMENT = "what"
    what: str


@dataclass(frozen=True, slots=True)
class HandOver(_Base):
    """Ask a person for what only a person can do (captcha, second factor)."""

    kind = ActionKind.HAND_OVER
    ARGUMENT = "what"
    what: str
    element: int | None = None
    """The field that the person's text goes into."""


Action: TypeAlias = (
    Click | ClickAt | Type | Select | Check | Upload | Press | Hover | Scroll | Drag | GoBack
    | OpenUrl | SwitchTab | Wait | Unfold | Complete | Unachievable | RequestResource | HandOver
)  # fmt: skip

BY_KIND: dict[ActionKind, type[Action]] = {
    action_type.kind: action_type
    for action_type in (
        Click, Type, Select, Check, Upload, Press, Hover, Scroll, Drag, GoBack, OpenUrl, SwitchTab,
        Wait, Unfold, Complete, Unachievable, RequestResource, HandOver,
    )
}  # fmt: skip


def build(
    kind: ActionKind, *, element: int | None = None, argument: str = "", to: int | None = None
) -> Action:
    """An action from its parts, as recipes keep them.

    Args:
        kind: What is done.
        element: On which element (or long list).
        argument: As `Action.argument` gives it.
        to: Where a drag ends.

    Raises:
        ValueError: It needs an element, or a wait is no number.
    """
    action_type = BY_KIND[kind]
    values: dict[str, object] = {"element": element, "fold": element, "to": to}
    match kind:
        case ActionKind.CHECK:
            values["checked"] = argument == str(True)
        case ActionKind.WAIT:
            values["seconds"] = float(argument or 1)
        case _:
            values[action_type.ARGUMENT] = argument
    for field in fields(action_type):
        if values[field.name] is None and field.default is MISSING:
            raise ValueError(f"{kind} needs an element")
    return action_type(**{field.name: values[field.name] for field in fields(action_type)})  # type: ignore[arg-type]
