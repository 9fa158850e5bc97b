"""Changes of what was there before: told by verbs, by forms that were filled already, by switches.

Only asked in consoles that cannot put anything back.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from urllib.parse import urlsplit

from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.harm import Harm
from appliance.core.page import Element, Observation
from appliance.language import harm_words, verbs
from appliance.language.names import plain, squeezed
from appliance.policy.literal import is_search
from appliance.verification.guard.hazard import (
    OPENS,
    SENDING_KEYS,
    TOGGLES,
    Hazard,
    elements_at,
    headings,
    is_drawn,
    leads_away,
    names_of,
    pressed,
)
from appliance.verification.guard.things import (
    KnownThings,
    NamedThing,
    address_of,
    cells,
    thing_of_row,
    ticked,
)

_TEXTUAL = frozenset(("textbox", "spinbutton", "combobox"))
_SELECTS = re.compile(r"select|选择|^#?$", re.IGNORECASE)
_BESIDE = frozenset(("navigation", "banner", "contentinfo", "complementary", "search", "tablist"))
"""Regions that are about the console and not about what its page is about."""
_SHOWING = OPENS | {"selected", "current"}
"""States of what only shows something."""
_KNOWN = (harm_words.LOOKS, harm_words.NO, harm_words.GOES_ON, harm_words.YES, harm_words.SAVES)
"""Buttons that change nothing by themselves, or are looked at as those that send a form."""
_SENDING = (harm_words.YES, harm_words.SAVES, harm_words.GOES_ON)
_OF_ONE = re.compile(r"/(?:\d+|[\da-f-]{16,})(?:/edit)?/?(?:[?#]|$)", re.IGNORECASE)
"""The end of an address that is one thing's."""
_READS = verbs.SEARCHES.both


class _FieldEdit(NamedTuple):
    """A field that was given something."""

    label: str
    value: str
    held: str | None
    """What a text field held; None: it is none."""
    is_invented: bool
    """Whether neither text nor bindings have what was typed."""
    dialog: str | None

    @property
    def is_entry(self) -> bool:
        """Whether it only fills in, with the text's own words, what was empty."""
        return self.held == "" and not self.is_invented


