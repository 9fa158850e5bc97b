"""What a model's answer says: the configuration in it, or why there is none."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from appliance.core.jsonable import Json
from appliance.environment.coder.draft import LABELS, Body
from appliance.environment.terraform import Diagnostic

_ANYTHING: Mapping[str, Json] = {"type": "object", "additionalProperties": True}


def _named(labels: int) -> dict[str, Json]:
    """The type of JSON objects nested by name, one level for each label."""
    inner = _named(labels - 1) if labels > 1 else dict(_ANYTHING)
    return {"type": "object", "additionalProperties": inner} if labels else inner


SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "configuration": {
            "type": "object",
            "properties": {kind: _named(labels) for kind, labels in LABELS.items()},
            "additionalProperties": False,
        },
        "impossible": {"type": "string"},
    },
    "required": ["configuration", "impossible"],
    "additionalProperties": False,
}
"""What an answer has to look like. A model that was not held to it may still be understood."""
_FENCED = re.compile(r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)
_MOST_CHARACTERS = 32_768


@dataclass(frozen=True, slots=True, kw_only=True)
class CoderAnswer:
    """The parsed answer of the model: a configuration, or why there is none."""

    configuration: Body = field(default_factory=dict)
    """Empty: there is none."""
    impossible: str = ""


def parse_answer(answer: str) -> CoderAnswer:
    """What it says, without what stands around the JSON.

    Raises:
        Refused: It is no JSON, or says one thing twice.
    """
    if len(answer) > _MOST_CHARACTERS:
        raise Refused(problem("", f"longer than {_MOST_CHARACTERS} characters", "Write less."))
    fenced = _FENCED.search(answer)
    text = fenced[1] if fenced else answer
    begin, end = text.find("{"), text.rfind("}") + 1
    if begin < 0:
        return CoderAnswer()
    try:
        values: dict[str, Json] = json.loads(text[begin:end], object_pairs_hook=_once)
    except (ValueError, RecursionError) as exc:
        raise Refused(problem("", "syntax error in the JSON", str(exc))) from exc
    if not values.keys() & {"configuration", "impossible"}:
        return CoderAnswer(configuration=values)
    configuration, why = values.get("configuration"), values.get("impossible")
    return CoderAnswer(
        configuration=configuration if isinstance(configuration, dict) else {},
        impossible=why.strip() if isinstance(why, str) else "",
    )


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object, where every key stands once: of two, Terraform might take the other one."""
    members: dict[str, Json] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f"`{key}` is there twice")
        members[key] = value
    return members


class Refused(Exception):
    """A configuration that must not run, with all that is wrong with it."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


def problem(address: str, summary: str, detail: str = "") -> Diagnostic:
    """Something wrong with a block; without an address, with the whole."""
    return Diagnostic(severity="error", summary=summary, detail=detail, address=address)
