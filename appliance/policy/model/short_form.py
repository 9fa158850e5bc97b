"""The short form of prompts and answers, for small models: one line of elements, a few words.

An answer is `STEP VERB LABEL`, with ` = VALUE` where something is typed or chosen, or `done`;
before it, where the text is not true, `untrue STEP KIND;`. A small model copies words more easily
than it finds numbers: so elements are named by their labels, with a number behind only where a
label is there twice. What is typed is one of the numbered values of the prompt (`v2`), where it is
one of these: a long value is then not spelt again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.page import Element, Observation, TextKind
from appliance.core.procedure import InlineRole, Procedure, Step
from appliance.core.verdict import DivergenceKind
from appliance.policy.model.quotes import inlines_of
from appliance.policy.model.reading import UnusableError
from appliance.policy.model.wording import step_lines

VERSION = "short-2"
UNIQUE = "qz"
"""Stands for the suffix of names that are made up in an attempt: nobody can know it by heart."""
_LABEL = 48
_ROW = 24
_VALUE = 24
_OPTIONS = 12
_STEP = 400
_DONE = 4
_STEPS = 3
"""The step at hand, and those after it."""
_ERRORS = 2
_BOXES = frozenset({"checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"})
_FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
_SAID = re.compile(
    r"(?P<untrue>(?:untrue \S+ \w+; )*)"
    r"(?:(?P<done>done)|(?P<step>\S+) (?P<verb>click|check|uncheck|type|select) (?P<rest>.+))"
)
_UNTRUE = re.compile(r"untrue (\S+) (\w+); ")
_NAMED = re.compile(r"(?P<label>.*?)(?: #(?P<number>\d+))?")
_REFERENCE = re.compile(r"v(\d+)")


class Untrue(NamedTuple):
    """A step of the text that is not true, as an answer says it."""

    step: str
    kind: DivergenceKind


class ShortAnswer(NamedTuple):
    """What an answer says."""

    action: Action
    step: str
    """Empty: it is done."""
    untrue: tuple[Untrue, ...]


@dataclass(slots=True)
class ShortForm:
    """The questions and answers of one attempt, turn after turn."""

    procedure: Procedure
    bindings: Mapping[str, str]
    """As a model may see them: secrets as names."""
    unique: str
    _at: str = field(init=False)
    _done: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._at = self.procedure.steps[0].index if self.procedure.steps else ""

    def prompt(self, view: Observation) -> str:
        """What is asked on a page."""
        shown = self._shown_steps()
        values = "; ".join(f"v{n} {value}" for n, value in enumerate(self._told_values(shown), 1))
        lines = [
            page(view),
            f"Task: {self.procedure.title}",
            *([f"Values: {values}"] if values else []),
            *_steps(shown, is_end=shown[-1:] == self._steps()[-1:]),
            f"Done: {'; '.join(self._done[-_DONE:]) or 'nothing'}",
            "Action:",
        ]
        return self._common("\n".join(lines))

    def answer(
        self, view: Observation, action: Action, step: str, untrue: Sequence[Untrue]
    ) -> str | None:
        """What is to be answered, so that this is done; None: it cannot be said."""
        before = "".join(f"untrue {one.step} {one.kind.value}; " for one in untrue)
        if isinstance(action, actions.Complete):
            return f"{before}done"
        element = view.element(action.element) if action.element is not None else None
        usable = usable_elements(view)
        verb = _verb(action)
        if element is None or verb is None or element not in usable:
            return None
        words = f"{step} {verb} {_name(element, usable)}"
        if isinstance(action, actions.Type):
            words += f" = {self._reference(action.text)}"
        elif isinstance(action, actions.Select):
            words += f" = {action.option}"
        return self._common(before + words)

    def read(self, said: str, view: Observation) -> ShortAnswer:
        """What an answer means on the page.

        Raises:
            UnusableError: It is none, or names what is not there.
        """
        found = _SAID.fullmatch(said.strip())
        if found is None:
            raise UnusableError("it is not STEP VERB LABEL, nor done")
        untrue = tuple(self._untrue(*pair) for pair in _UNTRUE.findall(found["untrue"]))
        if found["done"]:
            return ShortAnswer(actions.Complete("the steps are done"), "", untrue)
        step = self._known(found["step"])
        action = self._action(found["verb"], self._own(found["rest"]), view)
        return ShortAnswer(action, step, untrue)

    def keep(self, step: str, words: str) -> None:
        """A turn is over; its words, where the form has any for it, stand as done from now on."""
        self._at = step or self._at
        if words:
            self._done.append(words.rpartition("; ")[2])

    def _shown_steps(self) -> list[Step]:
        steps = self._steps()
        first = next((n for n, step in enumerate(steps) if step.index == self._at), 0)
        return steps[first : first + _STEPS]

    def _steps(self) -> list[Step]:
        return list(self.procedure.walk())

    def _values(self, shown: Sequence[Step]) -> list[tuple[str, str]]:
        """What may be typed, with what it is: what is bound, then what the steps say literally."""
        bound = [
            (value, label)
            for label, value in self.bindings.items()
            if value and label != "unique" and not label.endswith(" id")
        ]
        literal = [
            (inline.text, "")
            for step in shown
            for inline in inlines_of(step)
            if inline.role is InlineRole.LITERAL
        ]
        once: dict[str, str] = {}
        for value, label in (*bound, *literal):
            once.setdefault(value, label)
        return list(once.items())

    def _told_values(self, shown: Sequence[Step]) -> Iterator[str]:
        for value, label in self._values(shown):
            yield f"{value} ({label})" if label else value

    def _reference(self, text: str) -> str:
        known = [value for value, _ in self._values(self._shown_steps())]
        return f"v{known.index(text) + 1}" if text in known else text

    def _referred(self, said: str) -> str:
        known = [value for value, _ in self._values(self._shown_steps())]
        found = _REFERENCE.fullmatch(said)
        at = int(found[1]) - 1 if found else -1
        return known[at] if 0 <= at < len(known) else said

    def _action(self, verb: str, rest: str, view: Observation) -> Action:
        name, equals, value = rest, "", ""
        if verb in ("type", "select"):
            name, equals, value = rest.partition(" = ")
            if not equals:
                raise UnusableError(f"it does not say what to {verb}")
        element = _named(name, view).id
        match verb:
            case "type":
                return actions.Type(element, self._referred(value))
            case "select":
                return actions.Select(element, value)
            case "click":
                return actions.Click(element)
            case _:
                return actions.Check(element, verb == "check")

    def _untrue(self, step: str, kind: str) -> Untrue:
        try:
            return Untrue(self._known(step), DivergenceKind(kind))
        except ValueError:
            raise UnusableError(f"there is no kind {kind} of what is untrue") from None

    def _known(self, step: str) -> str:
        if all(step != one.index for one in self._steps()):
            raise UnusableError(f"the text has no step {step}")
        return step

    def _common(self, text: str) -> str:
        return text.replace(self.unique, UNIQUE) if self.unique else text

    def _own(self, text: str) -> str:
        return text.replace(UNIQUE, self.unique) if self.unique else text


def page(view: Observation) -> str:
    """The page in the short form."""
    usable = usable_elements(view)
    errors = [t.text[:90] for t in view.texts if t.kind is TextKind.ERROR][:_ERRORS]
    lines = [f"Page: {view.title}", *(f"! {error}" for error in errors)]
    if view.dialogs:
        lines.append(f"Dialog: {view.dialogs[-1]}")
    return "\n".join([*lines, f"Elements: {'; '.join(_line(one, usable) for one in usable)}"])


def usable_elements(view: Observation) -> list[Element]:
    """What can be acted upon now: in the dialog, where one is open."""
    dialog = view.dialogs[-1] if view.dialogs else None
    return [
        e
        for e in view.elements
        if e.in_viewport and "disabled" not in e.states and (dialog is None or e.dialog == dialog)
    ]


def _label(element: Element) -> str:
    words = element.name or element.text or element.placeholder or element.role
    return " ".join(words.split()).replace(" = ", " ")[:_LABEL].strip()


def _name(element: Element, usable: Sequence[Element]) -> str:
    """By which an answer names it."""
    label = _label(element)
    is_alone = sum(_label(one) == label for one in usable) == 1
    return label if is_alone else f"{label} #{element.id}"


def _named(name: str, view: Observation) -> Element:
    found = _NAMED.fullmatch(name)
    label, number = (found["label"], found["number"]) if found else (name, None)
    with_label = [one for one in usable_elements(view) if _label(one) == label]
    matching = [one for one in with_label if number is None or one.id == int(number)]
    if len(matching) != 1:
        raise UnusableError(f"{len(matching)} elements are named {name}")
    return matching[0]


def _line(element: Element, usable: Sequence[Element]) -> str:
    label, name = _label(element), _name(element, usable)
    more = name[len(label) :]
    if element.row and more:
        more += f" in {element.row.partition(' | ')[0][:_ROW]}"
    if element.role in _BOXES:
        more += " [x]" if "checked" in element.states else " [ ]"
    elif element.options:
        options = "|".join(element.options[:_OPTIONS])
        more += f" = {(element.value or '')[:_VALUE]} ({options})"
    elif element.role in _FIELDS:
        more += f" = {(element.value or '')[:_VALUE]}"
    return f"{label}{more}"


def _verb(action: Action) -> str | None:
    match action:
        case actions.Click(how=""):
            return "click"
        case actions.Check():
            return "check" if action.checked else "uncheck"
        case actions.Type() | actions.Select():
            return action.kind.value
        case _:
            return None


def _steps(shown: Sequence[Step], *, is_end: bool) -> Iterator[str]:
    for number, step in enumerate(shown):
        text = " ".join(line.strip() for line in step_lines(step))
        yield f"{'Next' if number else 'At'} {step.index}. {text[:_STEP]}"
    if is_end:
        yield "(end)"
