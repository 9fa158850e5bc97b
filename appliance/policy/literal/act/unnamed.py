"""Instructions that name no control: "Create a rule", "Restart the instance", "Add a new user".

A reader looks for the one control that does what the words say to the thing that they name. Where
there are several, or none, nothing is guessed, and nothing is held against the page.
"""

import re
from collections.abc import Generator
from dataclasses import dataclass

from appliance.core.page import Element
from appliance.core.verdict import StepStatus
from appliance.language.icons import icon_names
from appliance.language.names import of_one, plain, singular_words, verb_of
from appliance.policy.base import Decision
from appliance.policy.literal.act import sending
from appliance.policy.literal.act.choices import Did
from appliance.policy.literal.act.fields import put
from appliance.policy.literal.match.grounding import (
    FRAME,
    TEXTUAL,
    closed_menus,
    in_row,
    is_enabled,
    is_page_of,
    match_clickable,
    match_field,
)
from appliance.policy.literal.match.likeness import action_of_control
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Script, Session, titles

_MAKES = "make"
_CREATES = verb_of("create")
_DELETES = verb_of("delete")
_OBJECT_ENDS = re.compile(
    r"[,;:(]|\b(?:called|named|titled|with|for|from|to|by|in|into|on|onto|at|as|of|using|via|and|or"
    r"|that|which|if|when|where|so)\b"
)
_NAMED = re.compile(
    r"\b(?:called|named|titled|with the name(?: of)?)\s+[\"“”'‘`*]*"
    r"(?P<name>[^\s\"“”'‘’`*.,;:](?:[^\"“”'‘’`*.,;:]*?[^\s\"“”'‘’`*.,;:])?)[\"“”'’`*]*"
    r"(?=[.,;:]|$| (?:in|with|and|for|on|under|from|to|by|using)\b)"
)
_IDLE = frozenset({"a", "an", "the", "new", "another", "one", "your", "following", "this", "first"})
_ENTERS = frozenset(
    {IntentKind.FILL, IntentKind.CHOOSE, IntentKind.FIELD, IntentKind.FORM, IntentKind.UPLOAD,
     IntentKind.TICK, IntentKind.UNTICK, IntentKind.SET_PAIR}
)  # fmt: skip
_NAME_FIELDS = ("Name", "Title")


@dataclass(frozen=True, slots=True)
class _Deed:
    """What is to be done, and to what: "create", {"rule"}."""

    verb: str
    effect: str
    """The same for verbs that mean the same on a control."""
    things: frozenset[str]
    head: str
    """The last word of the thing's name."""
    phrase: str
    """The thing as the text calls it."""


def _effect_of(name: str) -> str:
    """What a name that begins with a verb does; empty where its first word is no known verb."""
    verb = verb_of(name)
    if verb == _CREATES:
        return _MAKES
    return action_of_control(f"{name} thing") or ""


def _deed_of(text: str) -> _Deed | None:
    verb, _, rest = text.strip(" .").partition(" ")
    phrase = _OBJECT_ENDS.split(rest.lower(), maxsplit=1)[0].strip()
    named = [w for w in re.findall(r"[\w'’-]+", phrase) if w not in _IDLE]
    things = singular_words(" ".join(named))
    if not things:
        return None
    head = next(iter(singular_words(named[-1])), "")
    effect = _effect_of(f"{verb} {phrase}") or plain(verb)
    return _Deed(plain(verb), effect, things, head, " ".join(named))


def makes_something(text: str) -> bool:
    """Whether the words ask for a thing to be made: "create user"."""
    deed = _deed_of(text)
    return deed is not None and deed.effect == _MAKES


def doer(s: Session, text: str) -> Element | None:
    """The only control on the page that does what the words say; None where none or several do."""
    deed = _deed_of(text)
    return None if deed is None else _doer(s, deed)


def carry_out(s: Session, intent: Intent) -> Did:
    """Whether it was done by the one control that does it, of the page or of the thing's row."""
    deed = _deed_of(intent.thing)
    if deed is None or _says_how(s, deed):
        return False
    button = _doer(s, deed)
    if button is None and deed.effect != _MAKES:
        button = yield from _doer_of_row(s, intent, deed)
    if button is None:
        return False
    done = yield from s.click(button, f'"{button.name}" does what the text asks for')
    if not done.ok:
        s.stuck(done.error)
        return True
    s.report(StepStatus.AS_WRITTEN, f'done by "{button.name.strip()}"')
    if deed.effect == _MAKES:
        yield from _fill_in(s, intent)
    return True


