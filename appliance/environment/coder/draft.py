"""A configuration in Terraform's JSON syntax, and how it is written."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from appliance.core.jsonable import Json
from appliance.environment.modules import JSON_FILE
from appliance.environment.terraform import Diagnostic

Body = Mapping[str, Json]

LABELS = {"variable": 1, "locals": 0, "data": 2, "resource": 2, "output": 1}
"""The kinds of blocks that there may be, and how many names each has."""


@dataclass(frozen=True, slots=True)
class Block:
    """`{"kind": {"label": {…}}}`."""

    kind: str
    labels: tuple[str, ...]
    body: Body

    @property
    def address(self) -> str:
        """What it is called in references and diagnostics."""
        first = () if self.kind == "resource" else (self.kind,)
        return ".".join((*first, *self.labels))


@dataclass(frozen=True, slots=True)
class Draft:
    """A configuration whose shape was looked at."""

    configuration: Body

    def of(self, *kinds: str) -> tuple[Block, ...]:
        """The blocks of these kinds."""
        return tuple(
            block
            for kind in kinds
            for block in _blocks(kind, (), self.configuration.get(kind, {}), LABELS[kind])
        )

    def write(self, folder: Path, provider: str, source: str) -> None:
        """Put it into a folder, which is made, as a module."""
        head: Body = {"terraform": {"required_providers": {provider: {"source": source}}}}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / JSON_FILE).write_text(to_json({**head, **self.configuration}), encoding="utf-8")

    @property
    def text(self) -> str:
        """The configuration as JSON text."""
        return to_json(self.configuration)


def to_json(configuration: Body) -> str:
    """As Terraform reads it; `ValueError`: it has a number that is none."""
    return json.dumps(configuration, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _blocks(kind: str, labels: tuple[str, ...], value: Json, deeper: int) -> tuple[Block, ...]:
    if not isinstance(value, dict):
        return ()
    if not deeper:
        return (Block(kind, labels, value),)
    return tuple(
        block
        for label, inner in value.items()
        for block in _blocks(kind, (*labels, label), inner, deeper - 1)
    )


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
