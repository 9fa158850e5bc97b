"""Changes of what was there before: told by verbs, by forms that were filled already, by switches.

Only asked in consoles that cannot put anything back.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from appliance.core.page import Action, ActionKind, Element, Observation, TextKind
from appliance.policy.literal.match.grounding import is_search
from appliance.policy.literal.match.names import plain
from appliance.verification.guard import words
from appliance.verification.guard.hazard import TOGGLES, Hazard, elements_at, names_of
from appliance.verification.guard.things import Thing, cells, thing_of_row, ticked
from appliance.verification.guard.words import Harm

_PRESSES = frozenset(("enter", "return", "space", "", "control+enter", "ctrl+enter"))
"""Keys that press a button, or send a form."""
_TEXTUAL = frozenset(("textbox", "spinbutton", "combobox"))
_SELECTS = re.compile(r"select|选择|^#?$", re.IGNORECASE)
_READS = frozenset(("filter", "search", "筛选", "搜索", "查询"))


class _Edit(NamedTuple):
    """A field that held something and was given something else."""

    label: str
    value: str
    is_text: bool
    dialog: str | None


@dataclass(slots=True)
class Changes:
    """What one attempt has filled in and gone into."""

    _edits: list[_Edit] = field(default_factory=list)
    _row: tuple[str, ...] = ()
    """What the row was about by which the page now open was entered."""
    _left: str = ""
    """Address of the page on which that row stood."""
    selected: tuple[Thing, ...] = ()
    """The rows that were ticked when a button outside of them was clicked."""
    menu_row: tuple[str, ...] = ()
    """What the row is about in which the open menu was opened."""

    def hazard(self, view: Observation, action: Action, focus: int | None) -> Hazard | None:
        """What an action would change that is no new thing."""
        e = None if action.element is None else view.element(action.element)
        match action.kind:
            case ActionKind.CLICK if e is not None:
                return self._of_click(view, e)
            case ActionKind.CHECK if e is not None:
                return _of_switch(view, e) if e.role == "switch" else _of_box(view, e)
            case ActionKind.TYPE if e is not None and e.value:
                is_at_once = e.row is not None or _saves_itself(view, e)
                return _changing(e) if is_at_once and not is_search(e) else None
            case ActionKind.SELECT if e is not None:
                is_verb = words.WORDS[Harm.CHANGE].on_controls.search(action.text.strip())
                is_at_once = e.row is not None or bool(is_verb) or _saves_itself(view, e)
                return _changing(e) if is_at_once and not _reads(view, e) else None
            case ActionKind.CLICK if action.point is not None and not elements_at(
                view, action.point
            ):
                return Hazard(
                    harm=Harm.CHANGE, names=("this",)
                )  # nobody can read what is only drawn
            case ActionKind.UPLOAD if e is not None and _saves_itself(view, e):
                return _changing(e)
            case ActionKind.DRAG if e is not None and e.role not in ("slider", "separator"):
                return _changing(e)
            case ActionKind.PRESS if action.text.strip().casefold() in _PRESSES:
                return self._of_key(view, e or (None if focus is None else view.element(focus)))
            case _:
                return None

    def _of_key(self, view: Observation, at: Element | None) -> Hazard | None:
        """Enter or Space: a click on what has the focus, or a form that is sent."""
        if at is None:  # nobody knows what has it
            return next(filter(None, (self._of_click(view, one) for one in view.elements)), None)
        if at.role not in _TEXTUAL:
            return self._of_click(view, at)
        return None if is_search(at) else self._of_sending(view, at)

    def note(self, view: Observation, action: Action, *, is_invented: bool = False) -> None:
        """Keep what was filled in, and where a row led.

        Args:
            view: The page.
            action: What was done.
            is_invented: Whether neither text nor bindings have what was typed.
        """
        e = None if action.element is None else view.element(action.element)
        if e is None:
            return
        if e.row is not None and e.dialog is None:
            self.menu_row = thing_of_row(view, e.row).names
        elif not is_in_menu(e) or action.kind is not ActionKind.CLICK:
            self.menu_row = ()
        if action.kind is ActionKind.CLICK and e.dialog is None:
            self.selected = ticked(view, e.frame) if e.row is None else ()
        if action.kind is ActionKind.CLICK:
            if e.role == "link" and e.dialog is None and not _goes_on(e):
                self._edits = []  # a form that is left so is not sent
            if e.row is not None and e.dialog is None:
                self._row, self._left = thing_of_row(view, e.row).names, view.url
            elif e.region == "navigation" or e.role == "tab":
                self._row = () if e.role != "tab" else self._row
        is_text = action.kind is ActionKind.TYPE
        held = bool(e.value) or is_invented if is_text else True
        kinds = (ActionKind.SELECT, ActionKind.CHECK, ActionKind.UPLOAD)
        is_entry = is_text or action.kind in kinds
        if is_entry and held and e.row is None and not is_search(e):
            value = action.text if action.kind is not ActionKind.CHECK else str(action.checked)
            edit = _Edit(plain(e.name), plain(value), is_text and bool(e.value), e.dialog)
            self._edits = [*self._edits, edit][-100:]

    def entered(self, view: Observation) -> tuple[str, ...]:
        """What the row was about that led to the page or dialog now open."""
        return self._row if self._row and (view.url != self._left or view.dialogs) else ()

    def is_bound(self, bound: Mapping[str, str]) -> bool:
        """Whether every field that was changed was given what the user bound to it."""
        known = {plain(k): plain(v) for k, v in bound.items()}
        return bool(self._edits) and all(known.get(e.label) == e.value for e in self._edits)

    def _of_click(self, view: Observation, e: Element) -> Hazard | None:
        if e.role == "switch":
            return _of_switch(view, e)
        if e.role in TOGGLES:
            return _of_box(view, e)
        if e.role in _TEXTUAL or "haspopup" in e.states:
            return None
        if e.role == "link" and e.region == "navigation":
            return None
        names = names_of(e)
        if any(words.WORDS[Harm.CHANGE].on_controls.search(n.strip()) for n in names):
            return None if e.row is None and _is_in_new(view, e) else _changing(e)
        if _acts_on_row(e, names) and (e.row is not None or self.menu_row):
            return _changing(e)
        if e.is_submit or any(words.SAVES.search(n.strip()) for n in names):
            return self._of_sending(view, e)
        return None

    def _of_sending(self, view: Observation, e: Element) -> Hazard | None:
        """A form that held something before, and is sent with something else in it."""
        here = [x for x in self._edits if x.dialog == e.dialog]
        is_save = any(words.SAVES.search(n.strip()) for n in names_of(e))
        changed = [x for x in here if x.is_text or is_save]
        if not changed or _is_in_new(view, e) or _reads(view, e):
            return None
        return replace(_changing(e), is_saving=True)


def _goes_on(e: Element) -> bool:
    """Whether a link stays with the form."""
    is_here = e.href.startswith(("#", "javascript:")) or not e.href
    return is_here or bool(words.GOES_ON.search(e.name.strip()))


def _acts_on_row(e: Element, names: tuple[str, ...]) -> bool:
    """A button of a row does something to what the row is about, unless it only shows it."""
    is_button = e.role in ("button", "menuitem") and not e.href and e.dialog is None
    if not is_button or not (e.row is not None or e.role == "menuitem"):
        return False
    is_name = e.row is not None and plain(e.name) in cells(e.row)[:1]
    shows = any(words.LOOKS.search(n.strip()) or words.MAKES.search(n) for n in names)
    return not shows and not is_name and not e.states & {"expanded", "collapsed"}


def _of_box(view: Observation, e: Element) -> Hazard | None:
    """A box in a column of its own, or on a page that saves by itself; others select, or wait."""
    if e.row is not None:
        is_own = bool(e.column and re.search(r"\w", e.column)) and not _SELECTS.search(
            e.column or ""
        )
        return _changing(e) if is_own else None
    is_at_once = e.dialog is None and _saves_itself(view, e)
    return _changing(e) if is_at_once and not _reads(view, e) else None


def _saves_itself(view: Observation, e: Element) -> bool:
    """Whether what is entered is kept at once: nothing sends it, and it narrows no list."""
    has_list = any(o.row for o in view.elements) or any(t.row for t in view.texts)
    return not has_list and not any(
        (o.is_submit or words.YES.search(o.name.strip()) or words.SAVES.search(o.name.strip())
         or words.GOES_ON.search(o.name.strip()) or words.MAKES.search(o.name))
        for o in view.elements
        if o.role in ("button", "link") and o.dialog == e.dialog and o.region != "navigation"
    )  # fmt: skip


def is_in_menu(e: Element) -> bool:
    """Whether it is an entry of a drop-down, which a page may draw far from where it was opened."""
    return e.region == "menu" or e.role.startswith("menuitem")


def _changing(e: Element) -> Hazard:
    return Hazard(harm=Harm.CHANGE, names=names_of(e) or ("this",), element=e)


def _of_switch(view: Observation, e: Element) -> Hazard | None:
    """A switch in a list, or on a page that has nothing to save, does it at once."""
    saves = any(
        o.is_submit or words.SAVES.search(o.name.strip())
        for o in view.elements
        if o.role == "button" and o.dialog == e.dialog and o.frame == e.frame
    )
    return None if saves and e.row is None else _changing(e)


def _over(view: Observation, e: Element) -> list[str]:
    """What stands over a form."""
    if e.dialog is not None:
        return [e.dialog]
    heads = [t.text for t in view.texts if t.kind is TextKind.HEADING and t.level <= 2]
    return [*heads, view.title, e.section]


def _is_in_new(view: Observation, e: Element) -> bool:
    """Whether it belongs to a form by which something new is made."""
    over = " ".join((*(o for o in _over(view, e) if words.NEW.match(o.strip())), *names_of(e)))
    path = view.url.rstrip("/").rsplit("/", 1)[-1].split("?")[0].casefold()
    return bool(words.MAKES.search(over)) or path in ("new", "add", "create")


def is_unsaved(view: Observation, e: Element, typed: Collection[str] = ()) -> bool:
    """Whether it stands in the form of something that is not made yet: there nothing is lost."""
    if e.row is not None:
        has_field = any(o.row == e.row and o.role in _TEXTUAL for o in view.elements)
        if not has_field and not any(c in typed for c in cells(e.row)):
            return False  # a list of what is there stands beside the form
    over = [e.dialog] if e.dialog else [t for t in _over(view, e)[:-1] if t]
    is_new = any(words.NEW.match(t.strip()) for t in over)
    return is_new and any(
        (o.is_submit or words.MAKES.search(o.name) or words.SAVES.search(o.name.strip()))
        and o.role == "button"
        and o.dialog == e.dialog
        for o in view.elements
    )


def _reads(view: Observation, e: Element) -> bool:
    over = plain(" ".join((*_over(view, e), *names_of(e), e.group)))
    return any(word in over for word in _READS)
