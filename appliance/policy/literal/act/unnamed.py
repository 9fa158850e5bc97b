"""Instructions that name no control: "Create a rule", "Restart the instance", "Add a new user".

A reader looks for the one control that does what the words say to the thing that they name. Where
there are several, or none, nothing is guessed, and nothing is held against the page.
"""

import re
from dataclasses import dataclass

from appliance.core.page import Element
from appliance.core.verdict import StepStatus
from appliance.language.icons import icon_names
from appliance.language.names import plain, singular_of, singular_words, verb_of
from appliance.policy.literal.act import sending
from appliance.policy.literal.act.fields import enter_value
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
from appliance.policy.literal.match.likeness import Effect, action_of_control
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Script, ScriptOf, Session, titles

_MAKE = Effect.MAKE
_CREATES = verb_of("create")
_DELETES = verb_of("delete")
_OBJECT_ENDS = re.compile(
    r"[,;:(]|\b(?:called|named|titled|with|for|from|to|by|in|into|on|onto|at|as|of|using|via|and|or"
    r"|that|which|if|when|where|so)\b"
)
_GIVEN_NAME = re.compile(
    r"\b(?:called|named|titled|with the name(?: of)?)\s+[\"“”'‘`*]*"
    r"(?P<name>[^\s\"“”'‘’`*.,;:](?:[^\"“”'‘’`*.,;:]*?[^\s\"“”'‘’`*.,;:])?)[\"“”'’`*]*"
    r"(?=[.,;:]|$| (?:in|with|and|for|on|under|from|to|by|using)\b)"
)
_FILLER_WORDS = frozenset(
    {"a", "an", "the", "new", "another", "one", "your", "following", "this", "first"}
)
_ENTERING = frozenset(
    {IntentKind.FILL, IntentKind.CHOOSE, IntentKind.FIELD, IntentKind.FORM, IntentKind.UPLOAD,
     IntentKind.TICK, IntentKind.UNTICK, IntentKind.SET_PAIR}
)  # fmt: skip
_NAME_FIELDS = ("Name", "Title")


@dataclass(frozen=True, slots=True)
class _Operation:
    """An operation and its object: "create", {"rule"}."""

    verb: str
    effect: str
    """The same for verbs that mean the same on a control."""
    things: frozenset[str]
    head: str
    """The last word of the thing's name."""
    phrase: str
    """The thing as the text calls it."""

    def is_done_by(self, name: str) -> bool:
        """Whether a control of that (plain) name does it, to whatever thing."""
        return _effect_of(name) == self.effect or name.split(" ")[0] == self.verb

    def is_done_by_icon(self, look: str) -> bool:
        """Whether it makes something, and the control is a plus sign."""
        return self.effect == _MAKE and "add" in icon_names(look)


def _things_in(name: str) -> frozenset[str]:
    """What a (plain) name of a control says that it is done to: its words after the verb."""
    return singular_words(name.removeprefix(name.split(" ")[0])) - _FILLER_WORDS


def _effect_of(name: str) -> str:
    """The effect of the verb with which a name begins; empty where it is no known verb."""
    verb = verb_of(name)
    if verb == _CREATES:
        return _MAKE
    return action_of_control(f"{name} thing") or ""


def _operation_of(text: str) -> _Operation | None:
    verb, _, rest = text.strip(" .").partition(" ")
    phrase = _OBJECT_ENDS.split(rest.lower(), maxsplit=1)[0].strip()
    words_of_thing = [w for w in re.findall(r"[\w'’-]+", phrase) if w not in _FILLER_WORDS]
    things = singular_words(" ".join(words_of_thing))
    if not things:
        return None
    head = next(iter(singular_words(words_of_thing[-1])), "")
    effect = _effect_of(f"{verb} {phrase}") or plain(verb)
    return _Operation(plain(verb), effect, things, head, " ".join(words_of_thing))


def makes_something(text: str) -> bool:
    """Whether the words ask for a thing to be made: "create user"."""
    operation = _operation_of(text)
    return operation is not None and operation.effect == _MAKE


def find_doer(s: Session, text: str) -> Element | None:
    """The only control on the page that does what the words say; None where none or several do."""
    operation = _operation_of(text)
    return None if operation is None else _best_doer(s, operation)


def carry_out(s: Session, intent: Intent) -> ScriptOf[bool]:
    """Click the only control of the page, or of the thing's row, that does it; False if none."""
    operation = _operation_of(intent.thing)
    if operation is None or _says_how(s, operation):
        return False
    button = _best_doer(s, operation)
    if button is None and operation.effect != _MAKE:
        button = yield from _find_doer_in_row(s, operation)
    if button is None:
        return False
    result = yield from s.click(button, f'"{button.name}" does what the text asks for')
    if not result.ok:
        s.report_stuck(result.error)
        return True
    s.report(StepStatus.AS_WRITTEN, f'done by "{button.name.strip()}"')
    if operation.effect == _MAKE:
        yield from _fill_in(s, intent)
    return True


