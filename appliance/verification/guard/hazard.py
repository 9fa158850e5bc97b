"""Recognises what harm an action could do, from the words on its control and above it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from appliance.config import SensitiveRule
from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.harm import Harm
from appliance.core.page import Element, Observation, TextBlock, TextKind
from appliance.language import harm_words
from appliance.language.names import plain
from appliance.verification.guard.things import NamedThing
from appliance.verification.guard.words import harm_mentioned, harms_of

_FIELDS = frozenset(("textbox", "combobox", "searchbox", "spinbutton", "slider", "listbox"))
"""Roles that only enter something."""
_VIEW_ROLES = frozenset(("columnheader", "tab"))
"""Roles that show another part of the page, or the same in another order."""
_CROSS = re.compile(r"[×✕xX−–-]")
"""In a row they take it away; elsewhere they close something."""
_PLUS_SIGN = re.compile(r"[+＋]")
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
_DELETE_KEYS = re.compile(r"(?:^|\+)(?:delete|del|backspace)$")
_SHORTCUT = re.compile(r"[^\s\d+]|(?:(?:ctrl|control|alt|meta|cmd|shift)\+)+[^acvxzfs\s]")
"""Keys by which pages do things, where no field takes them."""
OPENS = frozenset(("haspopup", "expanded", "collapsed"))
_UNFOLDS = frozenset(("expanded", "collapsed"))
_SUBMIT_WORDS = (harm_words.YES, harm_words.SAVES, harm_words.MAKES)
_OWN_NAME = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)+")
"""As people call things in lists: `new-checkout`."""
_LETTERS = re.compile(r"[^\W\d_]")
_PICTURE_ROLES = frozenset(("img", "canvas", "figure", "graphics-document", "application"))
"""Roles of pictures: what is in them has no elements."""
_MOST_FIELDS = 2
"""Of a page that asks."""
_DIALOG_TEXTS = 40
"""Texts of a dialog or a page that asks, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hazard:
    """The harm that an action could do."""

    harm: Harm
    names: tuple[str, ...]
    """The control's accessible name and its visible text."""
    element: Element | None = None
    title: str = ""
    """The title of the dialog or page that is confirmed, or the option that is carried out."""
    is_blind: bool = False
    """Whether nobody can see what it does: a key, or a click on what is only drawn."""
    is_saving: bool = False
    """Whether it sends fields that held something else before."""
    is_confirming: bool = False
    """Whether it was recognised by the title or question above it instead of its own name."""
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
    """The decision about an action that could do harm."""

    hazard: Hazard
    rule: SensitiveRule
    objection: str
    """Why it needs a person's consent; empty if it does not."""
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
        """The refusal, for whoever proposed the action."""
        what = self.hazard.what
        if self.rule == "refuse":
            return f"{what} (agent.sensitive.{self.hazard.harm} is refuse)"
        return f"{what}, and {self.objection}"

    @property
    def question(self) -> str:
        """The question put to a person."""
        return f"{self.hazard.what}{f', and {self.objection}' if self.objection else ''}"


def hazard_of(view: Observation, action: Action, focus: int | None = None) -> Hazard | None:
    """The harm an action could do; None if none can be recognised.

    Args:
        view: The page.
        action: What is to be done.
        focus: The element acted on last, which a key goes to where none is named.
    """
    if key_press := pressed(view, action, focus):
        return _key_hazard(view, key_press)
    element = _by_id(view, action.element)
    match action:
        case actions.ClickAt():
            hazards = (_element_hazard(view, e) for e in elements_at(view, action.point))
            return next(filter(None, hazards), None) or _question_hazard(view, None, "a click")
        case actions.Click() | actions.Check():
            return _element_hazard(view, element) if element else None
        case actions.Select():
            return _choice_hazard(element, action.option)
        case actions.Drag():
            drop_target = _by_id(view, action.to)
            names = (*names_of(drop_target), drop_target.section) if drop_target else ()
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
    """Elements at a point, the smallest first."""
    x, y = point
    hits = [
        e
        for e in view.elements
        if e.box.x <= x <= e.box.x + e.box.width and e.box.y <= y <= e.box.y + e.box.height
    ]
    return sorted(hits, key=lambda e: e.box.width * e.box.height)


def is_drawn(view: Observation, action: Action) -> bool:
    """Whether a click hits something unreadable: part of a picture, or nothing at all."""
    match action:
        case actions.Click():
            element = view.element(action.element)
            return element is not None and element.tag == "canvas"
        case actions.ClickAt():
            hits = elements_at(view, action.point)
            return all(e.role in _PICTURE_ROLES or e.tag == "canvas" for e in hits)
        case _:
            return False


def names_of(e: Element) -> tuple[str, ...]:
    """What a control is called, in words; its description where it has no other."""
    names = [n for n in (e.name, e.text) if n and _LETTERS.search(n)]
    return tuple(dict.fromkeys(names or [n for n in (e.description, e.name) if n]))


