"""Going to where a text begins that does not say it, as a reader would: through the navigation.

What is opened on the way changes nothing: links, tabs, menus, things in lists. What promises most
by its name is opened first. What was walked stands in the trajectory, and is no finding.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urljoin

from appliance.core import actions
from appliance.core.page import Element
from appliance.core.verdict import StepStatus
from appliance.language import nouns
from appliance.language.names import is_telling, same
from appliance.policy.base import Decision
from appliance.policy.literal.act import unnamed
from appliance.policy.literal.act.choices import Did, switch_of
from appliance.policy.literal.act.doors import (
    ALMOST_BOUND,
    BOUND,
    MENU,
    SAID,
    Door,
    Stand,
    key_of,
    promise_of,
)
from appliance.policy.literal.act.guessing import until_listed
from appliance.policy.literal.act.searching import only_doer
from appliance.policy.literal.act.tooltips import open_by_resting, read_tooltips
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
from appliance.policy.literal.session import Script, Session, titles

K = IntentKind
_ACTIONS = 24
"""So much is done in search of one beginning, at most."""
_TOP = 120
"""CSS pixels from the top of the window: there a console says which part of it this is."""
_WORTH = 0.15
"""What promises less is not opened."""


_LIKELY = 0.5
"""What promises so much is looked at twice where it shows nothing yet."""


class _Fit(NamedTuple):
    """How well a page fits what the text begins with; the larger the better."""

    has_control: bool
    innermost: int
    """1 where it is, by its title or by the way to it, the place that the text says; 2 where it is
    a part of that which is called as the text's section is."""
    said: int
    """Places that the text names, and that this is in."""
    bound: int
    """Bound things that this is in."""
    likeness: float


@dataclass(slots=True)
class _Walk:
    """What was seen so far."""

    s: Session
    intent: Intent
    about: Beginning
    stand: Stand
    doors: list[Door] = field(default_factory=list)
    known: set[tuple[str, ...]] = field(default_factory=set)
    found: dict[Stand, _Fit] = field(default_factory=dict)
    left: int = _ACTIONS

    def look(self) -> _Fit:
        """Take in the page, and what leads on from it."""
        fit = self._fit()
        self.found.setdefault(self.stand, fit)
        for door in self._doors_here():
            key = key_of(door.element, self.stand.address)
            if key not in self.known:
                self.known.add(key)
                self.doors.append(door)
        return fit

    def _fit(self) -> _Fit:
        view, names = self.s.view, list(self.stand.names)
        current = [e.name for e in view.elements if {"current", "selected"} & e.states]
        plates = [t.text for t in view.texts if t.row is None and 0 <= t.box.y < _TOP]
        shown = [*names, *titles(view), *current, *plates]
        heads = [*names[-2:], *titles(view), *current]
        own = [*(() if self._is_choice() else names[-1:]), *titles(view), *current]
        return _Fit(
            has_control=_begins_here(self.s, self.intent),
            innermost=self._innermost(own, shown),
            said=sum(any(same(p, n) for n in shown) for p in self.about.places),
            bound=sum(any(same(v, n) for n in shown) for v in self._given),
            likeness=max((self.about.likeness(n) for n in heads), default=0.0),
        )

    def _is_choice(self) -> bool:
        """Whether what was opened is a menu that leads on, and the text asks for nothing in it."""
        is_menu = bool(self.stand.opened) and self.stand.opened[-1].role != "tab"
        return is_menu and self.s.is_menu_open and not self.intent.place.in_menu

    def _innermost(self, own: list[str], shown: list[str]) -> int:
        is_in = any(same(self.about.innermost, n) for n in shown)
        sections = (t for t in self.about.sections if not same(t, self.about.innermost))
        if is_in and any(same(t, n) for t in sections for n in own):
            return 2
        return int(any(same(self.about.innermost, n) for n in own))

    @property
    def _given(self) -> list[str]:
        """What things the text is about, as bound."""
        values = self.s.task.bindings.values()
        return [value for value in values if value and value != self.s.task.unique]

    def is_of_things(self, fit: _Fit) -> bool:
        """Whether the page is about all that is bound, where the text says that it is done."""
        is_placed = bool(fit.said) or not self.about.places
        return is_placed and bool(fit.bound) and fit.bound == len(self._given)

    def is_there(self, fit: _Fit) -> bool:
        """Whether nothing better can come."""
        is_bound = self.is_of_things(fit)
        if is_bound and self.intent.place.in_menu:
            return True  # what is in a menu shows only when that is opened
        if not fit.has_control or (not fit.bound and self._is_of_thing_elsewhere()):
            return False
        if self.intent.gesture is Gesture.HOVER:
            return True  # over a row: the thing's own page is no better
        if is_bound:
            return True  # of the very things; a place on the way may be called otherwise by now
        if self.about.places:
            return fit.said == len(self.about.places)
        label = self.intent.label
        if label is not None and len(label.text.split()) > 1 and is_telling(label.text):
            return True  # hardly anything else is called so
        is_first = not self.stand.names  # where the log-in leads is as good as any
        return is_first or fit.likeness >= SAID

    def _is_of_thing_elsewhere(self) -> bool:
        """Whether a bound thing has a page of its own, and the text does not speak of its row."""
        is_row = self.intent.kind in (K.PICK, K.FOLLOW) or bool(self.intent.place.row)
        leads = any(d.promise >= ALMOST_BOUND for d in self.doors)
        return leads and not is_row and not self._is_to_be_entered()

    def _is_to_be_entered(self) -> bool:
        """Whether the text has what is bound typed or chosen: then it is no page to go to."""
        fields = [i.label or i.place.field for i in self.s.plan if i.kind in _ENTERS]
        return any(label is not None and self.s.values.bound(label.text) for label in fields)

    def _doors_here(self) -> Iterator[Door]:
        lists = set[tuple[str, ...]]()
        for e in self.s.view.elements:
            promise = promise_of(self.s, self.about, e)
            if promise < _WORTH:
                continue
            if e.row is not None and promise < _LIKELY:
                # one thing of a list is as good as another
                kind = (e.column or "", e.section, e.region)
                if kind in lists:
                    continue
                lists.add(kind)
            yield Door(e, self.stand, promise)


