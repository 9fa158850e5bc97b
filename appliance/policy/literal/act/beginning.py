"""Going to where a text begins that does not say it, as a reader would: through the navigation.

What is opened on the way changes nothing: links, tabs, menus, things in lists. What promises most
by its name is opened first. What was walked stands in the trajectory, and is no finding.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urljoin

from appliance.core import actions
from appliance.core.page import Element
from appliance.core.verdict import StepStatus
from appliance.language import nouns
from appliance.language.names import is_telling, same
from appliance.policy.literal.act import unnamed
from appliance.policy.literal.act.choices import switch_of
from appliance.policy.literal.act.doors import (
    ALMOST_BOUND,
    BOUND,
    MENU,
    NAMED,
    Door,
    Stand,
    key_of,
    promise_of,
)
from appliance.policy.literal.act.guessing import wait_for_list
from appliance.policy.literal.act.searching import only_doer
from appliance.policy.literal.act.tooltips import open_by_hovering, read_tooltips
from appliance.policy.literal.match.grounding import (
    FRAME,
    NAV_NOUNS,
    card_of,
    closed_menus,
    has_address,
    in_row,
    is_enabled,
    is_page_of,
    leads_to,
    match_clickable,
    match_nearly,
)
from appliance.policy.literal.match.grounding import match_field as field_of
from appliance.policy.literal.read.beginning import Beginning, beginning_of
from appliance.policy.literal.read.intents import Gesture, Intent, IntentKind
from appliance.policy.literal.session import Script, ScriptOf, Session, titles

K = IntentKind
_MAX_ACTIONS = 24
"""Actions in the search for one beginning."""
_TOP_PX = 120
"""CSS pixels from the top of the window: the texts above name the part of the console."""
_MIN_PROMISE = 0.15
"""Doors that promise less are not opened."""


_LIKELY = 0.5
"""A page behind such a door is given time to show its list."""


class _Fit(NamedTuple):
    """How well a page fits what the text begins with; the larger the better."""

    has_control: bool
    innermost: int
    """1 where it is, by its title or by the way to it, the place that the text says; 2 where it is
    a part of that which is called as the text's section is."""
    named_places: int
    """Places that the text names, and that this is in."""
    bound_things: int
    """Bound things that this is in."""
    likeness: float


@dataclass(slots=True)
class _Walk:
    """The state of the search for the page where the text begins."""

    s: Session
    intent: Intent
    beginning: Beginning
    stand: Stand
    doors: list[Door] = field(default_factory=list)
    seen_keys: set[tuple[str, ...]] = field(default_factory=set)
    fits: dict[Stand, _Fit] = field(default_factory=dict)
    actions_left: int = _MAX_ACTIONS

    def survey(self) -> _Fit:
        """Rate the current page and remember the doors on it."""
        fit = self._fit()
        self.fits.setdefault(self.stand, fit)
        for door in self._doors_here():
            key = key_of(door.element, self.stand.address)
            if key not in self.seen_keys:
                self.seen_keys.add(key)
                self.doors.append(door)
        return fit

    def _fit(self) -> _Fit:
        view, path_names = self.s.view, list(self.stand.names)
        current = [e.name for e in view.elements if {"current", "selected"} & e.states]
        top_texts = [t.text for t in view.texts if t.row is None and 0 <= t.box.y < _TOP_PX]
        all_names = [*path_names, *titles(view), *current, *top_texts]
        heading_names = [*path_names[-2:], *titles(view), *current]
        own_names = [*(() if self._is_choice() else path_names[-1:]), *titles(view), *current]
        return _Fit(
            has_control=_begins_here(self.s, self.intent),
            innermost=self._innermost(own_names, all_names),
            named_places=sum(any(same(p, n) for n in all_names) for p in self.beginning.places),
            bound_things=sum(any(same(v, n) for n in all_names) for v in self._bound_values),
            likeness=max((self.beginning.likeness(n) for n in heading_names), default=0.0),
        )

    def _is_choice(self) -> bool:
        """Whether a menu is open that only leads on, and the text asks for nothing in it."""
        is_menu = bool(self.stand.opened) and self.stand.opened[-1].role != "tab"
        return is_menu and self.s.is_menu_open and not self.intent.place.in_menu

    def _innermost(self, own_names: list[str], all_names: list[str]) -> int:
        is_in = any(same(self.beginning.innermost, n) for n in all_names)
        sections = (t for t in self.beginning.sections if not same(t, self.beginning.innermost))
        if is_in and any(same(t, n) for t in sections for n in own_names):
            return 2
        return int(any(same(self.beginning.innermost, n) for n in own_names))

    @property
    def _bound_values(self) -> list[str]:
        """Values of the things that the text is about."""
        values = self.s.task.bindings.values()
        return [value for value in values if value and value != self.s.task.unique]

    def is_of_things(self, fit: _Fit) -> bool:
        """Whether the page is about all bound things, and is the place that the text names."""
        is_placed = bool(fit.named_places) or not self.beginning.places
        return is_placed and bool(fit.bound_things) and fit.bound_things == len(self._bound_values)

    def is_there(self, fit: _Fit) -> bool:
        """Whether no other page can fit better."""
        is_bound = self.is_of_things(fit)
        if is_bound and self.intent.place.in_menu:
            return True  # the menu shows its entries only when it is opened
        if not fit.has_control or (not fit.bound_things and self._is_of_thing_elsewhere()):
            return False
        if self.intent.gesture is Gesture.HOVER:
            return True  # hovering means the row: the thing's own page is no better
        if is_bound:
            return True  # it is about the very things; the places on the way may have other names
        if self.beginning.places:
            return fit.named_places == len(self.beginning.places)
        label = self.intent.label
        if label is not None and len(label.text.split()) > 1 and is_telling(label.text):
            return True  # hardly anything else is called so
        is_first = not self.stand.names  # the page after the log-in is as good as any
        return is_first or fit.likeness >= NAMED

    def _is_of_thing_elsewhere(self) -> bool:
        """Whether a bound thing has its own page, and the text does not speak of its row."""
        is_row = self.intent.kind in (K.PICK, K.FOLLOW) or bool(self.intent.place.row)
        leads = any(d.promise >= ALMOST_BOUND for d in self.doors)
        return leads and not is_row and not self._is_to_be_entered()

    def _is_to_be_entered(self) -> bool:
        """Whether the text has a bound value typed or chosen: then it names no page to go to."""
        fields = [i.label or i.place.field for i in self.s.plan if i.kind in _ENTERING]
        return any(label is not None and self.s.values.bound_to(label.text) for label in fields)

    def _doors_here(self) -> Iterator[Door]:
        lists = set[tuple[str, ...]]()
        for e in self.s.view.elements:
            promise = promise_of(self.s, self.beginning, e)
            if promise < _MIN_PROMISE:
                continue
            if e.row is not None and promise < _LIKELY:
                # one thing of a list is as good as another
                kind = (e.column or "", e.section, e.region)
                if kind in lists:
                    continue
                lists.add(kind)
            yield Door(e, self.stand, promise)


