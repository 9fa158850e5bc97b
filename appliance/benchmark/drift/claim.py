"""One statement of the documentation about one place of the product data."""

from dataclasses import dataclass
from enum import StrEnum

from appliance.benchmark.drift.marks import TextMark
from appliance.benchmark.drift.spots import SpotRole
from appliance.practice.catalogue import Catalogue, Located, Value


class Facet(StrEnum):
    """What of the console a claim is about."""

    LABEL = "label"  # what a text says
    PLACE = "place"  # where an action stands
    SHOWN = "shown"  # a field is there
    OPTION = "option"  # an option is there
    DEFAULT = "default"
    OPTIONAL = "optional"  # a field may be left empty
    STEP = "step"  # in which step of a wizard a field is asked for
    ORDER = "order"  # one step of a wizard comes after another
    COMPLETE = "complete"  # the form can be sent after what the text gave
    NAMED = "named"  # the name has to be typed
    CONFIRMED = "confirmed"  # a dialog asks for no more than the text says
    PERMITTED = "permitted"  # the reader may do it
    LINK = "link"  # an entry of a menu leads somewhere
    GROUP = "group"  # in which group of a menu an entry stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement about one place of the product data."""

    facet: Facet
    mark: TextMark
    quote: str
    path: str
    """Of the text for LABEL, else of the thing: action, field, entry, product."""
    role: SpotRole
    text: str = ""
    """LABEL: what the documentation says."""
    place: str = ""
    """PLACE; STEP: the step; ORDER: the earlier step; GROUP: the group."""
    value: Value = None
    """OPTION, DEFAULT."""
    given: frozenset[str] = frozenset()
    """COMPLETE: the fields that the text gives; CONFIRMED: what it says has to be done."""
    chosen: tuple[tuple[str, Value], ...] = ()
    """COMPLETE: the values that it chooses, by field."""
    steps: tuple[str, ...] = ()
    """COMPLETE: the steps of the form that are sent; empty: all."""
    action: str = ""
    """STEP, ORDER, COMPLETE: path of the action whose form it is."""
    instead: tuple[int, ...] = ()
    """Lines at which the same may be said."""
    is_weak: bool = False
    """Whether a careful reader may let it pass: it is said in passing, or only for some readers."""


def field_owner(catalogue: Catalogue, path: str) -> tuple[Located, str]:
    """The resource of a field or action, and its name."""
    _, _, kind, _, name = path.split(".", 4)
    return catalogue.resource(kind), name