_PAGES = NAV_NOUNS | nouns.PLACES.both
"""What entries of the frame lead to."""


def _begins_here(s: Session, intent: Intent) -> bool:
    """Whether what the text asks for first can be done on this page."""
    key = s.values.row(intent.place.row or intent.thing) or intent.place.row
    has_row = bool(key) and any(in_row(e, key) for e in s.view.elements)
    label = intent.label or intent.place.field
    match intent.kind:
        case K.OPEN if label is not None and intent.noun not in ("path", "place"):
            is_icon = intent.noun in nouns.ICONS.both
            if intent.place.row and has_row:
                found = match_clickable(s.view, label.text, noun=intent.noun, row=key)
                # an icon may bear the row's name as well
                is_there = found is not None or only_doer(s, label, key) is not None
                return is_there or is_icon or bool(closed_menus(s.view, row=key))
            if is_icon and key:
                return False  # there are others like it on other pages
            found = match_clickable(s.view, label.text, noun=intent.noun)
            is_entry = found is not None and found.element.region in FRAME
            # greyed out, it may be meant elsewhere, where something is chosen already
            is_dead = found is not None and (
                "covered" in found.element.states or not is_enabled(found.element)
            )
            return found is not None and not is_dead and (intent.noun in _PAGES or not is_entry)
        case K.OPEN if label is not None:
            near = match_nearly(s.view, label.text, intent.noun)
            return (
                match_clickable(s.view, label.text, noun=intent.noun) is not None
                or near is not None
            )
        case K.OPEN_MENU:
            return bool(closed_menus(s.view, row=key))
        case K.PICK | K.FOLLOW:
            is_open = intent.kind is K.FOLLOW and bool(key) and is_page_of(s.view, key)
            named = match_clickable(s.view, key) if key else None
            is_shown = named is not None and named.element.role != "menuitem"
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
    return intent.kind is K.UNCLEAR and unnamed.doer(s, intent.thing) is not None


def _until_listed(walk: _Walk) -> Script:
    """Wait a little for the list of a page that is likely meant."""
    s, view = walk.s, walk.s.view
    is_menu = bool(view.dialogs) or any(e.region == "menu" for e in view.elements)
    if not is_menu:
        yield from until_listed(s, lambda: _begins_here(s, walk.intent))


