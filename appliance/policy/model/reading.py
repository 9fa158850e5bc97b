"""From a model's words to an answer that can be used, or to a sentence that says why it cannot."""

import json
import re
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from appliance.core.page import Observation
from appliance.inference.messages import ModelReply
from appliance.policy.model.answer import (
    AgentAnswer,
    ClickAt,
    Described,
    Drag,
    Unfold,
    Upload,
)

PartT = TypeVar("PartT", bound=BaseModel)
_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
_LISTED = 3
"""Faults that are told at once."""
_SHOWN = 200


class UnusableError(Exception):
    """Why an answer cannot be used, as words for the model."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What an answer is held to, beside its schema."""

    steps: frozenset[str]
    worded: bool
    points: bool
    """Whether a point of the screenshot can be named."""
    has_file: bool


def read(said: ModelReply, kind: type[PartT]) -> PartT:
    """The answer as its type; prose around the JSON object is overlooked.

    Raises:
        UnusableError: It is empty, cut off, prose, or of another shape.
    """
    text = _THOUGHT.sub("", said.text).strip()
    if said.finish_reason == "length":
        raise UnusableError(f"it was cut off after {said.tokens_out} tokens: be brief")
    if not text:
        raise UnusableError("it is empty")
    found = said.parsed if said.parsed is not None else _object(text)
    if found is None:
        raise UnusableError(f"it is no JSON object but {text[:_SHOWN]!r}")
    try:
        return kind.model_validate(found)
    except ValidationError as exc:
        raise UnusableError(_faults(exc)) from None


def _object(text: str) -> dict[str, object] | None:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        found = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _faults(exc: ValidationError) -> str:
    faults = exc.errors(include_url=False, include_context=False)
    told = [f"{_path(f['loc'])}: {f['msg']}{_given(f['input'])}" for f in faults[:_LISTED]]
    more = f"; and {len(faults) - _LISTED} more" if len(faults) > _LISTED else ""
    return "; ".join(told) + more


def _path(loc: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in loc) or "the answer"


def _given(value: object) -> str:
    if isinstance(value, dict) and "kind" not in value:
        return ""
    said = value.get("kind") if isinstance(value, dict) else value
    return f" (it is {str(said)[:40]!r})" if isinstance(said, str | int | float) else ""


def hold(answer: AgentAnswer, view: Observation, rules: Rules) -> None:
    """Hold an answer to the procedure and to the page.

    Raises:
        UnusableError: It names a step, an element or a list that is not there.
    """
    for index in (answer.step, *(note.step for note in answer.notes)):
        if index not in rules.steps:
            known = ", ".join(sorted(rules.steps, key=_by_number))
            raise UnusableError(f"there is no step {index!r}; the steps are {known}")
    for number in named_in(answer):
        _hold_element(number, view, rules)
    match answer.action:
        case ClickAt() if not rules.points:
            raise UnusableError("there is no screenshot to point at: name an element")
        case Unfold(list=number) if all(fold.id != number for fold in view.folds):
            lists = ", ".join(str(fold.id) for fold in view.folds) or "none"
            raise UnusableError(f"there is no long list {number}; the lists are {lists}")
        case Upload() if not rules.has_file:
            raise UnusableError("there is no file to upload")


def named_in(answer: AgentAnswer) -> list[int | Described]:
    """The elements that the action names."""
    action = answer.action
    named = [getattr(action, "element", None)]
    if isinstance(action, Drag):
        named.append(action.to)
    return [element for element in named if element is not None]


def _hold_element(named: int | Described, view: Observation, rules: Rules) -> None:
    if isinstance(named, Described):
        if not rules.worded:
            raise UnusableError("name elements by their number")
        return
    if view.element(named) is None:
        numbers = sorted(e.id for e in view.elements)
        range_ = f"{numbers[0]} to {numbers[-1]}" if numbers else "none"
        raise UnusableError(f"there is no element {named} on the page; there are {range_}")


def _by_number(index: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(p) if p.isdigit() else 0, p) for p in index.split("."))
