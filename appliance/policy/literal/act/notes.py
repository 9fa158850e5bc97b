"""How divergences of names and places are put into words."""

from appliance.core.page import Element
from appliance.core.procedure import Inline
from appliance.core.verdict import Basis, DivergenceKind, Severity
from appliance.language import nouns
from appliance.language.names import How, compare, is_part
from appliance.policy.literal.match.grounding import Match, is_field, is_icon, names_of
from appliance.policy.literal.session import Session


def report_rename(s: Session, label: Inline, match: Match) -> None:
    """Note that the console calls it otherwise."""
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
    """Whether the text speaks of an icon, and it is one: what it shows, everyone says otherwise."""
    return bool(s.upcoming) and s.upcoming[0].noun in nouns.ICONS.both and is_icon(e)


def _basis(how: How) -> Basis:
    if how.is_small:
        return Basis.NEARLY
    return Basis.PLACE if how is How.STRUCTURE else Basis.ALIKE


def report_possible_rename(s: Session, label: Inline, e: Element) -> None:
    """Note that something else, clicked last, was taken for what nothing is called."""
    if _is_by_looks(s, e):
        return
    s.diverge(
        DivergenceKind.RENAMED_LABEL, label, f'the {_kind_name(e)} is called "{e.name.strip()}"',
        suggestion=e.name.strip(), basis=Basis.PLACE, is_guess=True,
    )  # fmt: skip


def _kind_name(e: Element) -> str:
    """What people call a control of its role."""
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
    """Note that the control shows only after something else that the text does not name."""
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
    """Note that the control is in the menu just opened."""
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


def list_fields(s: Session) -> str:
    """What the form has instead, for the end of a sentence."""
    names = names_of(e for e in s.front_elements if is_field(e))
    return f"; it has {names}" if names else ""
