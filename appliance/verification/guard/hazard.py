"""What an action could do, by what is written on its control and over it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from appliance.config import SensitiveRule
from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.harm import Harm
from appliance.core.page import Element, Observation, TextKind
from appliance.language import harm_words
from appliance.language.names import plain
from appliance.verification.guard.things import NamedThing
from appliance.verification.guard.words import harm_mentioned, harms_of

_FIELDS = frozenset(("textbox", "combobox", "searchbox", "spinbutton", "slider", "listbox"))
"""Roles that only enter something."""
_SHOWING = frozenset(("columnheader", "tab"))
"""Roles that show another part of the page, or the same in another order."""
_SYMBOLS = re.compile(r"[×✕xX−–-]")
"""In a row they take it away; elsewhere they close something."""
_PLUS = re.compile(r"[+＋]")
"""Adds or unfolds, whatever the script in its link is called."""
TOGGLES = frozenset(("checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"))
_HARMLESS_KEYS = frozenset(
    re.split(
        r"\s+",
        """escape esc tab shift+tab home end pageup pagedown arrowup arrowdown arrowleft arrowright
    up down left right control+a ctrl+a f5""",
    )
)
SENDING_KEYS = frozenset(("enter", "return", "space", "control+enter", "ctrl+enter"))
"""Keys that press a button, or send a form."""
_DELETES = re.compile(r"(?:^|\+)(?:delete|del|backspace)$")
_SHORTCUT = re.compile(r"[^\s\d+]|(?:(?:ctrl|control|alt|meta|cmd|shift)\+)+[^acvxzfs\s]")
"""Keys by which pages do things, where no field takes them."""
OPENS = frozenset(("haspopup", "expanded", "collapsed"))
_SENDING = (harm_words.YES, harm_words.SAVES, harm_words.MAKES)
_OWN_NAME = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)+")
"""As people call things in lists: `new-checkout`."""
_LETTERS = re.compile(r"[^\W\d_]")
_DRAWN = frozenset(("img", "canvas", "figure", "graphics-document", "application"))
"""Roles of pictures: what is in them has no elements."""
_MOST_FIELDS = 2
"""Of a page that asks."""
_DIALOG_TEXTS = 40
"""Texts of a dialog or a page that asks, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hazard:
    """What could happen."""

    harm: Harm
    names: tuple[str, ...]
    """How the control is called: its accessible name, and what is written on it."""
    element: Element | None = None
    title: str = ""
    """Of the dialog or page that is confirmed, or the choice that is carried out."""
    is_blind: bool = False
    """Whether nobody can see what it does: a key, or a click on what is only drawn."""
    is_saving: bool = False
    """Whether it sends fields that held something else before."""
    is_confirming: bool = False
    """Whether it is told by the title or the question over it, and not by its own name."""
    texts: tuple[str, ...] = ()
    """What the dialog, or the page that asks, says besides."""

    @property
    def what(self) -> str:
        """The action as a sentence."""
        name = self.names[0] if self.names else "this"
        if self.is_blind:
            return f"{name!r} may do anything here"
        where = f" in {self.title!r}" if self.is_confirming and self.title else ""
        return f"{name!r}{where} {harm_words.WORDS[self.harm].doing}"


class Ruling(NamedTuple):
    """What is said of an action that could do harm."""

    hazard: Hazard
    rule: SensitiveRule
    objection: str
    """Why it is not done without a person's consent; empty: nothing is against it."""
    things: tuple[NamedThing, ...] = ()
    """What it is done to."""
    is_asked: bool = False
    """Whether a dialog was open; else one that comes asks first, and nothing is done yet."""

    @property
    def is_refused(self) -> bool:
        """Whether nobody needs to be asked: no."""
        return self.rule == "refuse" or (self.rule != "ask" and bool(self.objection))

    @property
    def why_not(self) -> str:
        """For whoever wanted it."""
        what = self.hazard.what
        if self.rule == "refuse":
            return f"{what} (agent.sensitive.{self.hazard.harm} is refuse)"
        return f"{what}, and {self.objection}"

    @property
    def question(self) -> str:
        """For a person who is asked."""
        return f"{self.hazard.what}{f', and {self.objection}' if self.objection else ''}"


