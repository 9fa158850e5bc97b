"""A configuration in Terraform's JSON syntax, and how it is written."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance.core.jsonable import Json
from appliance.environment.modules import JSON_FILE

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