_ENTERS = frozenset({K.FILL, K.CHOOSE, K.FIELD, K.UPLOAD})
_TELLING = frozenset(
    {K.OPEN, K.OPEN_MENU, K.PICK, K.FOLLOW, K.FILL, K.CHOOSE, K.TICK, K.UNTICK, K.FIELD, K.UPLOAD,
     K.VISIT}
)  # fmt: skip


def _tells(intent: Intent) -> bool:
    """Whether only some pages have what it asks for."""
    makes = intent.kind is K.UNCLEAR and unnamed.makes_something(intent.thing)
    return makes or intent.kind in _TELLING


def go_to_beginning(s: Session, plan: tuple[Intent, ...]) -> Did:
    """Go where the text begins, unless this page is it; stay where nothing is likelier.

    Returns:
        Whether the text can be followed from here: else several pages fit equally well.
    """
    about = beginning_of(s.task.procedure)
    if about.address:
        yield from s.act(actions.OpenUrl(urljoin(s.view.url, about.address)), "begin there")
        s.found()
        return True
    intent = next((i for i in plan if _tells(i) and not i.is_optional), None)
    if intent is None or intent.kind is K.VISIT:
        return True
    walk = _Walk(s, intent, about, Stand(_address(s), title=" ".join(titles(s.view))))
    s.is_searching = True
    yield from _look_around(walk)
    s.is_searching = False
    if rivals := _rivals(walk):
        either, other = (_path(stand) or stand.address for stand in rivals)
        s.report(
            StepStatus.UNREACHED,
            f"the text does not say where it begins: under {either}, or under {other}?"
            f" The checks can say it, as `start: {either}`",
        )
        return False
    yield from _settle(walk)
    return True


def _look_around(walk: _Walk) -> Script:
    """Open what promises most until nothing better can come."""
    fit = walk.look()
    walk.doors.extend(_known_pages(walk))
    while not walk.is_there(fit):
        links = [e for e in walk.s.view.elements if e.region in FRAME and e.role == "link"]
        if any(e.is_wordless for e in links):
            yield from read_tooltips(walk.s, links)
            fit = walk.look()
            if walk.is_there(fit):
                break
        door = _best(walk)
        if door is None or walk.left <= 0:
            break
        if (yield from _through(walk, door)):
            yield from _until_listed(walk) if door.promise >= _LIKELY else ()
            fit = walk.look()


def _known_pages(walk: _Walk) -> Iterator[Door]:
    """Pages that earlier attempts saw what the text asks for first on."""
    label = walk.intent.label or walk.intent.place.field
    for address, names in walk.s.task.pages.items():
        if label is not None and label.text.lower() in names:
            at = Element(id=0, role="link", name=address)
            promise = BOUND + 0.1 * len(names)
            yield Door(at, Stand(address), promise, urljoin(walk.s.view.url, address))


def _rivals(walk: _Walk) -> tuple[Stand, Stand] | None:
    """Two pages that fit, and none of them better."""
    ranked = sorted(walk.found.items(), key=lambda one: one[1], reverse=True)
    if len(ranked) < 2 or not ranked[0][1].has_control or ranked[0][1] != ranked[1][1]:
        return None
    first, second = ranked[0][0], ranked[1][0]
    return None if first.title == second.title else (first, second)


def _path(stand: Stand) -> str:
    return " > ".join(name for name in stand.names if not MENU.search(name))


def _best(walk: _Walk) -> Door | None:
    """What promises most, the one on this page first; none where a fitting page is known."""
    doors = sorted(
        walk.doors, key=lambda d: (-d.promise, d.at.address != walk.stand.address, d.element.box.y)
    )
    own = {stand for stand, fit in walk.found.items() if walk.is_of_things(fit)}
    if own:  # it is somewhere in the thing, unless the text says elsewhere
        doors = [d for d in doors if d.promise >= SAID or d.at in own]
    is_found = any(_is_likely(walk, fit) or _is_said(walk, fit) for fit in walk.found.values())
    if not doors or (is_found and doors[0].promise < SAID):
        return None
    walk.doors.remove(doors[0])
    return doors[0]


