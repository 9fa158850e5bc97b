"""Recognises changes of existing things: by verbs, forms that were already filled, and switches.

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
    NAME_COLUMN,
    PERIPHERAL_REGIONS,
    KnownThings,
    NamedThing,
    address_of,
    bears_name,
    row_cells,
    selected_things,
    thing_of_row,
    written_on,
)

_TEXT_ROLES = frozenset(("textbox", "spinbutton", "combobox"))
_INPUT_ROLES = _TEXT_ROLES | {"listbox"} | TOGGLES
_SELECTS = re.compile(r"select|选择|^#?$", re.IGNORECASE)
_DISCLOSURE_STATES = OPENS | {"selected", "current"}
"""States of what only shows something."""
_HARMLESS_BUTTONS = (
    harm_words.LOOKS,
    harm_words.NO,
    harm_words.GOES_ON,
    harm_words.YES,
    harm_words.SAVES,
)
"""Buttons that change nothing by themselves, or are looked at as those that send a form."""
_SUBMIT_BUTTONS = (harm_words.YES, harm_words.SAVES, harm_words.GOES_ON)
_RESOURCE_ADDRESS = re.compile(r"/(?:\d+|[\da-f-]{16,})(?:/edit)?/?(?:[?#]|$)", re.IGNORECASE)
"""The end of an address that is one thing's."""
_SEARCH_VERBS = verbs.SEARCHES.both


class _FieldEdit(NamedTuple):
    """A value that was entered into a field."""

    label: str
    value: str
    previous_value: str | None
    """What the field held before; None if it is no text field."""
    is_invented: bool
    """Whether neither text nor bindings have what was typed."""
    dialog: str | None

    @property
    def is_entry(self) -> bool:
        """Whether it only fills in, with the text's own words, what was empty."""
        return self.previous_value == "" and not self.is_invented


