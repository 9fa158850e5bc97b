"""The answer a model should have given, in the agent's format, for a turn another policy chose."""

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from appliance.core import actions
from appliance.core.actions import ActionKind
from appliance.core.jsonable import Json
from appliance.core.page import Element, Observation
from appliance.core.verdict import StepStatus
from appliance.verification import KeptAction, Moment

_MATCH_BY_STATUS = {
    StepStatus.AS_WRITTEN: "as_written",
    StepStatus.DIVERGED: "differs",
    StepStatus.STUCK: "missing",
    StepStatus.SKIPPED: "not_applicable",
    StepStatus.UNREACHED: "unreachable",
}
_OMITTED_ARGUMENTS = frozenset({"path", "where"})
"""Arguments that an answer does not name: the agent decides which file to use."""


def answer_of(moment: Moment, noted_steps: Mapping[str, str], *, worded: bool) -> str:
    """The whole answer, as JSON.

    Args:
        moment: What was seen and chosen.
        noted_steps: What was noted of steps before.
        worded: Whether elements are named in words, else by number.
    """
    done_steps = ", ".join(step for step in noted_steps if noted_steps[step] == "as_written")
    page_name = moment.view.dialogs[-1] if moment.view.dialogs else moment.view.title
    return json.dumps(
        {
            "progress": f"done: {done_steps}" if done_steps else "nothing yet",
            "page": page_name,
            "next": moment.thought,
            "notes": list(notes_of(moment)),
            "suspicious": "",
            "step": moment.step,
            "is_detour": moment.is_detour,
            "action": action_fields(moment.action, moment.view, worded=worded),
        },
        ensure_ascii=False,
    )


def notes_of(moment: Moment) -> Iterator[dict[str, Json]]:
    """Yield the notes of a turn without repeats: divergences first, then the other step reports."""
    diverged_steps = set[str]()
    stuck_steps = {report.step for report in moment.reports if report.status is StepStatus.STUCK}
    for divergence in moment.divergences:
        diverged_steps.add(divergence.step)
        yield {
            "step": divergence.step,
            "matched": "missing" if divergence.step in stuck_steps else "differs",
            "quote": divergence.quote,
            "shown": divergence.shown,
            "suggestion": divergence.suggestion or "",
            "kind": divergence.kind.value,
        }
    other_reports = {
        report.step: report
        for report in moment.reports
        if not report.is_open and report.step not in diverged_steps
    }
    for step, report in other_reports.items():
        yield {
            "step": step,
            "matched": _MATCH_BY_STATUS[report.status],
            "quote": "",
            "shown": report.note,
            "suggestion": "",
            "kind": "none",
        }


def action_fields(action: KeptAction, view: Observation, *, worded: bool) -> dict[str, Json]:
    """Return the action as the fields of an answer's `action` object."""
    fields: dict[str, Json] = {"kind": action.kind.value}
    action_class = actions.BY_KIND[action.kind]
    if "element" in getattr(action_class, "__slots__", ()):
        fields["element"] = _element_reference(action.element, view, worded=worded)
    if action.kind is ActionKind.DRAG:
        fields["to"] = _element_reference(action.to, view, worded=worded)
    if action.kind is ActionKind.UNFOLD:
        fields["list"] = action.element
    if action_class.ARGUMENT and action_class.ARGUMENT not in _OMITTED_ARGUMENTS:
        fields[action_class.ARGUMENT] = _argument(action)
    if action.kind is ActionKind.UPLOAD:
        name = PurePath(action.argument).name
        fields["name"] = "" if name == "sample.txt" else name
    return fields


def _argument(action: KeptAction) -> Json:
    match action.kind:
        case ActionKind.CHECK:
            return action.argument == str(True)
        case ActionKind.WAIT:
            return float(action.argument or 1)
        case _:
            return action.argument


def _element_reference(number: int | None, view: Observation, *, worded: bool) -> Json:
    element = view.element(number) if number is not None else None
    return _describe_element(element) if worded and element is not None else number


def _describe_element(element: Element) -> dict[str, Json]:
    return {
        "role": element.role,
        "label": element.name or element.text or element.placeholder or element.role,
        "place": describe_place(element),
    }


def describe_place(element: Element) -> str:
    """Say where an element is, as a planner would: by its row, else dialog, section or region."""
    if element.row is not None:
        return f"in the row {element.row.partition(' | ')[0]}"
    if element.dialog:
        return f"in the dialog {element.dialog}"
    return element.section or element.region
