"""Icons and menu buttons: controls without words, told by their looks, tooltips and places."""

from appliance.core.page import Element, TextKind
from appliance.core.procedure import Inline
from appliance.core.verdict import Basis, DivergenceKind, Severity, StepStatus
from appliance.language import nouns
from appliance.language.icons import MENU_LOOK, icon_names, may_be
from appliance.language.names import How, plain, same, words
from appliance.policy.literal.act.searching import (
    find_inside_thing,
    open_menu_of_next,
    open_row_menu,
)
from appliance.policy.literal.act.unfolding import reveal_row
from appliance.policy.literal.match.grounding import (
    CLICKABLE,
    Match,
    closed_menus,
    in_row,
    is_enabled,
    is_icon,
    is_row_menu,
    shows_icon,
)
from appliance.policy.literal.match.standing import is_known
from appliance.policy.literal.read.intents import Intent
from appliance.policy.literal.session import Script, ScriptOf, Session

_SAME_LINE_PX = 16
"""CSS pixels between the middles of elements on one line, at most."""


def beside_spotted(s: Session, label: Inline) -> Match | None:
    """The control nearest to the element that the text had the reader find, on the same line."""
    spotted = s.view.element(s.spotted.id) if s.spotted is not None else None
    if spotted is None:
        return None
    neighbours = [
        e
        for e in s.view.elements
        if e.id != spotted.id and e.role in CLICKABLE
        and (e.region, e.group) == (spotted.region, spotted.group)
        and abs(_middle(e) - _middle(spotted)) <= _SAME_LINE_PX
        and (not e.name or e.is_wordless or shows_icon(e, label.text))
    ]  # fmt: skip
    neighbours = [e for e in neighbours if shows_icon(e, label.text)] or neighbours
    nearest = min(neighbours, key=lambda e: abs(e.box.x - spotted.box.x), default=None)
    return Match(nearest, How.HINTED) if nearest is not None else None


def _middle(e: Element) -> float:
    return e.box.y + e.box.height / 2


def only_icon_for(s: Session, intent: Intent, label: Inline) -> Match | None:
    """The only icon on the page whose look means what the label says: ⤒ for "Upload File"."""
    if intent.noun not in nouns.ICONS.both:
        return None
    icon_words = words(label.text)
    icons = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and e.row is None and is_icon(e) and is_enabled(e)
        and any(
            icon_name_words and icon_name_words <= icon_words
            for look in (e.text or e.name, e.look)
            for icon_name_words in map(words, icon_names(look))
        )
    ]  # fmt: skip
    return Match(icons[0], How.HINTED) if len(icons) == 1 else None


def is_menu_icon_of_row(s: Session, intent: Intent, label: Inline, row: str) -> ScriptOf[bool]:
    """Whether the label means the menu icon of the row, whose name shows nowhere; opens it."""
    is_meant = intent.place.row or plain(label.text) in nouns.MENUS.both
    if not (row and is_meant) or not (yield from open_row_menu(s, row)):
        return False
    s.report(StepStatus.AS_WRITTEN)
    return True


def is_row_in_front(s: Session, row: str) -> bool:
    """Whether the page, or the dialog over it, has a row or card that begins with these words."""
    first_cells = (plain(e.row.split(" | ")[0]) for e in s.front_elements if e.row is not None)
    return any(first_cell.startswith(plain(row)) for first_cell in first_cells)