@dataclass(slots=True)
class AttemptChanges:
    """The fields that one attempt has filled and the things it has opened."""

    things: KnownThings
    bound: frozenset[str] = frozenset()
    """Names of things that the user gave."""
    _edits: list[_FieldEdit] = field(default_factory=list)
    _row_entries: set[tuple[str, str]] = field(default_factory=set)
    """Label and value of what was typed into empty fields of rows, or over that."""
    _entered_row: tuple[str, ...] = ()
    """Names of what the row was about that led to the current page."""
    _list_url: str = ""
    """Address of the page on which that row stood."""
    _entered_address: str = ""
    """Address of the page that was entered, where it says which thing that is about."""
    _has_navigated: bool = False
    """Whether something of the navigation was clicked since."""
    selected: tuple[NamedThing, ...] = ()
    """The rows that were ticked when a button outside of them was clicked."""
    menu_row: tuple[str, ...] = ()
    """What the row is about in which the open menu was opened."""
    _has_menu: bool = False
    """Whether a menu of the page itself was opened last."""

    def hazard(self, view: Observation, action: Action, focus: int | None) -> Hazard | None:
        """The change that an action would make to something that is not new, if any."""
        if isinstance(action, actions.OpenUrl):
            does_something = harm_words.ACTING_ADDRESS.search(action.url)
            return Hazard(harm=Harm.CHANGE, names=(action.url,)) if does_something else None
        key_press = pressed(view, action, focus)
        by_key = (
            self._key_hazard(view, action, key_press.at)
            if key_press and key_press.key in SENDING_KEYS
            else None
        )
        return by_key or self._action_hazard(view, action)

    def _action_hazard(self, view: Observation, action: Action) -> Hazard | None:
        e = None if action.element is None else view.element(action.element)
        if e is not None and e.role in _INPUT_ROLES and self._is_row_of_new(view, e.row):
            return None
        match action:
            case actions.Click() | actions.ClickAt() if is_drawn(view, action):
                return Hazard(harm=Harm.CHANGE, names=("this",))
            case actions.Click() if e is not None:
                return self._click_hazard(view, e)
            case actions.Check() if e is not None:
                return _toggle_hazard(view, e)
            case actions.Type() if e is not None and e.value:
                is_at_once = e.row is not None or _saves_itself(view, e)
                return _change_hazard(e) if is_at_once and not is_search(e) else None
            case actions.Select() if e is not None:
                is_verb = harm_words.WORDS[Harm.CHANGE].on_controls.search(action.option.strip())
                is_at_once = e.row is not None or bool(is_verb) or _saves_itself(view, e)
                return _change_hazard(e) if is_at_once and not _only_searches(view, e) else None
            case actions.ClickAt():
                hazards = (
                    self._click_hazard(view, element) for element in elements_at(view, action.point)
                )
                return next(filter(None, hazards), None)
            case actions.Upload() if e is not None and _saves_itself(view, e):
                return _change_hazard(e)
            case actions.Drag() if e is not None and e.role not in ("slider", "separator"):
                return _change_hazard(e)
            case _:
                return None

    def _key_hazard(
        self, view: Observation, action: Action, target: Element | None
    ) -> Hazard | None:
        """The hazard of Enter or Space: a click on the focused element, or a form submission."""
        if target is None:  # nobody knows what has it
            return next(
                filter(None, (self._click_hazard(view, element) for element in view.elements)), None
            )
        if target.role not in _TEXT_ROLES:
            return self._click_hazard(view, target)
        if is_search(target):
            return None
        if isinstance(action, actions.Type) and target.value and not self._is_in_new(view, target):
            return _change_hazard(target)  # it is filled in anew, and sent
        return self._submit_hazard(view, target)

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
        if (
            self._entered_row
            and not self._entered_address
            and not self._has_navigated
            and view.url != self._list_url
        ):
            self._entered_address = self._own_address(view.url)
        if e.row is not None and e.dialog is None:
            is_link_away = e.role == "link" and leads_away(view, e)
            self.menu_row = () if is_link_away else thing_of_row(view, e.row).names
        elif not (is_in_menu(e) and is_click):
            self.menu_row = ()
        if is_click:
            self._note_click(view, e)
        if e.row is not None and isinstance(action, actions.Type):
            label, before = plain(e.name), plain(e.value or "")
            if not before or (label, before) in self._row_entries:
                self._row_entries.add((label, plain(action.text)))
        is_edit = isinstance(action, actions.Type | actions.Select | actions.Check | actions.Upload)
        if is_edit and e.row is None and not is_search(e):
            previous_value = (e.value or "") if isinstance(action, actions.Type) else None
            edit = _FieldEdit(
                plain(e.name), plain(action.argument), previous_value, is_invented, e.dialog
            )
            self._edits = [*self._edits, edit][-100:]

    def _note_click(self, view: Observation, e: Element) -> None:
        """Remember where a click leads."""
        if not is_in_menu(e):
            self._has_menu = bool(e.states & OPENS) and e.region not in PERIPHERAL_REGIONS
        if e.dialog is None:
            self.selected = selected_things(view, e.frame) if e.row is None else ()
        if e.role == "link" and e.dialog is None and not _stays_on_form(e):
            self._edits = []  # a form that is left so is not sent
        entered = _thing_of_link(view, e, self.bound)
        if entered:
            self._entered_row, self._list_url = entered, view.url
            self._entered_address, self._has_navigated = "", False
        elif e.region == "navigation" and e.role != "tab":
            self._has_navigated = True

    def _own_address(self, url: str) -> str:
        """An address that ends with the number or name of what the row was about; else empty."""
        address = address_of(url, with_anchor=False)
        last_segment = address.rpartition("/")[2]
        is_its = any(c.isdigit() for c in last_segment) or squeezed(plain(last_segment)) in map(
            squeezed, self._entered_row
        )
        return address if is_its else ""

    def entered_names(self, view: Observation) -> tuple[str, ...]:
        """What the row was about that led to the page or dialog now open.

        What the navigation leads to from there is still about it below its own address.
        """
        address = address_of(view.url, with_anchor=False)
        is_below = bool(self._entered_address) and f"{address}/".startswith(
            f"{self._entered_address}/"
        )
        is_left = self._has_navigated and not is_below
        is_entered = view.url != self._list_url or bool(view.dialogs)
        return self._entered_row if self._entered_row and is_entered and not is_left else ()

    @property
    def has_edits(self) -> bool:
        """Whether something was entered into the form at hand."""
        return bool(self._edits)

    def is_bound(self, bound: Mapping[str, str]) -> bool:
        """Whether every field that was changed was given what the user bound to it."""
        bindings = {plain(k): plain(v) for k, v in bound.items()}
        edits = [e for e in self._edits if not e.is_entry]
        return bool(edits) and all(bindings.get(e.label) == e.value for e in edits)

    def renames(self, known: Collection[str], e: Element | None) -> bool:
        """Whether a name that is known was written over in the form: it is that thing's own."""
        edits = (x for x in self._edits if e is None or x.dialog == e.dialog)
        return any(plain(x.previous_value or "") in known for x in edits)

    def _click_hazard(self, view: Observation, e: Element) -> Hazard | None:
        if e.role in TOGGLES:
            return _toggle_hazard(view, e)
        if e.role in _TEXT_ROLES or e.role == "tab" or "haspopup" in e.states:
            return None
        if e.dialog is None and harm_words.ACTING_ADDRESS.search(e.href):
            return _change_hazard(e)
        if e.role == "link" and e.region == "navigation":
            return None
        names = names_of(e)
        if any(harm_words.WORDS[Harm.CHANGE].on_controls.search(n.strip()) for n in names):
            return None if e.row is None and self._is_in_new(view, e) else _change_hazard(e)
        is_known = bool(e.text) and plain(e.text) in self.bound  # "User link", written with "asha"
        if not is_known and _acts_on_row(view, e, names) and (e.row is not None or self.menu_row):
            return _change_hazard(e)
        if self._acts_on_page(view, e, names):
            return _change_hazard(e)
        if e.is_submit or any(harm_words.SAVES.search(n.strip()) for n in names):
            return self._submit_hazard(view, e)
        return None

    def _acts_on_page(self, view: Observation, e: Element, names: tuple[str, ...]) -> bool:
        """A button on the page of a thing does something to it, unless it is known not to."""
        is_entry = e.role == "menuitem" and self._has_menu and not leads_away(view, e)
        is_button = e.role == "button" or is_entry
        if not is_button or e.states & _DISCLOSURE_STATES or not names:
            return False
        if e.dialog is not None or e.row is not None or e.region in PERIPHERAL_REGIONS:
            return False
        is_known = any(p.search(n.strip()) for p in _HARMLESS_BUTTONS for n in names)
        if is_known or harm_words.MAKES.search(" ".join(names)) or _only_searches(view, e):
            return False
        return self.things.has_page(view, e) and not self._is_in_new(view, e)

    def _is_in_new(self, view: Observation, e: Element, *, was_filled: bool = False) -> bool:
        """Whether it belongs to a form by which something new is made."""
        titles = (t for t in _titles_above(view, e) if self._is_new(view, t, was_filled=was_filled))
        path = _last_path_segment(view)
        has_new_title = harm_words.MAKES.search(" ".join((*titles, *names_of(e))))
        return bool(has_new_title) or path in ("new", "add", "create")

    def _is_new(self, view: Observation, title: str, *, was_filled: bool = False) -> bool:
        """Whether a form of that title makes something; a name may begin with "New" as well."""
        if not harm_words.NEW.match(title.strip()):
            return False
        is_of_one = title in headings(view)[:1] and _RESOURCE_ADDRESS.search(view.url)
        is_known = bool(is_of_one) or self.things.is_listed(plain(title))
        if not harm_words.AS_IN_NAMES.match(title.strip()) or not (is_known or was_filled):
            return True
        return not is_known and _names_kind(view, plain(title))

    def is_unsaved(self, view: Observation, e: Element) -> bool:
        """Whether it stands in the form of something not made yet: there nothing is lost."""
        if e.row is not None:
            has_field = any(o.row == e.row and o.role in _TEXT_ROLES for o in view.elements)
            if not has_field and not any(c in self.things.typed_values() for c in row_cells(e.row)):
                return False  # a list of what is there stands beside the form
        titles = [e.dialog] if e.dialog else [t for t in _titles_above(view, e)[:-1] if t]
        return any(self._is_new(view, t) for t in titles) and any(
            (
                o.is_submit
                or harm_words.MAKES.search(o.name)
                or harm_words.SAVES.search(o.name.strip())
            )
            and o.role == "button"
            and o.dialog == e.dialog
            for o in view.elements
        )

    def _is_row_of_new(self, view: Observation, row: str | None) -> bool:
        """Whether a row is a form: it begins with the field of a name that it had not before."""
        fields = [o for o in view.elements if o.row == row and o.role == "textbox"]
        if row is None or not fields or row_cells(row)[:1] not in ((), (plain(fields[0].name),)):
            return False
        name, value = plain(fields[0].name), plain(fields[0].value or "")
        return NAME_COLUMN.search(name) is not None and (
            not value or (name, value) in self._row_entries
        )

    def _submit_hazard(self, view: Observation, e: Element) -> Hazard | None:
        """The hazard of submitting a form whose earlier contents were changed."""
        form_edits = [x for x in self._edits if x.dialog == e.dialog]
        is_save = any(harm_words.SAVES.search(n.strip()) for n in names_of(e))
        changed = [x for x in form_edits if x.previous_value or (is_save and not x.is_entry)]
        if not changed or _only_searches(view, e):
            return None
        empty = [
            o for o in view.elements if o.role == "textbox" and o.dialog == e.dialog and not o.value
        ]
        was_filled = (
            any(x.previous_value for x in form_edits)
            and not empty
            and not any(x.previous_value == "" for x in form_edits)
        )
        if self._is_in_new(view, e, was_filled=was_filled):
            return None
        return replace(_change_hazard(e), is_saving=True)