def _says_how(s: Session, deed: _Deed) -> bool:
    """Whether the same step goes on to say how: "Create a rule. Click **Add**"."""
    later = [i for i in s.upcoming[1:] if i.step == s.upcoming[0].step]
    opened = [i.label.text for i in later if i.kind is IntentKind.OPEN and i.label is not None]
    return any(_effect_of(name) == deed.effect for name in opened[:2])


def _doer(s: Session, deed: _Deed) -> Element | None:
    """The only one that says best what is done: the more of the thing it names, the better."""
    ranked: dict[int, list[Element]] = {}
    for e in s.view.elements:
        if (rank := _rank(s, deed, e)) is not None:
            ranked.setdefault(rank, []).append(e)
    best = ranked[min(ranked)] if ranked else []
    is_one = len(best) == 1 or (bool(best) and len({(plain(e.name), e.href) for e in best}) == 1)
    if not is_one or (len(best) > 1 and not best[0].href):
        return None
    return None if s.names_elsewhere(best[0].name) else best[0]


def _rank(s: Session, deed: _Deed, e: Element) -> int | None:
    """How well it fits; 0 is best, None not at all."""
    is_in_front = (e.dialog is not None) == bool(s.view.dialogs)
    if e.role not in ("button", "link", "menuitem") or e.row is not None or not is_in_front:
        return None
    if not is_enabled(e) or "covered" in e.states or e.is_submit:
        return None
    name = plain(e.name).lstrip("+ ")
    is_plus = deed.effect == _MAKES and "add" in icon_names(e.look or e.name)
    verb = name.split(" ")[0]
    if not is_plus and _effect_of(name) != deed.effect and verb != deed.verb:
        return None
    shown = singular_words(name.removeprefix(verb)) - _IDLE
    is_such = of_one(name.split(" ")[-1]) == deed.head  # a "rule group" is no rule
    if shown == deed.things:
        return 0
    if e.region in FRAME:
        return None
    if is_such and (deed.things < shown or shown < deed.things):
        return 1 if deed.things < shown else 2
    is_bare = not shown and e.region not in ("form", "dialog") and e.dialog is None
    return 3 if is_bare and _is_about(s, deed) else None


def _is_about(s: Session, deed: _Deed) -> bool:
    """Whether the page is that of such things; where one is deleted, its own page."""
    key = s.values.row(deed.phrase)
    if key and is_page_of(s.view, key):
        return True
    current = (e.name for e in s.view.elements if {"current", "selected"} & e.states)
    shown = (deed.head in singular_words(name) for name in (*titles(s.view), *current))
    return deed.effect != _DELETES and any(shown)


def _doer_of_row(
    s: Session, intent: Intent, deed: _Deed
) -> Generator[Decision, None, Element | None]:
    """What does it in the row of the bound thing, or in the menu of that row."""
    key = s.values.row(deed.phrase)
    if not key or s.view.dialogs or not any(in_row(e, key) for e in s.view.elements):
        return None
    s.row = key
    own = [e for e in s.view.elements if in_row(e, key) and _does(deed, e)]
    toggles = closed_menus(s.view, row=key)
    if own or len(toggles) != 1:
        return own[0] if len(own) == 1 else None
    done = yield from s.click(toggles[0], f'look for what does it in the menu of "{key}"')
    entries = [e for e in s.view.elements if done.ok and e.region == "menu" and _does(deed, e)]
    if len(entries) == 1:
        return entries[0]
    yield from s.press("Escape", thought="not in this menu")
    return None


def _does(deed: _Deed, e: Element) -> bool:
    """Whether it does that to a thing, and is about nothing else: "Delete tags" deletes no user."""
    name = plain(e.name)
    if e.role not in ("button", "link", "menuitem") or not name or not is_enabled(e):
        return False
    verb = name.split(" ")[0]
    shown = singular_words(name.removeprefix(verb)) - _IDLE
    return (_effect_of(name) == deed.effect or verb == deed.verb) and shown <= deed.things


def _fill_in(s: Session, intent: Intent) -> Script:
    """Fill in the form that has opened; send it, where the text goes on to something else."""
    if not s.has_new_fields():
        return
    said = _NAMED.search(intent.sentence.text)
    named = next((f for name in _NAME_FIELDS if (f := match_field(s.view, name))), None)
    if said and named and named.element.role in TEXTUAL:
        yield from put(s, named.element, said["name"], None)
    later = [i for i in s.upcoming[1:] if i.kind is not IntentKind.INFORM]
    if any(i.kind in _ENTERS for i in later):
        return  # the text says what to enter: what it leaves out is missing
    s.forms[intent] = s.form
    label = later[0].label if later else None
    if label is None or match_clickable(s.view, label.text) is None:
        yield from sending.send(s, intent.sentence)