_PAGES = NAV_NOUNS | nouns.PLACES.both
"""Nouns for what entries of the frame lead to."""


def _begins_here(s: Session, intent: Intent) -> bool:
    """Whether the first instruction can be carried out on this page."""
    key = s.values.row_key(intent.place.row or intent.thing) or intent.place.row
    has_row = bool(key) and any(in_row(e, key) for e in s.view.elements)
    label = intent.label or intent.place.field
    match intent.kind:
        case K.OPEN if label is not None and intent.noun not in ("path", "place"):
            is_icon = intent.noun in nouns.ICONS.both
            if intent.place.row and has_row:
                match = match_clickable(s.view, label.text, noun=intent.noun, row=key)
                # an icon may bear the row's name as well
                is_there = match is not None or only_doer(s, label, key) is not None
                return is_there or is_icon or bool(closed_menus(s.view, row=key))
            if is_icon and key:
                return False  # other pages have the same icon
            match = match_clickable(s.view, label.text, noun=intent.noun)
            is_entry = match is not None and match.element.region in FRAME
            # a greyed-out control may be meant on another page, where it is usable
            is_dead = match is not None and (
                "covered" in match.element.states or not is_enabled(match.element)
            )
            return match is not None and not is_dead and (intent.noun in _PAGES or not is_entry)
        case K.OPEN if label is not None:
            near_match = match_nearly(s.view, label.text, intent.noun)
            return (
                match_clickable(s.view, label.text, noun=intent.noun) is not None
                or near_match is not None
            )
        case K.OPEN_MENU:
            return bool(closed_menus(s.view, row=key))
        case K.PICK | K.FOLLOW:
            is_open = intent.kind is K.FOLLOW and bool(key) and is_page_of(s.view, key)
            match = match_clickable(s.view, key) if key else None
            is_shown = match is not None and match.element.role != "menuitem"
            if intent.gesture is Gesture.HOVER:
                return has_row
            is_led_to = any(leads_to(e, key) for e in s.view.elements)
            return has_row or is_open or is_shown or is_led_to or card_of(s.view, key) is not None
        case _ if label is not None:
            match = field_of(s.view, label.text)
            return match is not None and match.how.is_strict
        case _:
            return _has_unnamed(s, intent)