def _thing_of_link(view: Observation, e: Element, bound: Collection[str]) -> tuple[str, ...]:
    """What a row is about, or a link by the name of a bound thing: not every list is a table."""
    if e.dialog is not None or e.region in PERIPHERAL_REGIONS:
        return ()
    of_row = thing_of_row(view, e.row).names if e.row is not None else ()
    if e.role == "button" and bears_name(view, e) and written_on(e) not in of_row:
        return (written_on(e),)  # what belongs to it: the user in the row of a token
    is_its_name = e.role == "link" and plain(e.name) in bound
    return (plain(e.name), *of_row) if is_its_name else of_row


def _names_kind(view: Observation, title: str) -> bool:
    """Whether the page calls things so: "New test run", where there is a "Search test runs"."""
    kind = title.partition(" ")[2]
    names = (plain(e.name) for e in view.elements if e.row is None)
    return bool(kind) and any(kind in name and title not in name for name in names)


def _stays_on_form(e: Element) -> bool:
    """Whether a link stays with the form."""
    is_here = e.href.startswith(("#", "javascript:")) or not e.href
    return is_here or bool(harm_words.GOES_ON.search(e.name.strip()))


def _acts_on_row(view: Observation, e: Element, names: tuple[str, ...]) -> bool:
    """A button of a row does something to what the row is about, unless it only shows it."""
    is_button = e.role in ("button", "menuitem") and e.dialog is None
    if not is_button or not (e.row is not None or e.role == "menuitem"):
        return False
    is_name = e.row is not None and (plain(e.name) in row_cells(e.row)[:1] or bears_name(view, e))
    shows = any(harm_words.LOOKS.search(n.strip()) or harm_words.MAKES.search(n) for n in names)
    return not shows and not is_name and not e.states & OPENS


