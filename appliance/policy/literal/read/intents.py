"""What a sentence asks for: the literal policy's plan is a list of intents."""

from dataclasses import dataclass, replace
from enum import StrEnum

from appliance.core.procedure import Field, Inline, Sentence


class IntentKind(StrEnum):
    """The kinds of instruction, and of claim, that a console text makes."""

    LOG_IN = "log_in"
    SWITCH_PROJECT = "switch_project"
    OPEN = "open"  # click, open, go to: activate what bears the label
    OPEN_MENU = "open_menu"  # "click the menu button": the drop-down of the row
    FILL = "fill"  # type a value into a field
    CHOOSE = "choose"  # choose an option in a field
    TICK = "tick"
    UNTICK = "untick"
    PICK = "pick"  # select a row of a list
    FOLLOW = "follow"  # click the name of a row
    UPLOAD = "upload"
    CONFIRM = "confirm"  # "confirm your changes"
    CLOSE = "close"  # "close the dialog"
    MOVE = "move"  # click + or - beside an entry of a transfer list
    SET_PAIR = "set_pair"  # add a key and set its value
    FIELD = "field"  # an entry of a field list: it must be there; filled where a value is known
    EXPECT_OPEN = "expect_open"  # a dialog or page of that title is open
    EXPECT_TEXT = "expect_text"  # a message, status or entry is shown
    EXPECT_FIELD = "expect_field"  # a field of that label is there
    EXPECT_DEFAULT = "expect_default"  # a check box is on (noun "on") or off by default
    PRESS = "press"  # a key, or keys together
    DRAG = "drag"  # one thing onto another
    FORM = "form"  # "fill in the form": what it asks for and the text does not name
    REPEAT = "repeat"  # "do the same for …": again, for things that the text does not name
    VISIT = "visit"  # an address of the console (its path is the thing)
    WAIT = "wait"
    EXTERNAL = "external"  # done outside the console
    INFORM = "inform"  # nothing to do
    UNCLEAR = "unclear"  # an instruction that was not understood


EDIT = "edit"
"""Noun of an intent to change something that already has a value, where the text gives no new one."""

RELOAD = "reload"
"""Noun of a wait in which the page is reloaded."""
PRONOUNS = ("it", "them", "these", "those")
"""How a text refers to what it named last."""
FIND = "find"
"""Noun of an intent that only looks for something."""


class Gesture(StrEnum):
    """What the mouse does to a control."""

    CLICK = ""
    DOUBLE_CLICK = "double"
    RIGHT_CLICK = "right"
    HOVER = "hover"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the text says to look."""

    dialog: Inline | None = None
    section: Inline | None = None
    column: Inline | None = None
    field: Inline | None = None
    in_menu: bool = False
    """The text speaks of a menu, drop-down list or "More" button."""
    row: str = ""
    """The noun phrase of the row ("volume")."""
    is_above: bool = False
    """The text says that it is above the list or at the top of the page, and so in no row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """One instruction or claim."""

    kind: IntentKind
    step: str
    sentence: Sentence
    label: Inline | None = None
    """The marked words to be found in the console."""
    noun: str = ""
    """What the text calls the control: `tab`, `button`, `check box`, `dialog`, …"""
    thing: str = ""
    """An unmarked noun phrase: "name for the router", "volume"."""
    value: Inline | None = None
    """A value that the text itself gives."""
    place: Place = Place()
    is_optional: bool = False
    """"Optionally", "you can": checked for being there, not carried out unless a value is bound."""
    is_conditional: bool = False
    """"If …": skipped unless a value is bound."""
    gesture: Gesture = Gesture.CLICK
    """Of an `OPEN` or a `FOLLOW`."""
    entry: Field | None = None
    """The field-list entry behind a `FIELD`."""

    def at(self, place: Place) -> "Intent":
        """The same intent at another place."""
        return replace(self, place=place)
