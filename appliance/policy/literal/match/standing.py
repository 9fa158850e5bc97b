"""Checks that controls are where the text says: below a heading, in a row, in a menu."""

import re

from appliance.core.page import Element, TextKind
from appliance.core.procedure import Inline
from appliance.core.verdict import Basis, DivergenceKind, Severity
from appliance.language.names import same
from appliance.policy.literal.match.grounding import Match, compare_element, in_row
from appliance.policy.literal.match.whereabouts import is_beyond_list
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Session

_IN_ROW = re.compile(
    r"\bin (?:the|its|that|this)(?: same)? row\b|\bin (?:the|an?|that|this) [\w -]+['’]s? row\b"
    r"|\bin the actions column\b"
    r"|(?:所在行|这一行|该行)(?!的?复选框)|操作列|操作栏",
    re.IGNORECASE,
)
_FOLDS = frozenset({"expanded", "collapsed"})
_CHECK_BOX = re.compile(r"\bcheck ?box|复选框", re.IGNORECASE)


def says_row(intent: Intent) -> bool:
    """Whether the text says that the control is in the row, and not only which item is meant."""
    text = intent.sentence.text
    return bool(intent.place.row and _IN_ROW.search(text)) and not _CHECK_BOX.search(text)


def menu_named(s: Session, intent: Intent) -> Element | None:
    """The menu just opened, if the text says that it holds this ("**More** > **Rename**")."""
    position = s.plan.index(intent) if intent in s.plan else 0
    previous, menu = s.plan[position - 1] if position else None, s.clicked
    if menu is None or "haspopup" not in menu.states or previous is None or previous.label is None:
        return None
    if previous.kind is not IntentKind.OPEN or previous.sentence is not intent.sentence:
        return None
    how = compare_element(previous.label.text, menu)
    return menu if how is not None and how.is_strict else None


def check_place(
    s: Session,
    intent: Intent,
    label: Inline,
    match: Match,
    *,
    menu: Element | None,
    is_inside: bool,
) -> None:
    """Report a control that is not where the text says.

    Args:
        s: The session.
        intent: The instruction.
        label: Its words.
        match: The control that was found.
        menu: The menu that should hold it.
        is_inside: Whether the item of the row was opened, and the control is on its page.
    """
    e = match.element
    page = f'on the page of "{s.opened}"'
    if s.menu is not None and is_inside:
        page = f'in the menu "{s.menu.name.strip()}" {page}'
    if intent.place.is_above:
        if e.row or is_inside:
            _report_moved(s, label, e, f"{'in the row' if e.row else page}, not above the list")
    elif s.lost is not None or not match.how.is_strict:
        return
    elif is_inside and (menu is not None or says_row(intent)):
        _report_moved(s, label, e, f"{page}, not in the row of the list")
    elif says_row(intent) and _is_above_rows(s, e):
        _report_moved(s, label, e, "above the list, not in the row")
    elif menu is not None and e.region != "menu" and _was_in_sight(s, e):
        _report_moved(s, label, e, f'beside the menu "{menu.name.strip()}", not in it')


def _is_above_rows(s: Session, e: Element) -> bool:
    """Whether it is above the list that has the row."""
    is_listed = any(in_row(element, s.row) for element in s.view.elements)
    return (
        bool(s.row)
        and is_listed
        and e.row is None
        and bool(is_beyond_list(e, s.view, is_above=True))
    )


def check_heading(s: Session, intent: Intent, label: Inline, e: Element) -> None:
    """Report an entry that is not below the heading of the text ("Products > Storage > Disks")."""
    heading, s.heading = s.heading, ""
    place = intent.place.section or intent.place.field
    heading_name = heading or (place.text if place else "")
    if not heading_name or _is_part_of(s, e, heading_name) or _is_within(s, e, heading_name):
        return
    is_heading = any(same(heading_name, o.section) for o in s.view.elements if o.region == e.region)
    is_said_here = bool(intent.place.section and not heading)
    is_gone = is_said_here and (not is_known(s, heading_name) or _is_outside(s, e, heading_name))
    if is_gone or (is_heading and (e.section or not heading)):
        actual_place = f'below "{e.section}"' if e.section else "below no heading"
        _report_moved(s, label, e, f'{actual_place}, not below "{heading_name}"')


def _report_moved(s: Session, label: Inline, e: Element, actual_place: str) -> None:
    s.diverge(
        DivergenceKind.MOVED_CONTROL, label, f'"{e.name}" is {actual_place}',
        severity=Severity.MISLEADS, basis=Basis.ELSEWHERE, box=e.box,
    )  # fmt: skip


def _was_in_sight(s: Session, e: Element) -> bool:
    """Whether it was visible before the menu was opened, and so is not in the menu."""
    was = s.before.element(e.id)
    return was is not None and was.name == e.name and "covered" not in was.states


def _is_within(s: Session, e: Element, outer: str) -> bool:
    """Whether the heading above the entry is itself below that heading."""
    above: list[tuple[int, str]] = []
    for text in s.view.texts:
        if text.kind is TextKind.HEADING:
            above = [h for h in above if h[0] < text.level]
            if e.section and same(text.text, e.section) and any(same(outer, h) for _, h in above):
                return True
            above.append((text.level, text.text))
    return False


def _is_part_of(s: Session, e: Element, outer: str) -> bool:
    """Whether it is in the section of that name, directly or in a section nested in it."""
    above, visited = [e.section, e.group], set[str]()
    while above:
        name = above.pop()
        if same(outer, name):
            return True
        if name and name not in visited:
            visited.add(name)
            above += [o.section for o in s.view.elements if o.region == e.region and o.name == name]
    return False


def _is_outside(s: Session, e: Element, part: str) -> bool:
    """Whether it is above the foldable section of that name, or below the next such section."""
    folds = [o for o in s.view.elements if o.region == e.region and _FOLDS & o.states]
    parts = [o for o in folds if same(part, o.name)]
    return bool(parts) and all(
        e.box.y < part_control.box.y
        or (
            e.section
            and any(
                part_control.box.y < o.box.y < e.box.y and o.box.x <= part_control.box.x
                for o in folds
            )
        )
        for part_control in parts
    )


def is_known(s: Session, words: str) -> bool:
    """Whether anything on the page has that name, or the text uses it for something else."""
    if s.names_elsewhere(words):
        return True
    names = [n for e in s.view.elements for n in (e.name, e.text, e.group, e.section)]
    return any(same(words, n) for n in (*names, *(t.text for t in s.view.texts), s.view.title) if n)
