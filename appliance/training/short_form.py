"""The short form of a prompt, for small models: one line of elements, and an answer of a few words.

An answer is `STEP KIND LABEL #NUMBER`, with a value before the label, or `done`; before it, where
the text is not true, `untrue STEP KIND;`. Words are easier to copy than numbers are to find: so the
label comes first, and the number behind it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from appliance.core.actions import ActionKind
from appliance.core.page import Element, Observation, TextKind
from appliance.core.procedure import Procedure
from appliance.policy.model import step_text
from appliance.verification import Demonstration, Moment

VERSION = "short-1"
UNIQUE = "qz"
"""Stands for the suffix of names that are made up in an attempt: nobody can know it by heart."""
_LABEL = 48
_ROW = 24
_OPTIONS = 8
_DONE = 4
_STEPS = 3
"""The step at hand, and those after it."""
_ERRORS = 2
_BOXES = frozenset({"checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"})
_FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
_KINDS = frozenset(
    {ActionKind.CLICK, ActionKind.TYPE, ActionKind.SELECT, ActionKind.CHECK, ActionKind.COMPLETE}
)


class Asked(NamedTuple):
    """One turn in the short form."""

    prompt: str
    answer: str


@dataclass(frozen=True, slots=True)
class ShortForm:
    """Prompts and answers of one attempt in the short form."""

    demonstration: Demonstration

    def turns(self) -> Iterator[Asked | None]:
        """Of every turn; None: it cannot be said in it."""
        order = [step.index for step in self.demonstration.procedure.walk()]
        said: list[str] = []
        at = order[0] if order else ""
        for moment in self.demonstration.moments:
            words = self._words(moment)
            yield None if words is None else Asked(self._prompt(moment, at, said), words)
            at = moment.step or at
            if words is not None:
                said.append(words.rpartition("; ")[2].rpartition(" #")[0] or words)

    def _prompt(self, moment: Moment, at: str, said: Sequence[str]) -> str:
        of = self.demonstration
        values = [
            f"{label}: {value}"
            for label, value in of.bindings.items()
            if label != "unique" and not label.endswith(" id")
        ]
        lines = [
            self.page(moment.view),
            f"Task: {of.procedure.title}",
            *([f"Values: {'; '.join(values)}"] if values else []),
            *_steps(of.procedure, at),
            f"Done: {'; '.join(said[-_DONE:]) or 'nothing'}",
            "Action:",
        ]
        return self._common("\n".join(lines))

    def page(self, view: Observation) -> str:
        """The page."""
        usable = _usable(view)
        labels = Counter(map(_label, usable))
        errors = [t.text[:90] for t in view.texts if t.kind is TextKind.ERROR][:_ERRORS]
        lines = [f"Page: {view.title}", *(f"! {error}" for error in errors)]
        if view.dialogs:
            lines.append(f"Dialog: {view.dialogs[-1]}")
        told = "; ".join(_line(one, is_alone=labels[_label(one)] == 1) for one in usable)
        return "\n".join([*lines, f"Elements: {told}"])

    def _words(self, moment: Moment) -> str | None:
        action = moment.action
        if action.kind not in _KINDS or action.point is not None:
            return None
        untrue = "".join(f"untrue {d.step} {d.kind.value}; " for d in moment.divergences)
        if action.kind is ActionKind.COMPLETE:
            return f"{untrue}done"
        element = moment.view.element(action.element) if action.element is not None else None
        if element is None:
            return None
        said = f"{moment.step} {_verb(action.kind, action.argument)}{_label(element)} #{element.id}"
        return self._common(untrue + said)

    def _common(self, text: str) -> str:
        unique = self.demonstration.unique
        return text.replace(unique, UNIQUE) if unique else text


def _verb(kind: ActionKind, argument: str) -> str:
    match kind:
        case ActionKind.TYPE:
            return f'type "{argument}" in '
        case ActionKind.SELECT:
            return f'select "{argument}" in '
        case ActionKind.CHECK:
            return "check " if argument == str(True) else "uncheck "
        case _:
            return "click "


def _usable(view: Observation) -> list[Element]:
    """What can be acted upon now: in the dialog, where one is open."""
    dialog = view.dialogs[-1] if view.dialogs else None
    return [
        e
        for e in view.elements
        if e.in_viewport and "disabled" not in e.states and (dialog is None or e.dialog == dialog)
    ]


def _label(element: Element) -> str:
    words = element.name or element.text or element.placeholder or element.role
    return " ".join(words.split())[:_LABEL].strip()


def _line(element: Element, *, is_alone: bool) -> str:
    more = ""
    if element.row and not is_alone:
        more += f" in {element.row.partition(' | ')[0][:_ROW]}"
    if element.role in _BOXES:
        more += " [x]" if "checked" in element.states else " [ ]"
    elif element.options:
        options = "|".join(option[:_ROW] for option in element.options[:_OPTIONS])
        more += f" = {(element.value or '')[:_ROW]} ({options})"
    elif element.role in _FIELDS:
        more += f" = {(element.value or '')[:_ROW]}"
    return f"{_label(element)}{more} #{element.id}"


def _steps(procedure: Procedure, at: str) -> list[str]:
    steps = list(procedure.walk())
    first = next((n for n, step in enumerate(steps) if step.index == at), 0)
    shown = [
        f"{'Next' if n else 'At'} {step.index}. {step_text(step)}"
        for n, step in enumerate(steps[first : first + _STEPS])
    ]
    return [*shown, *(["(end)"] if first + _STEPS >= len(steps) else [])]