@dataclass(slots=True)
class AttemptChanges:
    """What one attempt has filled in and gone into."""

    things: KnownThings
    _edits: list[_FieldEdit] = field(default_factory=list)
    _row: tuple[str, ...] = ()
    """What the row was about by which the page now open was entered."""
    _left: str = ""
    """Address of the page on which that row stood."""
    _own: str = ""
    """Address of the page that was entered, where it says which thing that is about."""
    _went_on: bool = False
    """Whether something of the navigation was clicked since."""
    selected: tuple[NamedThing, ...] = ()
    """The rows that were ticked when a button outside of them was clicked."""
    menu_row: tuple[str, ...] = ()
    """What the row is about in which the open menu was opened."""
    _has_menu: bool = False
    """Whether a menu of the page itself was opened last."""

    def hazard(self, view: Observation, action: Action, focus: int | None) -> Hazard | None:
        """What an action would change that is no new thing."""
        on = pressed(view, action, focus)
        by_key = self._of_key(view, action, on.at) if on and on.key in SENDING_KEYS else None
        return by_key or self._of_action(view, action)

    def _of_action(self, view: Observation, action: Action) -> Hazard | None:
        e = None if action.element is None else view.element(action.element)
        match action:
            case actions.Click() | actions.ClickAt() if is_drawn(view, action):
                return Hazard(harm=Harm.CHANGE, names=("this",))
            case actions.Click() if e is not None:
                return self._of_click(view, e)
            case actions.Check() if e is not None:
                return _of_toggle(view, e)
            case actions.Type() if e is not None and e.value:
                is_at_once = e.row is not None or _saves_itself(view, e)
                return _changing(e) if is_at_once and not is_search(e) else None
            case actions.Select() if e is not None:
                is_verb = harm_words.WORDS[Harm.CHANGE].on_controls.search(action.option.strip())
                is_at_once = e.row is not None or bool(is_verb) or _saves_itself(view, e)
                return _changing(e) if is_at_once and not _reads(view, e) else None
            case actions.ClickAt():
                at = (self._of_click(view, one) for one in elements_at(view, action.point))
                return next(filter(None, at), None)
            case actions.Upload() if e is not None and _saves_itself(view, e):
                return _changing(e)
            case actions.Drag() if e is not None and e.role not in ("slider", "separator"):
                return _changing(e)
            case _:
                return None

    def _of_key(self, view: Observation, action: Action, at: Element | None) -> Hazard | None:
        """Enter or Space: a click on what has the focus, or a form that is sent."""
        if at is None:  # nobody knows what has it
            return next(filter(None, (self._of_click(view, one) for one in view.elements)), None)
        if at.role not in _TEXTUAL:
            return self._of_click(view, at)
        if is_search(at):
            return None
        if isinstance(action, actions.Type) and at.value and not self._is_in_new(view, at):
            return _changing(at)  # it is filled in anew, and sent
        return self._of_sending(view, at)

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
        is_click = isinstance(action, actions.Click)
        if self._row and not self._own and not self._went_on and view.url != self._left:
            self._own = self._of_one(view.url)
        if e.row is not None and e.dialog is None:
            is_way = e.role == "link" and leads_away(view, e)
            self.menu_row = () if is_way else thing_of_row(view, e.row).names
        elif not (is_in_menu(e) and is_click):
            self.menu_row = ()
        if is_click:
            self._go(view, e)
        is_edit = isinstance(action, actions.Type | actions.Select | actions.Check | actions.Upload)
        if is_edit and e.row is None and not is_search(e):
            held = (e.value or "") if isinstance(action, actions.Type) else None
            edit = _FieldEdit(plain(e.name), plain(action.argument), held, is_invented, e.dialog)
            self._edits = [*self._edits, edit][-100:]

    def _go(self, view: Observation, e: Element) -> None:
        """Keep where a click leads."""
        if not is_in_menu(e):
            self._has_menu = bool(e.states & OPENS) and e.region not in _BESIDE
        if e.dialog is None:
            self.selected = ticked(view, e.frame) if e.row is None else ()
        if e.role == "link" and e.dialog is None and not _goes_on(e):
            self._edits = []  # a form that is left so is not sent
        if e.row is not None and e.dialog is None:
            self._row, self._left = thing_of_row(view, e.row).names, view.url
            self._own, self._went_on = "", False
        elif e.region == "navigation" and e.role != "tab":
            self._went_on = True

    def _of_one(self, url: str) -> str:
        """An address that ends with the number or name of what the row was about; else empty."""
        address = address_of(url, with_anchor=False)
        last = address.rpartition("/")[2]
        is_its = any(c.isdigit() for c in last) or squeezed(plain(last)) in map(squeezed, self._row)
        return address if is_its else ""

    def entered(self, view: Observation) -> tuple[str, ...]:
        """What the row was about that led to the page or dialog now open.

        What the navigation leads to from there is still about it below its own address.
        """
        address = address_of(view.url, with_anchor=False)
        is_below = bool(self._own) and f"{address}/".startswith(f"{self._own}/")
        is_left = self._went_on and not is_below
        is_entered = view.url != self._left or bool(view.dialogs)
        return self._row if self._row and is_entered and not is_left else ()

    def is_bound(self, bound: Mapping[str, str]) -> bool:
        """Whether every field that was changed was given what the user bound to it."""
        known = {plain(k): plain(v) for k, v in bound.items()}
        edits = [e for e in self._edits if not e.is_entry]
        return bool(edits) and all(known.get(e.label) == e.value for e in edits)

    def renames(self, known: Collection[str], e: Element | None) -> bool:
        """Whether a name that is known was written over in the form: it is that thing's own."""
        here = (x for x in self._edits if e is None or x.dialog == e.dialog)
        return any(plain(x.held or "") in known for x in here)

    def _of_click(self, view: Observation, e: Element) -> Hazard | None:
        if e.role in TOGGLES:
            return _of_toggle(view, e)
        if e.role in _TEXTUAL or e.role == "tab" or "haspopup" in e.states:
            return None
        if e.role == "link" and e.region == "navigation":
            return None
        names = names_of(e)
        if any(harm_words.WORDS[Harm.CHANGE].on_controls.search(n.strip()) for n in names):
            return None if e.row is None and self._is_in_new(view, e) else _changing(e)
        if _acts_on_row(e, names) and (e.row is not None or self.menu_row):
            return _changing(e)
        if self._acts_on_page(view, e, names):
            return _changing(e)
        if e.is_submit or any(harm_words.SAVES.search(n.strip()) for n in names):
            return self._of_sending(view, e)
        return None

    def _acts_on_page(self, view: Observation, e: Element, names: tuple[str, ...]) -> bool:
        """A button on the page of a thing does something to it, unless it is known not to."""
        is_entry = e.role == "menuitem" and self._has_menu and not leads_away(view, e)
        is_button = e.role == "button" or is_entry
        if not is_button or e.states & _SHOWING or not names:
            return False
        if e.dialog is not None or e.row is not None or e.region in _BESIDE:
            return False
        is_known = any(p.search(n.strip()) for p in _KNOWN for n in names)
        if is_known or harm_words.MAKES.search(" ".join(names)) or _reads(view, e):
            return False
        return self.things.has_page(view, e) and not self._is_in_new(view, e)

    def _is_in_new(self, view: Observation, e: Element, *, was_filled: bool = False) -> bool:
        """Whether it belongs to a form by which something new is made."""
        titles = (t for t in _over(view, e) if self._is_new(view, t, was_filled=was_filled))
        path = _last_part(view)
        is_said = harm_words.MAKES.search(" ".join((*titles, *names_of(e))))
        return bool(is_said) or path in ("new", "add", "create")

    def _is_new(self, view: Observation, title: str, *, was_filled: bool = False) -> bool:
        """Whether a form of that title makes something; a name may begin with "New" as well."""
        if not harm_words.NEW.match(title.strip()):
            return False
        is_of_one = title in headings(view)[:1] and _OF_ONE.search(view.url)
        is_known = bool(is_of_one) or self.things.is_listed(plain(title))
        if not harm_words.AS_IN_NAMES.match(title.strip()) or not (is_known or was_filled):
            return True
        return not is_known and _names_kind(view, plain(title))

    def is_unsaved(self, view: Observation, e: Element) -> bool:
        """Whether it stands in the form of something not made yet: there nothing is lost."""
        if e.row is not None:
            has_field = any(o.row == e.row and o.role in _TEXTUAL for o in view.elements)
            if not has_field and not any(c in self.things.typed_names() for c in cells(e.row)):
                return False  # a list of what is there stands beside the form
        over = [e.dialog] if e.dialog else [t for t in _over(view, e)[:-1] if t]
        return any(self._is_new(view, t) for t in over) and any(
            (
                o.is_submit
                or harm_words.MAKES.search(o.name)
                or harm_words.SAVES.search(o.name.strip())
            )
            and o.role == "button"
            and o.dialog == e.dialog
            for o in view.elements
        )

    def _of_sending(self, view: Observation, e: Element) -> Hazard | None:
        """A form that held something before, and is sent with something else in it."""
        here = [x for x in self._edits if x.dialog == e.dialog]
        is_save = any(harm_words.SAVES.search(n.strip()) for n in names_of(e))
        changed = [x for x in here if x.held or (is_save and not x.is_entry)]
        if not changed or _reads(view, e):
            return None
        empty = [
            o for o in view.elements if o.role == "textbox" and o.dialog == e.dialog and not o.value
        ]
        was_filled = any(x.held for x in here) and not empty and not any(x.held == "" for x in here)
        if self._is_in_new(view, e, was_filled=was_filled):
            return None
        return replace(_changing(e), is_saving=True)