def hazard_of(view: Observation, action: Action, focus: int | None = None) -> Hazard | None:
    """What harm an action could do; None: none that could be told.

    Args:
        view: The page.
        action: What is to be done.
        focus: The element acted on last, which a key goes to where none is named.
    """
    if on := pressed(view, action, focus):
        return _of_key(view, on)
    element = _by_id(view, action.element)
    match action:
        case actions.ClickAt():
            there = (_of_element(view, e) for e in elements_at(view, action.point))
            return next(filter(None, there), None) or _asked(view, None, "a click")
        case actions.Click() | actions.Check():
            return _of_element(view, element) if element else None
        case actions.Select():
            return _of_choice(element, action.option)
        case actions.Drag():
            to = _by_id(view, action.to)
            names = (*names_of(to), to.section) if to else ()
            harm = next(filter(None, map(harms_of, names)), None)
            harm = harm or (Harm.DELETE if any(map(harm_words.BIN.search, names)) else None)
            return Hazard(harm=harm, names=names, element=element) if harm else None
        case actions.OpenUrl() if harm_words.HARMFUL_PATH.search(unquote(action.url)):
            return Hazard(harm=Harm.DELETE, names=(action.url,))
        case _:
            return None


def _by_id(view: Observation, number: int | None) -> Element | None:
    return None if number is None else view.element(number)


def elements_at(view: Observation, point: tuple[float, float]) -> list[Element]:
    """What may be hit there, the smallest first."""
    x, y = point
    at = [
        e
        for e in view.elements
        if e.box.x <= x <= e.box.x + e.box.width and e.box.y <= y <= e.box.y + e.box.height
    ]
    return sorted(at, key=lambda e: e.box.width * e.box.height)


def is_drawn(view: Observation, action: Action) -> bool:
    """Whether a click is aimed at what nobody can read: a part of a picture, or at nothing."""
    match action:
        case actions.Click():
            element = view.element(action.element)
            return element is not None and element.tag == "canvas"
        case actions.ClickAt():
            under = elements_at(view, action.point)
            return all(e.role in _DRAWN or e.tag == "canvas" for e in under)
        case _:
            return False


def names_of(e: Element) -> tuple[str, ...]:
    """What a control is called, in words; its description where it has no other."""
    names = [n for n in (e.name, e.text) if n and _LETTERS.search(n)]
    return tuple(dict.fromkeys(names or [n for n in (e.description, e.name) if n]))


def _of_element(view: Observation, e: Element) -> Hazard | None:
    if e.role in TOGGLES:
        return _of_toggle(view, e)
    if e.role in _FIELDS:
        return None
    names = names_of(e)
    is_way = e.role == "link" and leads_away(view, e) and (e.region == "navigation" or _is_name(e))
    for name in (*names, e.description) if not is_way else ():
        harm = harms_of(name)
        if harm and not (e.role in _SHOWING and harm is Harm.IDENTITY):
            texts = (*_texts(view, e), e.description)
            return Hazard(harm=harm, names=names, element=e, title=e.dialog or "", texts=texts)
    is_riddle = _SYMBOLS.fullmatch(e.name.strip()) or not (names or e.states & OPENS)
    if e.row is not None and e.role in ("button", "link") and is_riddle:
        return Hazard(harm=Harm.DELETE, names=(e.name,), element=e)
    is_plus = _PLUS.fullmatch(e.name.strip()) and not leads_away(view, e)
    if e.href and not is_plus and harm_words.HARMFUL_PATH.search(unquote(e.href)):
        return Hazard(harm=Harm.DELETE, names=names, element=e)
    return _asked(view, e, names[0] if names else "")


def _is_name(e: Element) -> bool:
    """Whether it bears the name of what its row is about, which is data and no act.

    Rows have the words of their controls, too: only the first cell counts, and only what has the
    form of a name.
    """
    first = (e.row or "").split(" | ")[0]
    return e.name == first and bool(_OWN_NAME.fullmatch(e.name))


