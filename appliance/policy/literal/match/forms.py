"""Checks what a text says about a form field: options, values, section, position and default."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.core.page import Element, Observation
from appliance.language.names import compare, same
from appliance.policy.literal.match.grounding import (
    TEXTUAL,
    is_field,
    is_search,
    match_field,
    match_option,
    quoted_options,
    text_shown,
)
from appliance.policy.literal.read.facts import Fact, FactKind

_NUMERIC = frozenset({"spinbutton", "slider"})
_MIN_OPTIONS = 2
"""With fewer options, a field is no choice, or is not loaded yet."""
_LINE_TOLERANCE_PX = 8
"""How far apart in height the fields of one line may be."""


@dataclass(frozen=True, slots=True)
class FactCheck:
    """What the page says about one claim."""

    is_true: bool
    shown: str
    """What the page says instead, for people; empty if the claim is true."""


def check_option(name: str, element: Element, view: Observation) -> FactCheck | None:
    """Check that the field offers the option; None if it offers nothing, or something similar."""
    group = element.group or element.name
    options = element.options or tuple(
        e.name for e in view.elements if e.role == "radio" and same(group, e.group)
    )
    if len(options) < _MIN_OPTIONS:
        return None
    option_match = match_option(options, name)
    if option_match is not None:
        return FactCheck(True, "") if option_match[1].is_strict else None
    offered = quoted_options(options)
    return FactCheck(False, f'"{element.name or element.group}" offers {offered}')


def check_value(value: str, page_facts: Sequence[Fact], element: Element) -> FactCheck | None:
    """Check that the field accepts the value, by its own limits; None if they do not tell."""
    if re.fullmatch(r"\d+(?:\.\d+)?", value) and element.role in _NUMERIC | TEXTUAL:
        bounds = [f for f in page_facts if f.kind is FactKind.RANGE]
        least, most = agreed_bound(f.least for f in bounds), agreed_bound(f.most for f in bounds)
        if (least is not None and float(value) < least) or (
            most is not None and float(value) > most
        ):
            return FactCheck(False, f'"{element.name}" takes {bounds_text(least, most)}')
        return FactCheck(True, "") if least is not None and most is not None else None
    if element.role in _NUMERIC:
        return FactCheck(False, f'"{element.name}" takes numbers')
    pattern = element.bounds.pattern if element.bounds else ""
    if not pattern:
        return None
    try:
        fits = re.fullmatch(pattern, value) is not None
    except re.error:  # the browser's own expressions are not quite Python's
        return None
    return FactCheck(fits, f'"{element.name}" takes what matches {pattern}')


def check_section(name: str, element: Element, view: Observation) -> FactCheck | None:
    """Check that the field is in the section of that name; None if something else has the name."""
    if any(same(name, n) for n in (element.section, element.group) if n):
        return FactCheck(True, "")
    names = [n for e in view.elements for n in (e.name, e.text, e.group, e.section) if n]
    names += [name for e in view.elements for name in e.options]
    page_texts = (*names, *(t.text for t in view.texts), *view.dialogs, view.title)
    if any(compare(name, n) is not None for n in page_texts if n):
        return None
    own_section = element.section or element.group
    if not own_section:
        return FactCheck(False, f'"{element.name}" is in no such section')
    return FactCheck(False, f'"{element.name}" is in "{own_section}"')


def check_form_edge(element: Element, view: Observation, *, is_first: bool) -> FactCheck | None:
    """Check that the field is the first or last of its form.

    Never confirms: the other pages of a wizard may have more fields.
    """
    if element.row is not None or not element.box.height:
        return None
    fields = [
        e
        for e in view.elements
        if is_field(e) and not is_search(e) and e.row is None and e.region == element.region
        and (e.dialog, e.frame) == (element.dialog, element.frame) and e.box.height
    ]  # fmt: skip
    rivals = [
        e for e in fields if e.id != element.id and not (e.group and e.group == element.group)
    ]
    further_out = [e for e in rivals if _is_beyond(e, element, is_above=is_first)]
    if not further_out:
        return None  # a wizard has other pages
    outermost = (
        min(further_out, key=lambda e: e.box.y)
        if is_first
        else max(further_out, key=lambda e: e.box.y)
    )
    if is_first:
        return FactCheck(False, f'"{outermost.name}" stands above "{element.name}"')
    return FactCheck(False, f'"{outermost.name}" stands below "{element.name}"')


def _is_beyond(e: Element, reference: Element, *, is_above: bool) -> bool:
    """Whether `e` is entirely above, or below, the reference."""
    if is_above:
        return e.box.y + e.box.height <= reference.box.y + _LINE_TOLERANCE_PX
    return e.box.y + _LINE_TOLERANCE_PX >= reference.box.y + reference.box.height


def check_default(value: str, element: Element) -> FactCheck | None:
    """Check that the untouched field holds the value, its unit aside; None if it is empty."""
    if not element.value or element.type == "password" or element.role in ("radio", "checkbox"):
        return None  # what is empty may not have come yet
    is_number = value.isdecimal() and re.match(rf"{value}(?!\d|[.,]\d)", element.value.strip())
    if same(value, element.value) or is_number:
        return FactCheck(True, "")
    return FactCheck(False, f'the default of "{element.name}" is "{element.value}"')


def check_sibling_field(name: str, element: Element, view: Observation) -> FactCheck | None:
    """Check that the form has a field of that name; None if a collapsed part or tab may hold it."""
    match = match_field(view, name)
    if match is not None:
        return FactCheck(True, "") if match.how.is_strict else None
    unfoldable = [e for e in view.elements if "collapsed" in e.states or e.role == "tab"]
    if text_shown(view, name) or any(e.dialog == element.dialog for e in unfoldable):
        return None
    return FactCheck(False, f'no field "{name}" is beside "{element.name}"')


def agreed_bound(values: Iterable[float | None]) -> float | None:
    """The bound that all facts that state one agree on; None if they contradict or none does."""
    stated = {value for value in values if value is not None}
    return stated.pop() if len(stated) == 1 else None


def bounds_text(least: float | None, most: float | None) -> str:
    """The bounds, at least one of which is known, for a sentence: "1 to 10", "at most 64"."""
    if least is not None and most is not None:
        return f"{least:g} to {most:g}"
    return f"at least {least:g}" if least is not None else f"at most {most:g}"
