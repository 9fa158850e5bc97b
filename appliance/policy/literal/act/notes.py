"""How divergences of names and places are put into words."""

from collections.abc import Sequence

from appliance.core.page import Box, Element
from appliance.core.procedure import Inline
from appliance.core.verdict import Basis, DivergenceKind, Severity
from appliance.language import nouns
from appliance.language.names import How, compare, is_part
from appliance.policy.literal.match.grounding import (
    Match,
    is_field,
    is_icon,
    match_option,
    names_of,
    quoted_options,
)
from appliance.policy.literal.session import Session


def report_rename(s: Session, label: Inline, match: Match) -> None:
    """Report that the console calls it otherwise."""
    if _is_by_looks(s, match.element):
        return
    e, shown_name = match.element, match.element.name.strip()
    kind = _kind_name(e)
    if e.group and compare(label.text, e.name) is None and compare(label.text, e.group):
        kind, shown_name = "group", e.group
    is_small = match.how.is_small or is_part(label.text, shown_name)
    s.diverge(
        DivergenceKind.RENAMED_LABEL,
        label,
        f'the {kind} is called "{shown_name}"',
        suggestion=shown_name,
        severity=Severity.COSMETIC if is_small else Severity.MISLEADS,
        basis=_basis(match.how),
        box=e.box,
        is_guess=not is_small,
    )


def _is_by_looks(s: Session, e: Element) -> bool:
    """Whether the text describes an icon: people describe the same picture differently."""
    return bool(s.upcoming) and s.upcoming[0].noun in nouns.ICONS.both and is_icon(e)


def _basis(how: How) -> Basis:
    if how.is_small:
        return Basis.NEARLY
    return Basis.PLACE if how is How.STRUCTURE else Basis.ALIKE


def report_possible_rename(s: Session, label: Inline, e: Element) -> None:
    """Report that something else, clicked last, was taken for what nothing is called."""
    if _is_by_looks(s, e):
        return
    s.diverge(
        DivergenceKind.RENAMED_LABEL, label, f'the {_kind_name(e)} is called "{e.name.strip()}"',
        suggestion=e.name.strip(), basis=Basis.PLACE, is_guess=True,
    )  # fmt: skip


def _kind_name(e: Element) -> str:
    """What people call a control of that role."""
    return _KINDS.get(e.role, e.role)


_KINDS = {
    "checkbox": "check box",
    "menuitem": "menu entry",
    "textbox": "field",
    "searchbox": "search field",
    "spinbutton": "field",
    "combobox": "list",
    "listbox": "list",
}


def report_hidden(s: Session, label: Inline, e: Element, opener: Element) -> None:
    """Report that the control shows only after something that the text does not name was opened."""
    is_tab = opener.role == "tab"
    name = opener.name.strip()
    s.diverge(
        DivergenceKind.MOVED_CONTROL if is_tab else DivergenceKind.MISSING_STEP,
        label,
        f'"{e.name}" is on the tab "{name}"' if is_tab
        else f'"{e.name}" is hidden until "{name}" is opened',
        severity=Severity.MISLEADS,
        basis=Basis.ELSEWHERE,
        box=e.box,
    )  # fmt: skip


def report_moved(s: Session, label: Inline, e: Element, whose: str) -> None:
    """Report that the control is in the menu just opened."""
    menu = s.menu.name.strip() if s.menu else ""
    has_words = any(c.isalnum() for c in menu)
    s.diverge(
        DivergenceKind.MOVED_CONTROL,
        label,
        f'"{e.name}" is in the menu "{menu}" {whose}'
        if menu
        else f'"{e.name}" is in a menu {whose}',
        suggestion=f"{menu} > {label.text}" if has_words else None,
        severity=Severity.MISLEADS,
        basis=Basis.ELSEWHERE,
        box=e.box,
    )


def check_option(
    s: Session, label: Inline, options: Sequence[str], *, field_name: str, box: Box
) -> None:
    """Confirm that a field offers the option of that label, or report what it offers instead."""
    closest = match_option(options, label.text)
    if closest is not None and closest[1].is_strict:
        s.confirm(label)
        return
    offered = quoted_options(options)
    missing = f'"{field_name}" does not offer it; it offers {offered}'
    s.diverge(
        DivergenceKind.CHANGED_OPTION, label,
        f'the option is called "{closest[0]}"' if closest else missing,
        suggestion=closest[0] if closest else None, box=box,
    )  # fmt: skip


def lacks_option(field_name: str, value: str, offered: str) -> str:
    """The sentence that a field does not offer a value; `offered` lists what it does."""
    return f'"{field_name}" does not offer "{value}"; it offers {offered}'


def list_fields(s: Session) -> str:
    """What the form has instead, as the end of a sentence."""
    names = names_of(e for e in s.front_elements if is_field(e))
    return f"; it has {names}" if names else ""
