"""Parses a model's reply into an answer that can be used, or says why it cannot be used."""

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
_MAX_FAULTS = 3
"""Faults that are told at once."""
_MAX_QUOTE = 200


class UnusableError(Exception):
    """Why an answer cannot be used, as words for the model."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What an answer must satisfy besides its schema."""

    steps: frozenset[str]
    worded: bool
    points: bool
    """Whether a point of the screenshot can be named."""
    has_file: bool


def read(reply: ModelReply, kind: type[PartT]) -> PartT:
    """Parse the reply as the given type; prose around the JSON object is ignored.

    Raises:
        UnusableError: It is empty, cut off, prose, or of another shape.
    """
    text = _THOUGHT.sub("", reply.text).strip()
    if reply.finish_reason == "length":
        raise UnusableError(f"it was cut off after {reply.tokens_out} tokens: be brief")
    if not text:
        raise UnusableError("it is empty")
    candidate = reply.parsed if reply.parsed is not None else _json_object(text)
    if candidate is None:
        raise UnusableError(f"it is no JSON object but {text[:_MAX_QUOTE]!r}")
    try:
        return kind.model_validate(candidate)
    except ValidationError as exc:
        raise UnusableError(_faults(exc)) from None


def _json_object(text: str) -> dict[str, object] | None:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        candidate = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    return candidate if isinstance(candidate, dict) else None


def _faults(exc: ValidationError) -> str:
    faults = exc.errors(include_url=False, include_context=False)
    descriptions = [
        f"{_path(fault['loc'])}: {fault['msg']}{_input_text(fault['input'])}"
        for fault in faults[:_MAX_FAULTS]
    ]
    remainder = f"; and {len(faults) - _MAX_FAULTS} more" if len(faults) > _MAX_FAULTS else ""
    return "; ".join(descriptions) + remainder


def _path(loc: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in loc) or "the answer"


def _input_text(value: object) -> str:
    if isinstance(value, dict) and "kind" not in value:
        return ""
    shown = value.get("kind") if isinstance(value, dict) else value
    return f" (it is {str(shown)[:40]!r})" if isinstance(shown, str | int | float) else ""


def validate_answer(answer: AgentAnswer, view: Observation, rules: Rules) -> None:
    """Check an answer against the procedure and the page.

    Raises:
        UnusableError: It names a step, an element or a list that is not there.
    """
    for index in (answer.step, *(note.step for note in answer.notes)):
        if index not in rules.steps:
            known_steps = ", ".join(sorted(rules.steps, key=_step_order))
            raise UnusableError(f"there is no step {index!r}; the steps are {known_steps}")
    for number in named_elements(answer):
        _validate_element(number, view, rules)
    match answer.action:
        case ClickAt() if not rules.points:
            raise UnusableError("there is no screenshot to point at: name an element")
        case Unfold(list=number) if all(fold.id != number for fold in view.folds):
            lists = ", ".join(str(fold.id) for fold in view.folds) or "none"
            raise UnusableError(f"there is no long list {number}; the lists are {lists}")
        case Upload() if not rules.has_file:
            raise UnusableError("there is no file to upload")


def named_elements(answer: AgentAnswer) -> list[int | Described]:
    """The elements that the action refers to."""
    action = answer.action
    targets = [getattr(action, "element", None)]
    if isinstance(action, Drag):
        targets.append(action.to)
    return [target for target in targets if target is not None]


def _validate_element(target: int | Described, view: Observation, rules: Rules) -> None:
    if isinstance(target, Described):
        if not rules.worded:
            raise UnusableError("name elements by their number")
        return
    if view.element(target) is None:
        numbers = sorted(e.id for e in view.elements)
        range_ = f"{numbers[0]} to {numbers[-1]}" if numbers else "none"
        raise UnusableError(f"there is no element {target} on the page; there are {range_}")


def _step_order(index: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(p) if p.isdigit() else 0, p) for p in index.split("."))