def _is_likely(walk: _Walk, fit: _Fit) -> bool:
    """Whether the text means that page, as far as its words tell."""
    is_place = bool(fit.innermost) or fit.said == len(walk.about.places)
    return fit.has_control and (is_place if walk.about.places else fit.likeness > 0)


def _is_said(walk: _Walk, fit: _Fit) -> bool:
    """Whether it is the very place that the text says, whatever is on it."""
    return bool(fit.innermost) and fit.said == len(walk.about.places)


def _through(walk: _Walk, door: Door) -> Generator[Decision, None, bool]:
    """Open it; whether that led anywhere."""
    s, e = walk.s, door.element
    if door.address:
        yield from _open(walk, door.address, e.name)
        title = next(iter(titles(s.view)), e.name)
        walk.stand = Stand(_address(s), (), (title,), " ".join(titles(s.view)))
        return True
    now = _again(s, e)
    if (now is None or "covered" in now.states) and has_address(e):
        yield from _open(walk, e.href, e.name)
    else:
        if now is None or "covered" in now.states:
            if not (yield from _return(walk, door.at)):
                return False
            now = _again(s, e)
        if now is None:
            return False
        walk.left -= 1
        done = yield from s.click(now, f'look for where the text begins: open "{_called(now)}"')
        if not done.ok:
            return False
        yield from open_by_resting(s, now)
    names = (*door.at.names, e.name.strip()) if e.name.strip() else door.at.names
    is_same = _address(s) == door.at.address
    opened = (*door.at.opened, e) if is_same else ()
    walk.stand = Stand(_address(s), opened, names, " ".join(titles(s.view)))
    return True


def _open(walk: _Walk, address: str, name: str) -> Script:
    walk.left -= 1
    thought = f'look for where the text begins: open "{name}"'
    yield from walk.s.act(actions.OpenUrl(address), thought)


def _return(walk: _Walk, stand: Stand) -> Generator[Decision, None, bool]:
    """Come to a page again, and to what was open on it."""
    s = walk.s
    if _address(s) != stand.address:
        yield from _open(walk, stand.address, stand.names[-1] if stand.names else stand.address)
    elif any("covered" in e.states for e in s.view.elements):
        walk.left -= 1
        yield from s.press("Escape", thought="close what lies over the page")
    for e in stand.opened:
        now = _again(s, e)
        if now is None or "expanded" in now.states:
            continue
        walk.left -= 1
        done = yield from s.click(now, f'open "{_called(now)}" again')
        if not done.ok:
            return False
    return _address(s) == stand.address


def _address(s: Session) -> str:
    return s.view.url.removesuffix("#")


def _again(s: Session, e: Element) -> Element | None:
    """The same thing on the page as it is now."""
    like = [
        o
        for o in s.view.elements
        if (o.role, o.name, o.row, o.href, o.section) == (e.role, e.name, e.row, e.href, e.section)
    ]
    return next((o for o in like if o.id == e.id), like[0] if like else None)


def _called(e: Element) -> str:
    return e.name.strip() or e.description or "the menu"


def _settle(walk: _Walk) -> Script:
    """Go back to the page that fits best, and say where that is."""
    s = walk.s
    best = max(walk.found, key=lambda stand: walk.found[stand])
    fit = walk.found[best]
    if not fit.has_control and not (fit.said or fit.bound):
        best = next(iter(walk.found))  # nothing is likelier than where the log-in led
    if best != walk.stand and not (yield from _return(walk, best)):
        return
    if any("covered" in e.states and e.region != "banner" for e in s.view.elements) and best.opened:
        yield from s.press("Escape", thought="close what lies over the page")
    label = walk.intent.label
    is_telling_there = fit.has_control and label is not None and is_telling(label.text)
    is_near = not walk.about.places or fit.said > 0
    is_sure = _is_said(walk, fit) or _is_likely(walk, fit) or (is_telling_there and is_near)
    s.is_of_things = walk.is_of_things(fit)
    if _path(best) and is_sure:
        said = "" if walk.about.places else "the text does not say where; "
        s.report(StepStatus.AS_WRITTEN, f"{said}found under {_path(best)}", is_seen=False)
    if is_sure:
        s.found()