def _element_hazard(view: Observation, e: Element) -> Hazard | None:
    if e.role in TOGGLES:
        return _toggle_hazard(view, e)
    if e.role in _FIELDS:
        return None
    names = names_of(e)
    is_way = e.role == "link" and leads_away(view, e) and (e.region == "navigation" or _is_name(e))
    for name in (*names, e.description) if not is_way else ():
        harm = harms_of(name)
        only_shows = e.role in _VIEW_ROLES or bool(e.states & _UNFOLDS)
        if harm and not (only_shows and harm is Harm.IDENTITY):
            texts = (*_dialog_texts(view, e), e.description)
            return Hazard(harm=harm, names=names, element=e, title=e.dialog or "", texts=texts)
    is_riddle = _CROSS.fullmatch(e.name.strip()) or not (names or e.states & OPENS)
    if e.row is not None and e.role in ("button", "link") and is_riddle:
        return Hazard(harm=Harm.DELETE, names=(e.name,), element=e)
    is_plus = _PLUS_SIGN.fullmatch(e.name.strip()) and not leads_away(view, e)
    if e.href and not is_plus and harm_words.HARMFUL_PATH.search(unquote(e.href)):
        return Hazard(harm=Harm.DELETE, names=names, element=e)
    return _question_hazard(view, e, names[0] if names else "")


def _is_name(e: Element) -> bool:
    """Whether it bears the name of what its row is about, which is data and no act.

    Rows have the words of their controls, too: only the first cell counts, and only what has the
    form of a name.
    """
    first = (e.row or "").split(" | ")[0]
    return e.name == first and bool(_OWN_NAME.fullmatch(e.name))


def leads_away(view: Observation, e: Element) -> bool:
    """Whether it opens another page, and is not a script in a link's clothes."""
    target, _, fragment = e.href.strip().partition("#")
    is_here = target in ("", view.url.partition("#")[0]) and not fragment.startswith(("/", "!"))
    return not is_here and not target.startswith("javascript:")


def _is_submitted(view: Observation, e: Element) -> bool:
    """Whether a button of the same form or dialog submits what is entered."""
    return any(
        o.role == "button" and o.dialog == e.dialog and o.row is None
        and (o.is_submit or any(p.search(o.name.strip()) for p in _SUBMIT_WORDS)
             or harms_of(o.name))
        for o in view.elements
    )  # fmt: skip


def _choice_hazard(e: Element | None, option: str) -> Hazard | None:
    """The hazard of choosing an option, which may act at once; the worst of similar options."""
    other_options = () if e is None or option in e.options else e.options
    similar = [o for o in other_options if plain(option) and plain(option) in plain(o)]
    for name in (option, *similar):
        if harm := harms_of(name):
            return Hazard(harm=harm, names=(name,), element=e)
    return None


def _toggle_hazard(view: Observation, e: Element) -> Hazard | None:
    """What does it by being turned; boxes of forms only say what a form will do.

    Who may log in is changed by a box, too, that is saved with a form full of other things.
    """
    names = names_of(e)
    is_identity = any(harm_words.IDENTITY_SWITCH.search(n) for n in names)
    is_form = e.role in ("checkbox", "radio") and "pressed" not in e.states
    if is_form and not is_identity and _is_submitted(view, e):
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


def _key_hazard(view: Observation, key_press: PressedKey) -> Hazard | None:
    """A key on a button presses it, in a field it sends the form; others may be shortcuts."""
    key, keys, e = key_press
    if key in _HARMLESS_KEYS:
        return None
    if key in ("space", "enter", "return") and e is None:  # it goes to whatever has the focus
        dialog = view.dialogs[-1] if view.dialogs else None
        dialog_elements = (o for o in view.elements if o.dialog == dialog and o.role not in _FIELDS)
        if hazard := next(filter(None, (_element_hazard(view, o) for o in dialog_elements)), None):
            return hazard
    if key in ("space", "enter", "return") and e is not None and e.role not in _FIELDS:
        return _element_hazard(view, e)
    if key in SENDING_KEYS:
        if key == "space" or (e is not None and e.tag == "textarea" and key in ("enter", "return")):
            return None
        return next(
            filter(None, (_element_hazard(view, s) for s in _submit_buttons(view, e))), None
        ) or _question_hazard(view, None, keys)
    if _DELETE_KEYS.search(key) and (e is None or e.role not in _FIELDS):
        return Hazard(harm=Harm.DELETE, names=(keys,), element=e)
    if _SHORTCUT.fullmatch(key) and (e is None or e.role not in _FIELDS):
        return Hazard(harm=Harm.DELETE, names=(keys,), element=e, is_blind=True)
    return None