def _has_unnamed(s: Session, intent: Intent) -> bool:
    """Whether something here does what the text asks for without naming a control."""
    if intent.kind in (K.TICK, K.UNTICK):
        return switch_of(s, intent) is not None
    return intent.kind is K.UNCLEAR and unnamed.find_doer(s, intent.thing) is not None


def _wait_for_likely_list(walk: _Walk) -> Script:
    """Wait a little for the list of a page that is likely the one meant."""
    s, view = walk.s, walk.s.view
    is_menu = bool(view.dialogs) or any(e.region == "menu" for e in view.elements)
    if not is_menu:
        yield from wait_for_list(s, lambda: _begins_here(s, walk.intent))


_ENTERING = frozenset({K.FILL, K.CHOOSE, K.FIELD, K.UPLOAD})
_LOCATING = frozenset(
    {K.OPEN, K.OPEN_MENU, K.PICK, K.FOLLOW, K.FILL, K.CHOOSE, K.TICK, K.UNTICK, K.FIELD, K.UPLOAD,
     K.VISIT}
)  # fmt: skip


def _is_locating(intent: Intent) -> bool:
    """Whether only some pages have what it asks for."""
    makes = intent.kind is K.UNCLEAR and unnamed.makes_something(intent.thing)
    return makes or intent.kind in _LOCATING


def go_to_beginning(s: Session, plan: tuple[Intent, ...]) -> ScriptOf[bool]:
    """Go to the page where the text begins; stay where no page is likelier.

    Returns:
        Whether the text can be followed from here: else several pages fit equally well.
    """
    beginning = beginning_of(s.task.procedure)
    if beginning.address:
        yield from s.act(actions.OpenUrl(urljoin(s.view.url, beginning.address)), "begin there")
        s.confirm_place()
        return True
    intent = next((i for i in plan if _is_locating(i) and not i.is_optional), None)
    if intent is None or intent.kind is K.VISIT:
        return True
    walk = _Walk(s, intent, beginning, Stand(_address(s), title=" ".join(titles(s.view))))
    s.is_searching = True
    yield from _look_around(walk)
    s.is_searching = False
    if rivals := _rivals(walk):
        either, another = (_path(stand) or stand.address for stand in rivals)
        s.report(
            StepStatus.UNREACHED,
            f"the text does not say where it begins: under {either}, or under {another}?"
            f" The checks can say it, as `start: {either}`",
        )
        return False
    yield from _settle_on_best(walk)
    return True


def _look_around(walk: _Walk) -> Script:
    """Open the most promising door until no page can fit better."""
    fit = walk.survey()
    walk.doors.extend(_known_pages(walk))
    while not walk.is_there(fit):
        links = [e for e in walk.s.view.elements if e.region in FRAME and e.role == "link"]
        if any(e.is_wordless for e in links):
            yield from read_tooltips(walk.s, links)
            fit = walk.survey()
            if walk.is_there(fit):
                break
        door = _take_best_door(walk)
        if door is None or walk.actions_left <= 0:
            break
        if (yield from _open_door(walk, door)):
            yield from _wait_for_likely_list(walk) if door.promise >= _LIKELY else ()
            fit = walk.survey()


def _known_pages(walk: _Walk) -> Iterator[Door]:
    """Doors to pages on which earlier attempts saw what the text names first."""
    label = walk.intent.label or walk.intent.place.field
    for address, names in walk.s.task.pages.items():
        if label is not None and label.text.lower() in names:
            at = Element(id=0, role="link", name=address)
            promise = BOUND + 0.1 * len(names)
            yield Door(at, Stand(address), promise, urljoin(walk.s.view.url, address))


def _rivals(walk: _Walk) -> tuple[Stand, Stand] | None:
    """Two pages that fit equally well and better than all others."""
    ranked = sorted(walk.fits.items(), key=lambda page_and_fit: page_and_fit[1], reverse=True)
    if len(ranked) < 2 or not ranked[0][1].has_control or ranked[0][1] != ranked[1][1]:
        return None
    first, second = ranked[0][0], ranked[1][0]
    return None if first.title == second.title else (first, second)


def _path(stand: Stand) -> str:
    return " > ".join(name for name in stand.names if not MENU.search(name))


def _take_best_door(walk: _Walk) -> Door | None:
    """The most promising door, removed from the list; None where a fitting page is known."""
    doors = sorted(
        walk.doors, key=lambda d: (-d.promise, d.at.address != walk.stand.address, d.element.box.y)
    )
    pages_of_things = {stand for stand, fit in walk.fits.items() if walk.is_of_things(fit)}
    if pages_of_things:  # the text begins within the thing, unless it names another place
        doors = [d for d in doors if d.promise >= NAMED or d.at in pages_of_things]
    is_found = any(
        _is_likely(walk, fit) or _is_named_place(walk, fit) for fit in walk.fits.values()
    )
    if not doors or (is_found and doors[0].promise < NAMED):
        return None
    walk.doors.remove(doors[0])
    return doors[0]


