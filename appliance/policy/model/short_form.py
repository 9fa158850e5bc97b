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
"""Stands for the random suffix of names made up in an attempt, which no model could memorise."""
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
_ANSWER = re.compile(
    r"(?P<untrue>(?:untrue \S+ \w+; )*)"
    r"(?:(?P<done>done)|(?P<step>\S+) (?P<verb>click|check|uncheck|type|select) (?P<rest>.+))"
)
_UNTRUE = re.compile(r"untrue (\S+) (\w+); ")
_ELEMENT_NAME = re.compile(r"(?P<label>.*?)(?: #(?P<number>\d+))?")
_REFERENCE = re.compile(r"v(\d+)")


class Untrue(NamedTuple):
    """A step that an answer says is not true of the console, and in which way."""

    step: str
    kind: DivergenceKind


class ShortAnswer(NamedTuple):
    """The parts of an answer."""

    action: Action
    step: str
    """Empty if the procedure is done."""
    untrue: tuple[Untrue, ...]


@dataclass(slots=True)
class ShortForm:
    """The questions and answers of one attempt, turn after turn."""

    procedure: Procedure
    bindings: Mapping[str, str]
    """As a model may see them: a secret is replaced by its name."""
    unique: str
    _current_step: str = field(init=False)
    _done: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._current_step = self.procedure.steps[0].index if self.procedure.steps else ""

    def prompt(self, view: Observation) -> str:
        """The question about a page."""
        steps = self._upcoming_steps()
        values = "; ".join(
            f"v{number} {value}" for number, value in enumerate(self._value_lines(steps), 1)
        )
        lines = [
            page(view),
            f"Task: {self.procedure.title}",
            *([f"Values: {values}"] if values else []),
            *_steps(steps, is_end=steps[-1:] == self._steps()[-1:]),
            f"Done: {'; '.join(self._done[-_DONE:]) or 'nothing'}",
            "Action:",
        ]
        return self._with_common_suffix("\n".join(lines))

    def answer(
        self, view: Observation, action: Action, step: str, untrue: Sequence[Untrue]
    ) -> str | None:
        """The answer that would lead to this action; None if the form cannot express it."""
        untrue_prefix = "".join(
            f"untrue {untrue_step.step} {untrue_step.kind.value}; " for untrue_step in untrue
        )
        if isinstance(action, actions.Complete):
            return f"{untrue_prefix}done"
        element = view.element(action.element) if action.element is not None else None
        usable = usable_elements(view)
        verb = _verb(action)
        if element is None or verb is None or element not in usable:
            return None
        words = f"{step} {verb} {_answer_name(element, usable)}"
        if isinstance(action, actions.Type):
            words += f" = {self._reference(action.text)}"
        elif isinstance(action, actions.Select):
            words += f" = {action.option}"
        return self._with_common_suffix(untrue_prefix + words)

    def read(self, reply: str, view: Observation) -> ShortAnswer:
        """Parse an answer about the page.

        Raises:
            UnusableError: It is none, or names what is not there.
        """
        match = _ANSWER.fullmatch(reply.strip())
        if match is None:
            raise UnusableError("it is not STEP VERB LABEL, nor done")
        untrue = tuple(self._untrue(*pair) for pair in _UNTRUE.findall(match["untrue"]))
        if match["done"]:
            return ShortAnswer(actions.Complete("the steps are done"), "", untrue)
        step = self._known_step(match["step"])
        action = self._action(match["verb"], self._with_own_suffix(match["rest"]), view)
        return ShortAnswer(action, step, untrue)

    def record_turn(self, step: str, words: str) -> None:
        """End a turn; its words, if there are any, are listed as done from now on."""
        self._current_step = step or self._current_step
        if words:
            self._done.append(words.rpartition("; ")[2])

    def _upcoming_steps(self) -> list[Step]:
        steps = self._steps()
        first = next((n for n, step in enumerate(steps) if step.index == self._current_step), 0)
        return steps[first : first + _STEPS]

    def _steps(self) -> list[Step]:
        return list(self.procedure.walk())

    def _values(self, steps: Sequence[Step]) -> list[tuple[str, str]]:
        """What may be typed, with its label: bound values, then literals of the steps."""
        bound_values = [
            (value, label)
            for label, value in self.bindings.items()
            if value and label != "unique" and not label.endswith(" id")
        ]
        literal_values = [
            (inline.text, "")
            for step in steps
            for inline in inlines_of(step)
            if inline.role is InlineRole.LITERAL
        ]
        labels: dict[str, str] = {}
        for value, label in (*bound_values, *literal_values):
            labels.setdefault(value, label)
        return list(labels.items())

    def _value_lines(self, steps: Sequence[Step]) -> Iterator[str]:
        for value, label in self._values(steps):
            yield f"{value} ({label})" if label else value

    def _reference(self, text: str) -> str:
        typable = [value for value, _ in self._values(self._upcoming_steps())]
        return f"v{typable.index(text) + 1}" if text in typable else text

    def _resolve_value(self, reference: str) -> str:
        typable = [value for value, _ in self._values(self._upcoming_steps())]
        match = _REFERENCE.fullmatch(reference)
        index = int(match[1]) - 1 if match else -1
        return typable[index] if 0 <= index < len(typable) else reference

    def _action(self, verb: str, rest: str, view: Observation) -> Action:
        name, equals, value = rest, "", ""
        if verb in ("type", "select"):
            name, equals, value = rest.partition(" = ")
            if not equals:
                raise UnusableError(f"it does not say what to {verb}")
        element = _element_named(name, view).id
        match verb:
            case "type":
                return actions.Type(element, self._resolve_value(value))
            case "select":
                return actions.Select(element, value)
            case "click":
                return actions.Click(element)
            case _:
                return actions.Check(element, verb == "check")

    def _untrue(self, step: str, kind: str) -> Untrue:
        try:
            return Untrue(self._known_step(step), DivergenceKind(kind))
        except ValueError:
            raise UnusableError(f"there is no kind {kind} of what is untrue") from None

    def _known_step(self, step: str) -> str:
        if all(step != known_step.index for known_step in self._steps()):
            raise UnusableError(f"the text has no step {step}")
        return step

    def _with_common_suffix(self, text: str) -> str:
        return text.replace(self.unique, UNIQUE) if self.unique else text

    def _with_own_suffix(self, text: str) -> str:
        return text.replace(UNIQUE, self.unique) if self.unique else text


