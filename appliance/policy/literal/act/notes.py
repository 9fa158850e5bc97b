"""How divergences of names and places are put into words."""

from appliance.core.page import Element
from appliance.core.procedure import Inline
from appliance.core.verdict import DivergenceKind, Severity
from appliance.language.names import How, compare
from appliance.policy.literal.match.grounding import Match, is_field, names_of
from appliance.policy.literal.session import Session


def rename(s: Session, label: Inline, match: Match) -> None:
    """Note that the console calls it otherwise."""
    e, shown = match.element, match.element.name.strip()
    kind = "check box" if e.role == "checkbox" else e.role
    if e.group and compare(label.text, e.name) is None and compare(label.text, e.group):
        kind, shown = "group", e.group
    small = match.how is How.PUNCTUATION or shown.casefold().rstrip(
        "s"
    ) == label.text.casefold().rstrip("s")
    s.diverge(
        DivergenceKind.RENAMED_LABEL,
        label,
        f'the {kind} is called "{shown}"',
        suggestion=shown,
        severity=Severity.COSMETIC if small else Severity.MISLEADS,
        confidence={
            How.PUNCTUATION: 0.95,
            How.SUBSET: 0.85,
            How.SYNONYM: 0.85,
            How.SIMILAR: 0.85,
        }.get(match.how, 0.75),
        box=e.box,
    )


def moved(s: Session, label: Inline, e: Element, whose: str) -> None:
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
        confidence=0.8,
        box=e.box,
    )


def offers(s: Session) -> str:
    """What the form has instead, for the end of a sentence."""
    fields = [
        e for e in s.view.elements if is_field(e) and (e.dialog is not None or not s.view.dialogs)
    ]
    names = names_of(fields)
    return f"; it has {names}" if names else ""