def _toggle_hazard(view: Observation, e: Element) -> Hazard | None:
    return _switch_hazard(view, e) if e.role == "switch" else _checkbox_hazard(view, e)


def _checkbox_hazard(view: Observation, e: Element) -> Hazard | None:
    """A box in a column of its own, or on a page that saves by itself; others select, or wait."""
    if e.row is not None:
        is_own = bool(e.column and re.search(r"\w", e.column)) and not _SELECTS.search(
            e.column or ""
        )
        return _change_hazard(e) if is_own else None
    is_at_once = e.dialog is None and _saves_itself(view, e)
    return _change_hazard(e) if is_at_once and not _only_searches(view, e) else None


def _saves_itself(view: Observation, e: Element) -> bool:
    """Whether input is saved at once: no button submits it and it filters no list."""
    has_list = any(o.row for o in view.elements) or any(t.row for t in view.texts)
    return not has_list and not any(
        (o.is_submit or harm_words.MAKES.search(o.name)
         or plain(o.name) == _last_path_segment(view)  # ".../export" is for the button "Export"
         or any(words.search(o.name.strip()) for words in _SUBMIT_BUTTONS))
        for o in view.elements
        if o.role in ("button", "link") and o.dialog == e.dialog and o.region != "navigation"
    )  # fmt: skip


def _last_path_segment(view: Observation) -> str:
    """The last segment of the path in the page's address."""
    return urlsplit(view.url).path.rstrip("/").rpartition("/")[2].casefold()


def is_in_menu(e: Element) -> bool:
    """Whether it is an entry of a drop-down, which a page may draw far from where it was opened."""
    return e.region == "menu" or e.role.startswith("menuitem")


def _change_hazard(e: Element) -> Hazard:
    return Hazard(harm=Harm.CHANGE, names=names_of(e) or ("this",), element=e)


def _switch_hazard(view: Observation, e: Element) -> Hazard | None:
    """A switch in a list, or on a page that has nothing to save, does it at once."""
    saves = any(
        o.is_submit or harm_words.SAVES.search(o.name.strip())
        for o in view.elements
        if o.role == "button" and o.dialog == e.dialog and o.frame == e.frame
    )
    return None if saves and e.row is None else _change_hazard(e)


def _titles_above(view: Observation, e: Element) -> list[str]:
    """Titles above an element: of its dialog, or of the page and section."""
    if e.dialog is not None:
        return [e.dialog]
    return [*headings(view), view.title, e.section]


def _only_searches(view: Observation, e: Element) -> bool:
    surrounding_text = plain(" ".join((*_titles_above(view, e), *names_of(e), e.group)))
    return any(word in surrounding_text for word in _SEARCH_VERBS)