def press_icon(s: Session, intent: Intent, label: Inline) -> Script:
    """Click an icon that the text calls by what it does: "the copy button next to the name"."""
    row = yield from row_of(s, intent)
    place_words = words(intent.place.row) - {"it", "them", "name", "the"}
    names = icon_names(label.text)
    icons = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and is_enabled(e) and len(e.name) < 60
        and (
            shows_icon(e, label.text)
            or any(plain(name) and plain(name) in plain(f"{e.name} {e.text}") for name in names)
        )
    ]  # fmt: skip
    icons = [e for e in icons if may_be(e.look, label.text)] or icons
    if MENU_LOOK in names and (not icons or any("haspopup" in e.states for e in icons)):
        yield from open_menu(s, intent)
        return
    is_of_row = bool(intent.place.row) or all(e.row is not None for e in icons)
    row_icons = [e for e in icons if row and is_of_row and in_row(e, row)]
    candidate_icons = row_icons or [
        e
        for e in icons
        if not place_words or place_words & words(f"{e.name} {e.row or ''} {e.group}")
    ]
    if not candidate_icons:
        if not intent.is_optional:
            s.leave_out(label.text)  # later steps may depend on it
        s.report(StepStatus.SKIPPED, f'no "{label.text}" button can be told by its name')
        return
    s.note_match(label.text, candidate_icons[0])
    result = yield from s.click(
        candidate_icons[0], f'click "{candidate_icons[0].name}"', intent.gesture
    )
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def row_of(s: Session, intent: Intent) -> ScriptOf[str]:
    """The key of the row that the intent means, else of the last one; empty if it is not shown."""
    if intent.place.is_above:
        return ""
    row_words = intent.place.row
    is_shown = any(in_row(e, row_words) for e in s.view.elements) if row_words else False
    if row_words and (row_key := s.values.row_key(row_words) or (row_words if is_shown else "")):
        s.row = row_key
        if not s.view.dialogs and not (yield from reveal_row(s, row_key)):
            yield from s.look_again(row_key)  # lists may be drawn later than their pages
    is_listed = any(in_row(e, s.row) for e in s.view.elements)
    return s.row if is_listed and (not s.view.dialogs or is_row_in_front(s, s.row)) else ""


def _in_named_part(s: Session, intent: Intent, menu_buttons: list[Element]) -> list[Element]:
    """Of these buttons, those in the part of the page that the text names, else of its main part.

    Where the text speaks of an icon, buttons with words are left out if there are others.
    """
    section = intent.place.section
    if section is not None and any(same(section.text, e.section) for e in s.view.elements):
        menu_buttons = [e for e in menu_buttons if same(section.text, e.section)]
    menu_buttons = [e for e in menu_buttons if e.region in ("main", "form")] or menu_buttons
    icons = [e for e in menu_buttons if is_icon(e)] if intent.noun == "icon" else []
    return icons or menu_buttons


def _lacks_named_part(s: Session, intent: Intent) -> ScriptOf[bool]:
    """Whether the text places the menu in a part of the page that does not exist; reports it."""
    part = intent.place.section
    if part is None or s.may_be_elsewhere or is_known(s, part.text):
        return False
    yield from s.look_again(part.text)
    if is_known(s, part.text) or s.has_failed_action:
        return False
    message = f'nothing called "{part.text}" in {s.describe_place()}'
    if len(headings := [t.text for t in s.view.texts if t.kind is TextKind.HEADING]) > 1:
        s.absent_parts.add(part.span)
        message += "; it has " + ", ".join(f'"{h}"' for h in headings[:6])
    s.diverge(
        DivergenceKind.MISSING_CONTROL, part, message, severity=Severity.BREAKS, basis=Basis.ABSENT
    )
    s.report_stuck(message)
    return True


def open_menu(s: Session, intent: Intent) -> Script:
    """Click the menu button of the row (or of the page)."""
    row = yield from row_of(s, intent)
    if s.lost is not None and not row:
        s.report_unreached()
        return
    row_buttons = closed_menus(s.view, row=row) if row else []
    if not row_buttons and (yield from _lacks_named_part(s, intent)):
        return
    menu_buttons = row_buttons or _in_named_part(s, intent, closed_menus(s.view))
    if (
        intent.noun == "menu"
        and not row_buttons
        and (len(menu_buttons) != 1 or s.next_label is not None)
    ):
        yield from _open_described_menu(s, menu_buttons)
        return
    if not menu_buttons and s.row and not s.view.dialogs:
        yield from (
            find_inside_thing(s, intent, intent.sentence.labels()[0], s.row)
            if (intent.sentence.labels())
            else ()
        )
        buttons_inside = [e for e in s.view.elements if is_row_menu(e)]
        menu_buttons = buttons_inside if len(buttons_inside) == 1 else []
    if menu_buttons:
        s.note_match("", menu_buttons[0])
        result = yield from s.click(menu_buttons[0], "open the menu")
        s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
    else:
        s.report(StepStatus.SKIPPED, "no menu button is there")


def _open_described_menu(s: Session, menu_buttons: list[Element]) -> Script:
    """Open the menu that the text only describes: its entries tell which one is meant."""
    if (yield from open_menu_of_next(s, menu_buttons)):
        s.report(StepStatus.AS_WRITTEN)
    else:
        s.skip("not understood: which menu is meant")
        s.lose("was not understood")