def leads_away(view: Observation, e: Element) -> bool:
    """Whether it opens another page, and is not a script in a link's clothes."""
    to, _, part = e.href.strip().partition("#")
    is_here = to in ("", view.url.partition("#")[0]) and not part.startswith(("/", "!"))
    return not is_here and not to.startswith("javascript:")


def _is_sent(view: Observation, e: Element) -> bool:
    """Whether something beside it sends what is entered."""
    return any(
        o.role == "button" and o.dialog == e.dialog and o.row is None
        and (o.is_submit or any(p.search(o.name.strip()) for p in _SENDING)
             or harms_of(o.name))
        for o in view.elements
    )  # fmt: skip


def _of_choice(e: Element | None, wanted: str) -> Hazard | None:
    """What is chosen of a list, which may do it at once; of options like it, the worst."""
    offered = () if e is None or wanted in e.options else e.options
    like = [o for o in offered if plain(wanted) and plain(wanted) in plain(o)]
    for name in (wanted, *like):
        if harm := harms_of(name):
            return Hazard(harm=harm, names=(name,), element=e)
    return None


def _of_toggle(view: Observation, e: Element) -> Hazard | None:
    """What does it by being turned; boxes of forms only say what a form will do.

    Who may log in is changed by a box, too, that is saved with a form full of other things.
    """
    names = names_of(e)
    is_identity = any(harm_words.IDENTITY_SWITCH.search(n) for n in names)
    is_form = e.role in ("checkbox", "radio") and "pressed" not in e.states
    if is_form and not is_identity and _is_sent(view, e):
        return None
    harm = Harm.IDENTITY if is_identity else next(filter(None, map(harms_of, names)), None)
    return Hazard(harm=harm, names=names, element=e) if harm else None


class PressedKey(NamedTuple):
    """A key."""

    key: str
    words: str
    """As it was named."""
    at: Element | None
    """What it goes to; None: nobody knows."""


def pressed(view: Observation, action: Action, focus: int | None) -> PressedKey | None:
    """The key that an action presses; a line break that is typed into a field is one, too."""
    e = _by_id(view, action.element)
    if isinstance(action, actions.Press):
        key = action.keys.replace(" ", "").casefold() or "space"
        return PressedKey(key, action.keys, e or _by_id(view, focus))
    is_sent = isinstance(action, actions.Type) and "\n" in action.text
    return PressedKey("enter", "Enter", e) if is_sent and e and e.tag != "textarea" else None


def _of_key(view: Observation, on: PressedKey) -> Hazard | None:
    """A key on a button presses it, in a field it sends the form; others may be shortcuts."""
    key, keys, e = on
    if key in _HARMLESS_KEYS:
        return None
    if key in ("space", "enter", "return") and e is None:  # it goes to whatever has the focus
        dialog = view.dialogs[-1] if view.dialogs else None
        near = (o for o in view.elements if o.dialog == dialog and o.role not in _FIELDS)
        if hazard := next(filter(None, (_of_element(view, o) for o in near)), None):
            return hazard
    if key in ("space", "enter", "return") and e is not None and e.role not in _FIELDS:
        return _of_element(view, e)
    if key in SENDING_KEYS:
        if key == "space" or (e is not None and e.tag == "textarea" and key in ("enter", "return")):
            return None
        return next(
            filter(None, (_of_element(view, s) for s in _senders(view, e))), None
        ) or _asked(view, None, keys)
    if _DELETES.search(key) and (e is None or e.role not in _FIELDS):
        return Hazard(harm=Harm.DELETE, names=(keys,), element=e)
    if _SHORTCUT.fullmatch(key) and (e is None or e.role not in _FIELDS):
        return Hazard(harm=Harm.DELETE, names=(keys,), element=e, is_blind=True)
    return None


def _senders(view: Observation, e: Element | None) -> Iterator[Element]:
    """The buttons that Enter may stand for: of the open dialog, else of the field's own form."""
    dialog = view.dialogs[-1] if view.dialogs else None
    for one in view.elements:
        if one.is_submit and one.dialog == dialog and (e is None or one.frame == e.frame):
            yield one