def _names_kind(view: Observation, title: str) -> bool:
    """Whether the page calls things so: "New test run", where there is a "Search test runs"."""
    kind = title.partition(" ")[2]
    names = (plain(e.name) for e in view.elements if e.row is None)
    return bool(kind) and any(kind in name and title not in name for name in names)


def _goes_on(e: Element) -> bool:
    """Whether a link stays with the form."""
    is_here = e.href.startswith(("#", "javascript:")) or not e.href
    return is_here or bool(harm_words.GOES_ON.search(e.name.strip()))


def _acts_on_row(e: Element, names: tuple[str, ...]) -> bool:
    """A button of a row does something to what the row is about, unless it only shows it."""
    is_button = e.role in ("button", "menuitem") and e.dialog is None
    if not is_button or not (e.row is not None or e.role == "menuitem"):
        return False
    is_name = e.row is not None and plain(e.name) in cells(e.row)[:1]
    shows = any(harm_words.LOOKS.search(n.strip()) or harm_words.MAKES.search(n) for n in names)
    return not shows and not is_name and not e.states & OPENS


def _of_toggle(view: Observation, e: Element) -> Hazard | None:
    return _of_switch(view, e) if e.role == "switch" else _of_box(view, e)


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
        (o.is_submit or harm_words.MAKES.search(o.name)
         or plain(o.name) == _last_part(view)  # all of ".../export" is for the button "Export"
         or any(words.search(o.name.strip()) for words in _SENDING))
        for o in view.elements
        if o.role in ("button", "link") and o.dialog == e.dialog and o.region != "navigation"
    )  # fmt: skip


def _last_part(view: Observation) -> str:
    """Of the page's address."""
    return urlsplit(view.url).path.rstrip("/").rpartition("/")[2].casefold()


def is_in_menu(e: Element) -> bool:
    """Whether it is an entry of a drop-down, which a page may draw far from where it was opened."""
    return e.region == "menu" or e.role.startswith("menuitem")


def _changing(e: Element) -> Hazard:
    return Hazard(harm=Harm.CHANGE, names=names_of(e) or ("this",), element=e)


def _of_switch(view: Observation, e: Element) -> Hazard | None:
    """A switch in a list, or on a page that has nothing to save, does it at once."""
    saves = any(
        o.is_submit or harm_words.SAVES.search(o.name.strip())
        for o in view.elements
        if o.role == "button" and o.dialog == e.dialog and o.frame == e.frame
    )
    return None if saves and e.row is None else _changing(e)


def _over(view: Observation, e: Element) -> list[str]:
    """What stands over a form."""
    if e.dialog is not None:
        return [e.dialog]
    return [*headings(view), view.title, e.section]


def _reads(view: Observation, e: Element) -> bool:
    over = plain(" ".join((*_over(view, e), *names_of(e), e.group)))
    return any(word in over for word in _READS)
