"""What the browser sees and does: observations and actions."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in CSS pixels of the viewport."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a field says itself of the values that it takes."""

    min_length: int | None = None
    max_length: int | None = None
    least: float | None = None
    most: float | None = None
    pattern: str = ""
    """A regular expression that all of the value must match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """Something a person could act on (or would, were it not disabled)."""

    id: int
    """The number by which actions name it; the same in consecutive observations of a page."""
    role: str
    """ARIA role, explicit or implied by the tag: `button`, `link`, `textbox`, `combobox`, …"""
    name: str
    """Accessible name, white space folded."""
    text: str = ""
    """What is written on it, where that differs from its name."""
    tag: str = ""
    type: str = ""
    """The `type` of an input or button."""
    value: str | None = None
    """Live value of a field or the chosen option's text; masked for passwords."""
    states: frozenset[str] = frozenset()
    """Of: disabled, checked, unchecked, mixed, expanded, collapsed, selected, pressed, required,
    invalid, current, readonly, offscreen, multiple, haspopup, covered; `caret`: a sign behind its
    words looks as if a menu opened, and nothing else says so."""
    options: tuple[str, ...] = ()
    """Texts of the options of a native or custom drop-down, where they are in the page."""
    placeholder: str = ""
    description: str = ""
    """aria-describedby, title or help text beside the field."""
    error: str = ""
    """The validation error shown beside the field."""
    box: Box = Box(0, 0, 0, 0)
    frame: int = 0
    dialog: str | None = None
    """Title of the innermost dialog around it ("" for an untitled one); None outside dialogs."""
    region: str = ""
    """Innermost landmark or container: `navigation`, `main`, `menu`, `toolbar`, `form`, …"""
    section: str = ""
    """Nearest heading before it in its container."""
    group: str = ""
    """Legend of its fieldset, or name of its radio group."""
    row: str | None = None
    """Text of its table row (or list item), cells joined by " | "; None outside rows."""
    column: str | None = None
    """Header of its column."""
    href: str = ""
    is_submit: bool = False
    """Whether it sends its form or is the dialog's primary button."""
    is_wordless: bool = False
    """Whether nothing says in words what it is: a name that it has is that of the drawing."""
    look: str = ""
    """What its icon looks like, where no words are written on it: "edit" for a pencil, "×"; known
    looks only."""
    in_viewport: bool = True
    bounds: Bounds | None = None
    """None where it says nothing of them."""
    fold: int | None = None
    """Number of the long table or list it stands in (`Observation.folds`); None elsewhere."""


class TextKind(StrEnum):
    """What a text on the page is."""

    HEADING = "heading"
    DIALOG_TITLE = "dialog_title"
    NOTICE = "notice"  # toast, banner, alert, status message
    ERROR = "error"  # validation or failure text
    LABEL = "label"
    COLUMN_HEADER = "column_header"
    CELL = "cell"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    """A stretch of visible text that is not itself a control."""

    kind: TextKind
    text: str
    level: int = 0
    """Heading level; 0 elsewhere."""
    tone: str = ""
    """`success`, `error`, `warning` or `info` for notices, where the page tells."""
    dialog: str | None = None
    row: str | None = None
    column: str | None = None
    box: Box = Box(0, 0, 0, 0)
    frame: int = 0
    fold: int | None = None
    """As for elements."""


class FoldKind(StrEnum):
    """Why some of its rows are not listed."""

    TABLE = "table"  # longer than what is listed
    LIST = "list"  # as above, for lists and other runs of like siblings
    VIRTUAL = "virtual"  # the page itself renders only the rows in view


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """A long table or list of which some rows are left out; `unfold` brings others in."""

    id: int
    """By which `actions.Unfold` names it: from the same numbers as elements, as stable."""
    kind: FoldKind
    name: str = ""
    """Caption, accessible name, or the heading over it."""
    total: int = 0
    """Rows in all, header rows not counted; what the page says where it renders only some."""
    listed: int = 0
    """Rows whose elements and texts are in the observation."""
    first: int = 0
    """Position from 1 of the first row in view; 0 when none is."""
    last: int = 0
    """Position of the last row in view."""
    columns: tuple[str, ...] = ()
    dialog: str | None = None
    frame: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEvent:
    """Something that happened to the page since the last observation."""

    kind: str
    """`native_dialog`, `download`, `popup`, `file_chooser`, `crash`, `navigation`, `http_error`."""
    text: str

    def text_on(self, url: str) -> str:
        """The text, with an address of that page's own host cut to its path."""
        origin = "/".join(url.split("/", 3)[:3])
        return self.text.removeprefix(origin) if self.text.startswith(f"{origin}/") else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A page as a reader sees it."""

    url: str
    title: str
    elements: tuple[Element, ...]
    texts: tuple[TextBlock, ...] = ()
    dialogs: tuple[str, ...] = ()
    """Titles of the open dialogs, innermost last."""
    events: tuple[PageEvent, ...] = ()
    folds: tuple[Fold, ...] = ()
    """Long tables and lists that are not listed in full."""
    viewport: Box = Box(0, 0, 0, 0)
    """Where the viewport lies in the page: scroll offset, width, height."""
    page_height: float = 0
    """Height of everything that can be scrolled to in the main frame, in CSS pixels."""
    language: str = ""
    is_busy: bool = False
    """Whether the page was still loading or changing when the bound on waiting was reached."""
    fingerprint: str = ""
    """Hash of what can be acted on; equal pages have equal ones."""
    took_s: float = 0.0

    def element(self, element_id: int) -> Element | None:
        """The element of that number."""
        return next((e for e in self.elements if e.id == element_id), None)

    def notices(self, tone: str | None = None) -> tuple[TextBlock, ...]:
        """Toasts, banners and alerts, of one tone where given."""
        return tuple(
            t for t in self.texts if t.kind is TextKind.NOTICE and (tone is None or t.tone == tone)
        )


class ChangeKind(StrEnum):
    """What an action changed."""

    URL = "url"
    TITLE = "title"
    TAB = "tab"  # another tab is active
    DIALOG_OPENED = "dialog_opened"
    DIALOG_CLOSED = "dialog_closed"
    NOTICE = "notice"
    FOCUS = "focus"
    VALUE = "value"  # of a field
    STATE = "state"  # checked, expanded, selected, … of a control


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that is different right after an action."""

    kind: ChangeKind
    text: str
    """The new address, title, notice, value (masked for secrets), or the dialog's title."""
    element: int | None = None
    """The field or control, where it is one that was observed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Performed:
    """What came of an action. A failed action is data: the policy sees it."""

    ok: bool
    error: str = ""
    """What went wrong, as a sentence: element gone, covered, disabled, option not there, …"""
    events: tuple[PageEvent, ...] = ()
    changes: tuple[Change, ...] = ()
    """What was different when the action was done; slower consequences show in the next
    observation."""
    report: str = ""
    """What was made, where a resource was asked for."""
    took_s: float = 0.0