def page(view: Observation) -> str:
    """The page in the short form."""
    usable = usable_elements(view)
    errors = [t.text[:90] for t in view.texts if t.kind is TextKind.ERROR][:_ERRORS]
    lines = [f"Page: {view.title}", *(f"! {error}" for error in errors)]
    if view.dialogs:
        lines.append(f"Dialog: {view.dialogs[-1]}")
    return "\n".join(
        [*lines, f"Elements: {'; '.join(_element_line(element, usable) for element in usable)}"]
    )


def usable_elements(view: Observation) -> list[Element]:
    """Elements that can be acted upon now: those of the dialog, if one is open."""
    dialog = view.dialogs[-1] if view.dialogs else None
    return [
        e
        for e in view.elements
        if e.in_viewport and "disabled" not in e.states and (dialog is None or e.dialog == dialog)
    ]


def _label(element: Element) -> str:
    words = element.name or element.text or element.placeholder or element.role
    return " ".join(words.split()).replace(" = ", " ")[:_LABEL].strip()


def _answer_name(element: Element, usable: Sequence[Element]) -> str:
    """The name by which an answer refers to the element."""
    label = _label(element)
    is_unique = sum(_label(other) == label for other in usable) == 1
    return label if is_unique else f"{label} #{element.id}"


def _element_named(name: str, view: Observation) -> Element:
    match = _ELEMENT_NAME.fullmatch(name)
    label, number = (match["label"], match["number"]) if match else (name, None)
    labelled = [element for element in usable_elements(view) if _label(element) == label]
    candidates = [element for element in labelled if number is None or element.id == int(number)]
    if len(candidates) != 1:
        raise UnusableError(f"{len(candidates)} elements are named {name}")
    return candidates[0]


def _element_line(element: Element, usable: Sequence[Element]) -> str:
    label, answer_name = _label(element), _answer_name(element, usable)
    suffix = answer_name[len(label) :]
    if element.row and suffix:
        suffix += f" in {element.row.partition(' | ')[0][:_ROW]}"
    if element.role in _BOXES:
        suffix += " [x]" if "checked" in element.states else " [ ]"
    elif element.options:
        options = "|".join(element.options[:_OPTIONS])
        suffix += f" = {(element.value or '')[:_VALUE]} ({options})"
    elif element.role in _FIELDS:
        suffix += f" = {(element.value or '')[:_VALUE]}"
    return f"{label}{suffix}"


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


def _steps(steps: Sequence[Step], *, is_end: bool) -> Iterator[str]:
    for number, step in enumerate(steps):
        text = " ".join(line.strip() for line in step_lines(step))
        yield f"{'Next' if number else 'At'} {step.index}. {text[:_STEP]}"
    if is_end:
        yield "(end)"