def _asked(view: Observation, e: Element | None, name: str) -> Hazard | None:
    """A dialog, a page or a drop-down that says what "OK" would do."""
    is_yes = (
        e is None or e.is_submit or bool(harm_words.YES.search(name)) or _goes_on(view, e, name)
    )
    names = names_of(e) if e else (name,)
    if e is not None and harm_words.GO.search(name) and (choice := _choice_beside(view, e)):
        return Hazard(harm=choice[0], names=names, element=e, title=choice[1], is_confirming=True)
    if not is_yes:
        return None
    in_dialog = (e.dialog is not None) if e else bool(view.dialogs)
    title = ((e.dialog if e else view.dialogs[-1]) or "") if in_dialog else ""
    texts = _texts(view, e) if in_dialog else _page_texts(view)
    over = [e.section, e.group] if e and e.row is None else []
    heads = [title, *over] if in_dialog else [*over, *headings(view)[:1]]
    is_question = in_dialog or _is_question(view)
    if any(harm_words.MAKES.search(n) for n in names) and not in_dialog:
        return None
    in_passing = [t for t in texts if is_question and harm_words.CONSEQUENCE.search(t)]
    for title in (*heads, *in_passing):
        if title and (harm := harm_mentioned(title, in_passing=title in in_passing)):
            # a form explains its fields: "A user gets all rights of each of their groups"
            explains = not in_dialog and title not in in_passing and _is_form(view)
            harmful = (t for t in in_passing if harm_mentioned(t, in_passing=True))
            said = tuple(harmful) if explains else texts
            return Hazard(
                harm=harm, names=names, element=e, title=title, is_confirming=True, texts=said
            )
    return None


def _is_form(view: Observation) -> bool:
    """Whether the page has more fields than one that asks: why, and a name to be typed."""
    return sum(e.role in _FIELDS and e.row is None for e in view.elements) > _MOST_FIELDS


def _goes_on(view: Observation, e: Element, name: str) -> bool:
    """Whether a button beside a question is another than those that only leave it."""
    is_button = e.role == "button" and "haspopup" not in e.states and e.row is None
    is_asked = (
        e.dialog is not None or any(map(harm_mentioned, (e.section, e.group))) or _is_question(view)
    )
    return is_button and is_asked and not harm_words.NO.search(name.strip())


def _texts(view: Observation, e: Element | None) -> tuple[str, ...]:
    """What the dialog around it says."""
    if not view.dialogs or (e is not None and e.dialog is None):
        return ()
    inside = [t.text for t in view.texts if t.dialog is not None and t.row is None]
    boxes = [o.name for o in view.elements if o.dialog is not None and o.role in TOGGLES]
    return tuple((inside + boxes)[:_DIALOG_TEXTS])


def _page_texts(view: Observation) -> tuple[str, ...]:
    texts = (t.text for t in view.texts if t.row is None and t.kind is not TextKind.NOTICE)
    return tuple(texts)[:_DIALOG_TEXTS]


def headings(view: Observation) -> list[str]:
    """Of the page and of its parts."""
    return [t.text for t in view.texts if t.kind is TextKind.HEADING and t.level <= 2]


def _is_question(view: Observation) -> bool:
    """Whether the page does nothing but ask: few texts, and one of them asks."""
    asks = [t.text for t in view.texts if t.row is None and harm_words.CONSEQUENCE.search(t.text)]
    return any(harm_mentioned(t) for t in (*asks, *headings(view))) and bool(asks)


def _choice_beside(view: Observation, e: Element) -> tuple[Harm, str] | None:
    """What a drop-down of the same part of the page says that "Go" will do."""
    for one in view.elements:
        is_beside = (
            one.role in ("combobox", "listbox")
            and (one.frame, one.dialog, one.row) == (e.frame, e.dialog, e.row)
            and abs(one.box.y - e.box.y) < 60  # CSS pixels: the same line of a toolbar
        )
        if is_beside and one.value and (harm := harms_of(one.value)):
            return harm, plain(one.value)
    return None
