"""What a model should have answered where somebody else chose: the answer that the agent takes."""

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from appliance.core import actions
from appliance.core.actions import ActionKind
from appliance.core.jsonable import Json
from appliance.core.page import Element, Observation
from appliance.core.verdict import StepStatus
from appliance.verification import KeptAction, Moment

_MATCHED = {
    StepStatus.AS_WRITTEN: "as_written",
    StepStatus.DIVERGED: "differs",
    StepStatus.STUCK: "missing",
    StepStatus.SKIPPED: "not_applicable",
    StepStatus.UNREACHED: "unreachable",
}
_LEFT_OUT = frozenset({"path", "where"})
"""Arguments of actions that an answer does not have: which file it is, is the agent's affair."""


def answer_of(moment: Moment, noted: Mapping[str, str], *, worded: bool) -> str:
    """The whole answer, as JSON.

    Args:
        moment: What was seen and chosen.
        noted: What was noted of steps before.
        worded: Whether elements are named in words, else by number.
    """
    done = ", ".join(step for step in noted if noted[step] == "as_written")
    on = moment.view.dialogs[-1] if moment.view.dialogs else moment.view.title
    return json.dumps(
        {
            "progress": f"done: {done}" if done else "nothing yet",
            "page": on,
            "next": moment.thought,
            "notes": list(notes_of(moment)),
            "suspicious": "",
            "step": moment.step,
            "is_detour": moment.is_detour,
            "action": deed_of(moment.action, moment.view, worded=worded),
        },
        ensure_ascii=False,
    )


def notes_of(moment: Moment) -> Iterator[dict[str, Json]]:
    """The notes of a turn, each thing once: what diverged, then what else is known of steps."""
    untrue = set[str]()
    stuck = {r.step for r in moment.reports if r.status is StepStatus.STUCK}
    for one in moment.divergences:
        untrue.add(one.step)
        yield {
            "step": one.step,
            "matched": "missing" if one.step in stuck else "differs",
            "quote": one.quote,
            "shown": one.shown,
            "suggestion": one.suggestion or "",
            "kind": one.kind.value,
        }
    told = {r.step: r for r in moment.reports if not r.is_open and r.step not in untrue}
    for step, report in told.items():
        yield {
            "step": step,
            "matched": _MATCHED[report.status],
            "quote": "",
            "shown": report.note,
            "suggestion": "",
            "kind": "none",
        }


def deed_of(action: KeptAction, view: Observation, *, worded: bool) -> dict[str, Json]:
    """The action as the answer has it."""
    deed: dict[str, Json] = {"kind": action.kind.value}
    made = actions.BY_KIND[action.kind]
    if "element" in getattr(made, "__slots__", ()):
        deed["element"] = _named(action.element, view, worded=worded)
    if action.kind is ActionKind.DRAG:
        deed["to"] = _named(action.to, view, worded=worded)
    if action.kind is ActionKind.UNFOLD:
        deed["list"] = action.element
    if made.ARGUMENT and made.ARGUMENT not in _LEFT_OUT:
        deed[made.ARGUMENT] = _argument(action)
    if action.kind is ActionKind.UPLOAD:
        name = PurePath(action.argument).name
        deed["name"] = "" if name == "sample.txt" else name
    return deed


def _argument(action: KeptAction) -> Json:
    match action.kind:
        case ActionKind.CHECK:
            return action.argument == str(True)
        case ActionKind.WAIT:
            return float(action.argument or 1)
        case _:
            return action.argument


def _named(number: int | None, view: Observation, *, worded: bool) -> Json:
    element = view.element(number) if number is not None else None
    return _in_words(element) if worded and element is not None else number


def _in_words(element: Element) -> dict[str, Json]:
    return {
        "role": element.role,
        "label": element.name or element.text or element.placeholder or element.role,
        "place": place_of(element),
    }


def place_of(element: Element) -> str:
    """Where an element is, as a planner says it: its row, else its dialog, section, or part."""
    if element.row is not None:
        return f"in the row {element.row.partition(' | ')[0]}"
    if element.dialog:
        return f"in the dialog {element.dialog}"
    return element.section or element.region