def _says_how(s: Session, operation: _Operation) -> bool:
    """Whether the text goes on to say how, as in "Create a rule: a. Click **Add**".

    After something is entered, a button of that name sends the form.
    """
    for intent in s.upcoming[1:]:
        if intent.kind in _ENTERING:
            return False
        if intent.kind is IntentKind.OPEN and intent.label is not None:
            name = plain(intent.label.text)
            does_it = operation.is_done_by(name) and _things_in(name) <= operation.things
            if does_it or operation.is_done_by_icon(name):
                return True
    return False


def _best_doer(s: Session, operation: _Operation) -> Element | None:
    """The only control that fits best: the more of the thing's name it has, the better."""
    ranked: dict[int, list[Element]] = {}
    for e in s.view.elements:
        if (rank := _rank(s, operation, e)) is not None:
            ranked.setdefault(rank, []).append(e)
    if not ranked:
        return None
    best, *others = ranked[min(ranked)]
    is_same_link = bool(best.href) and all(
        (plain(e.name), e.href) == (plain(best.name), best.href) for e in others
    )
    if (others and not is_same_link) or s.names_elsewhere(best.name):
        return None
    return best


def _rank(s: Session, operation: _Operation, e: Element) -> int | None:
    """How well the control fits, 0 being best; None if it does not."""
    is_in_front = (e.dialog is not None) == bool(s.view.dialogs)
    if e.role not in ("button", "link", "menuitem") or e.row is not None or not is_in_front:
        return None
    if not is_enabled(e) or "covered" in e.states or e.is_submit:
        return None
    name = plain(e.name).lstrip("+ ")
    if not (operation.is_done_by_icon(e.look or e.name) or operation.is_done_by(name)):
        return None
    name_things = _things_in(name)
    has_same_head = singular_of(name.split(" ")[-1]) == operation.head  # a "rule group" is no rule
    if name_things == operation.things:
        return 0
    if e.region in FRAME:
        return None
    if has_same_head and (operation.things < name_things or name_things < operation.things):
        return 1 if operation.things < name_things else 2
    is_bare = not name_things and e.region not in ("form", "dialog") and e.dialog is None
    return 3 if is_bare and _is_about(s, operation) else None


def _is_about(s: Session, operation: _Operation) -> bool:
    """Whether the page is about such things; a deletion needs the thing's own page."""
    key = s.values.row_key(operation.phrase)
    if key and is_page_of(s.view, key):
        return True
    current = (e.name for e in s.view.elements if {"current", "selected"} & e.states)
    mentions = (operation.head in singular_words(name) for name in (*titles(s.view), *current))
    return operation.effect != _DELETES and any(mentions)


def _find_doer_in_row(s: Session, operation: _Operation) -> ScriptOf[Element | None]:
    """The control that does it in the row of the bound thing, or in the row's only menu."""
    key = s.values.row_key(operation.phrase)
    if not key or s.view.dialogs or not any(in_row(e, key) for e in s.view.elements):
        return None
    s.row = key
    row_controls = [e for e in s.view.elements if in_row(e, key) and _does(operation, e)]
    toggles = closed_menus(s.view, row=key)
    if row_controls or len(toggles) != 1:
        return row_controls[0] if len(row_controls) == 1 else None
    result = yield from s.click(toggles[0], f'look for what does it in the menu of "{key}"')
    entries = [
        e for e in s.view.elements if result.ok and e.region == "menu" and _does(operation, e)
    ]
    if len(entries) == 1:
        return entries[0]
    yield from s.press("Escape", thought="not in this menu")
    return None


def _does(operation: _Operation, e: Element) -> bool:
    """Whether the control does that, to nothing else: "Delete tags" deletes no user."""
    name = plain(e.name)
    if e.role not in ("button", "link", "menuitem") or not name or not is_enabled(e):
        return False
    return operation.is_done_by(name) and _things_in(name) <= operation.things


def _fill_in(s: Session, intent: Intent) -> Script:
    """Fill in the form that has opened; send it if the text does not go on with it."""
    if not s.has_new_fields():
        return
    name_match = _GIVEN_NAME.search(intent.sentence.text)
    name_field = next((f for name in _NAME_FIELDS if (f := match_field(s.view, name))), None)
    if name_match and name_field and name_field.element.role in TEXTUAL:
        yield from enter_value(s, name_field.element, name_match["name"], None)
    later_intents = [i for i in s.upcoming[1:] if i.kind is not IntentKind.INFORM]
    if any(i.kind in _ENTERING for i in later_intents):
        return  # the text says what to enter: what it leaves out is missing
    s.form_keys[intent] = s.form_key
    label = later_intents[0].label if later_intents else None
    if label is None or match_clickable(s.view, label.text) is None:
        yield from sending.send(s, intent.sentence)