def _submit_buttons(view: Observation, e: Element | None) -> Iterator[Element]:
    """The buttons that Enter may stand for: of the open dialog, else of the field's own form."""
    dialog = view.dialogs[-1] if view.dialogs else None
    for button in view.elements:
        if button.is_submit and button.dialog == dialog and (e is None or button.frame == e.frame):
            yield button


def _question_hazard(view: Observation, e: Element | None, name: str) -> Hazard | None:
    """The hazard of confirming, as told by a dialog, a page or an adjacent drop-down."""
    is_yes = (
        e is None
        or e.is_submit
        or bool(harm_words.YES.search(name))
        or _is_affirmative(view, e, name)
    )
    names = names_of(e) if e else (name,)
    if e is not None and harm_words.GO.search(name) and (choice := _adjacent_choice(view, e)):
        return Hazard(harm=choice[0], names=names, element=e, title=choice[1], is_confirming=True)
    if not is_yes:
        return None
    in_dialog = (e.dialog is not None) if e else bool(view.dialogs)
    title = ((e.dialog if e else view.dialogs[-1]) or "") if in_dialog else ""
    texts = _dialog_texts(view, e) if in_dialog else _page_texts(view)
    titles_above = [e.section, e.group] if e and e.row is None else []
    titles = [title, *titles_above] if in_dialog else [*titles_above, *headings(view)[:1]]
    is_question = in_dialog or _is_question(view)
    if any(harm_words.MAKES.search(n) for n in names) and not in_dialog:
        return None
    in_passing = [t for t in texts if is_question and harm_words.CONSEQUENCE.search(t)]
    for title in (*titles, *in_passing):
        if title and (harm := harm_mentioned(title, in_passing=title in in_passing)):
            # a form explains its fields: "A user gets all rights of each of their groups"
            explains = not in_dialog and title not in in_passing and _is_form(view)
            warnings = (t for t in in_passing if harm_mentioned(t, in_passing=True))
            if explains:
                texts = tuple(warnings)
            return Hazard(
                harm=harm, names=names, element=e, title=title, is_confirming=True, texts=texts
            )
    return None


def _is_form(view: Observation) -> bool:
    """Whether the page has more fields than one that asks: why, and a name to be typed."""
    return sum(e.role in _FIELDS and e.row is None for e in view.elements) > _MOST_FIELDS


def _is_affirmative(view: Observation, e: Element, name: str) -> bool:
    """Whether a button beside a question is another than those that only leave it."""
    is_button = e.role == "button" and "haspopup" not in e.states and e.row is None
    is_asked = (
        e.dialog is not None or any(map(harm_mentioned, (e.section, e.group))) or _is_question(view)
    )
    return is_button and is_asked and not harm_words.NO.search(name.strip())


def _dialog_texts(view: Observation, e: Element | None) -> tuple[str, ...]:
    """Texts of the dialog around an element, at most `_DIALOG_TEXTS`."""
    if not view.dialogs or (e is not None and e.dialog is None):
        return ()
    inside = [t.text for t in view.texts if t.dialog is not None and t.row is None]
    boxes = [o.name for o in view.elements if o.dialog is not None and o.role in TOGGLES]
    return tuple((inside + boxes)[:_DIALOG_TEXTS])


def _page_texts(view: Observation) -> tuple[str, ...]:
    texts = (t.text for t in _sayings(view) if t.kind is not TextKind.NOTICE)
    return tuple(texts)[:_DIALOG_TEXTS]


def _sayings(view: Observation) -> Iterator[TextBlock]:
    """Texts that may ask or warn: not what stands in a table, or heads a column ("Delete?")."""
    for text in view.texts:
        if text.row is None and text.kind is not TextKind.COLUMN_HEADER:
            yield text


def headings(view: Observation) -> list[str]:
    """Headings of the page and of its main parts, levels 1 and 2."""
    return [t.text for t in view.texts if t.kind is TextKind.HEADING and t.level <= 2]


def _is_question(view: Observation) -> bool:
    """Whether the page does nothing but ask: few texts, and one of them asks."""
    asks = [t.text for t in _sayings(view) if harm_words.CONSEQUENCE.search(t.text)]
    return any(harm_mentioned(t) for t in (*asks, *headings(view))) and bool(asks)


def _adjacent_choice(view: Observation, e: Element) -> tuple[Harm, str] | None:
    """What a drop-down of the same part of the page says that "Go" will do."""
    for dropdown in view.elements:
        is_adjacent = (
            dropdown.role in ("combobox", "listbox")
            and (dropdown.frame, dropdown.dialog, dropdown.row) == (e.frame, e.dialog, e.row)
            and abs(dropdown.box.y - e.box.y) < 60  # CSS pixels: the same line of a toolbar
        )
        if is_adjacent and dropdown.value and (harm := harms_of(dropdown.value)):
            return harm, plain(dropdown.value)
    return None