def _is_likely(walk: _Walk, fit: _Fit) -> bool:
    """Whether the words of the text point to that page."""
    is_place = bool(fit.innermost) or fit.named_places == len(walk.beginning.places)
    return fit.has_control and (is_place if walk.beginning.places else fit.likeness > 0)


def _is_named_place(walk: _Walk, fit: _Fit) -> bool:
    """Whether it is exactly the place that the text names, whatever is on it."""
    return bool(fit.innermost) and fit.named_places == len(walk.beginning.places)


def _open_door(walk: _Walk, door: Door) -> ScriptOf[bool]:
    """Open it; whether that led anywhere."""
    s, e = walk.s, door.element
    if door.address:
        yield from _open_address(walk, door.address, e.name)
        title = next(iter(titles(s.view)), e.name)
        walk.stand = Stand(_address(s), (), (title,), " ".join(titles(s.view)))
        return True
    current = _find_again(s, e)
    if (current is None or "covered" in current.states) and has_address(e):
        yield from _open_address(walk, e.href, e.name)
    else:
        if current is None or "covered" in current.states:
            if not (yield from _return_to(walk, door.at)):
                return False
            current = _find_again(s, e)
        if current is None:
            return False
        walk.actions_left -= 1
        result = yield from s.click(
            current, f'look for where the text begins: open "{_spoken_name(current)}"'
        )
        if not result.ok:
            return False
        yield from open_by_hovering(s, current)
    names = (*door.at.names, e.name.strip()) if e.name.strip() else door.at.names
    is_same = _address(s) == door.at.address
    opened = (*door.at.opened, e) if is_same else ()
    walk.stand = Stand(_address(s), opened, names, " ".join(titles(s.view)))
    return True


def _open_address(walk: _Walk, address: str, name: str) -> Script:
    walk.actions_left -= 1
    thought = f'look for where the text begins: open "{name}"'
    yield from walk.s.act(actions.OpenUrl(address), thought)


def _return_to(walk: _Walk, stand: Stand) -> ScriptOf[bool]:
    """Go back to a page, and open again what was open on it."""
    s = walk.s
    if _address(s) != stand.address:
        yield from _open_address(
            walk, stand.address, stand.names[-1] if stand.names else stand.address
        )
    elif any("covered" in e.states for e in s.view.elements):
        walk.actions_left -= 1
        yield from s.press("Escape", thought="close what lies over the page")
    for e in stand.opened:
        current = _find_again(s, e)
        if current is None or "expanded" in current.states:
            continue
        walk.actions_left -= 1
        result = yield from s.click(current, f'open "{_spoken_name(current)}" again')
        if not result.ok:
            return False
    return _address(s) == stand.address


def _address(s: Session) -> str:
    return s.view.url.removesuffix("#")


def _find_again(s: Session, e: Element) -> Element | None:
    """The same control on the page as it is now."""
    alike = [
        o
        for o in s.view.elements
        if (o.role, o.name, o.row, o.href, o.section) == (e.role, e.name, e.row, e.href, e.section)
    ]
    return next((o for o in alike if o.id == e.id), alike[0] if alike else None)


def _spoken_name(e: Element) -> str:
    return e.name.strip() or e.description or "the menu"


def _settle_on_best(walk: _Walk) -> Script:
    """Go back to the page that fits best, and report where it is."""
    s = walk.s
    best = max(walk.fits, key=lambda stand: walk.fits[stand])
    fit = walk.fits[best]
    if not fit.has_control and not (fit.named_places or fit.bound_things):
        best = next(iter(walk.fits))  # no page is likelier than the one after the log-in
    if best != walk.stand and not (yield from _return_to(walk, best)):
        return
    if any("covered" in e.states and e.region != "banner" for e in s.view.elements) and best.opened:
        yield from s.press("Escape", thought="close what lies over the page")
    label = walk.intent.label
    is_telling_there = fit.has_control and label is not None and is_telling(label.text)
    is_near = not walk.beginning.places or fit.named_places > 0
    is_sure = _is_named_place(walk, fit) or _is_likely(walk, fit) or (is_telling_there and is_near)
    s.is_about_bound_things = walk.is_of_things(fit)
    if _path(best) and is_sure:
        remark = "" if walk.beginning.places else "the text does not say where; "
        s.report(StepStatus.AS_WRITTEN, f"{remark}found under {_path(best)}", is_seen=False)
    if is_sure:
        s.confirm_place()
