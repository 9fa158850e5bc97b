"""Whether a form offers, takes, holds and shows what a text says of one of its fields."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.core.page import Element, Observation
from appliance.language.names import compare, same
from appliance.policy.literal.match.grounding import (
    TEXTUAL,
    field,
    is_field,
    is_search,
    option,
    quoted_options,
    text_shown,
)
from appliance.policy.literal.read.facts import Fact, FactKind

_NUMERIC = frozenset({"spinbutton", "slider"})
_SEVERAL = 2
"""Who offers fewer is not a choice, or has not been filled yet."""
_ROW_PX = 8
"""Fields of one line need not stand at exactly the same height."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the page says to one claim."""

    is_true: bool
    shown: str
    """What it says instead."""


def offers(name: str, element: Element, view: Observation) -> Judged | None:
    """Whether the field has the option."""
    group = element.group or element.name
    options = element.options or tuple(
        e.name for e in view.elements if e.role == "radio" and same(group, e.group)
    )
    if len(options) < _SEVERAL:
        return None
    hit = option(options, name)
    if hit is not None:
        return Judged(True, "") if hit[1].is_strict else None
    offered = quoted_options(options)
    return Judged(False, f'"{element.name or element.group}" offers {offered}')


def takes(value: str, shown: Sequence[Fact], element: Element) -> Judged | None:
    """Whether the field takes the value, by what it says itself."""
    if re.fullmatch(r"\d+(?:\.\d+)?", value) and element.role in _NUMERIC | TEXTUAL:
        bounds = [f for f in shown if f.kind is FactKind.RANGE]
        least, most = _one(f.least for f in bounds), _one(f.most for f in bounds)
        if (least is not None and float(value) < least) or (
            most is not None and float(value) > most
        ):
            return Judged(False, f'"{element.name}" takes {_said(least, most)}')
        return Judged(True, "") if least is not None and most is not None else None
    if element.role in _NUMERIC:
        return Judged(False, f'"{element.name}" takes numbers')
    pattern = element.bounds.pattern if element.bounds else ""
    if not pattern:
        return None
    try:
        fits = re.fullmatch(pattern, value) is not None
    except re.error:  # the browser's own expressions are not quite Python's
        return None
    return Judged(fits, f'"{element.name}" takes what matches {pattern}')


def in_section(name: str, element: Element, view: Observation) -> Judged | None:
    """Whether the field stands in the part of the form that is called so."""
    if any(same(name, n) for n in (element.section, element.group) if n):
        return Judged(True, "")
    names = [n for e in view.elements for n in (e.name, e.text, e.group, e.section) if n]
    names += [name for e in view.elements for name in e.options]
    shown = (*names, *(t.text for t in view.texts), *view.dialogs, view.title)
    if any(compare(name, n) is not None for n in shown if n):
        return None
    part = element.section or element.group
    if not part:
        return Judged(False, f'"{element.name}" is in no such section')
    return Judged(False, f'"{element.name}" is in "{part}"')


def at_end(element: Element, view: Observation, *, is_first: bool) -> Judged | None:
    """Whether the field is the first or last of its form."""
    if element.row is not None or not element.box.height:
        return None
    fields = [
        e
        for e in view.elements
        if is_field(e) and not is_search(e) and e.row is None and e.region == element.region
        and (e.dialog, e.frame) == (element.dialog, element.frame) and e.box.height
    ]  # fmt: skip
    others = [
        e for e in fields if e.id != element.id and not (e.group and e.group == element.group)
    ]
    beyond = [e for e in others if _is_beyond(e, element, is_above=is_first)]
    if not beyond:
        return None  # a wizard has other pages
    other = min(beyond, key=lambda e: e.box.y) if is_first else max(beyond, key=lambda e: e.box.y)
    if is_first:
        return Judged(False, f'"{other.name}" stands above "{element.name}"')
    return Judged(False, f'"{other.name}" stands below "{element.name}"')


def _is_beyond(e: Element, of: Element, *, is_above: bool) -> bool:
    """Whether the one stands above, or below, all of the other."""
    if is_above:
        return e.box.y + e.box.height <= of.box.y + _ROW_PX
    return e.box.y + _ROW_PX >= of.box.y + of.box.height


def holds(value: str, element: Element) -> Judged | None:
    """Whether the field, untouched, holds the value, its unit left out."""
    if not element.value or element.type == "password" or element.role in ("radio", "checkbox"):
        return None  # what is empty may not have come yet
    is_number = value.isdecimal() and re.match(rf"{value}(?!\d|[.,]\d)", element.value.strip())
    if same(value, element.value) or is_number:
        return Judged(True, "")
    return Judged(False, f'the default of "{element.name}" is "{element.value}"')


def beside(name: str, element: Element, view: Observation) -> Judged | None:
    """Whether the form has another field of that name; what is folded may hold it."""
    match = field(view, name)
    if match is not None:
        return Judged(True, "") if match.how.is_strict else None
    more = [e for e in view.elements if "collapsed" in e.states or e.role == "tab"]
    if text_shown(view, name) or any(e.dialog == element.dialog for e in more):
        return None
    return Judged(False, f'no field "{name}" is beside "{element.name}"')


def _one(values: Iterable[float | None]) -> float | None:
    known = {value for value in values if value is not None}
    return known.pop() if len(known) == 1 else None


def _said(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f"{least:g} to {most:g}"
    return f"at least {least:g}" if least is not None else f"at most {most:g}"
