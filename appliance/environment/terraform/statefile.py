"""Read Terraform's state file, even after its writer was killed."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.core.jsonable import Json
from appliance.core.secrets import learn
from appliance.environment.terraform.types import Diagnostic, StateResource, TerraformError
from appliance.system.files import write_whole

FILE = "terraform.tfstate"
BACKUP = "terraform.tfstate.backup"
TORN = "terraform.tfstate.torn"
VERSION = 4
_Raw = dict[str, Any]  # Any: Terraform's JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The content of a state file."""

    resources: tuple[StateResource, ...] = ()
    outputs: Mapping[str, Json]
    is_torn: bool = False
    """Whether the file is only a part, and the rest comes from the backup."""

    @property
    def managed(self) -> tuple[StateResource, ...]:
        """The resources that Terraform manages, data sources aside."""
        return tuple(each for each in self.resources if not each.is_data)


def read_state(folder: Path) -> State:
    """The state of a workspace; if the file is torn, as much as can be read.

    Raises:
        TerraformError: There is a file, and neither it nor its backup can be read.
    """
    raw, is_torn = _read(folder)
    return State(
        resources=tuple(_resources(raw)),
        outputs={
            name: _learnt(output)
            for name, output in _table(raw, "outputs").items()
            if isinstance(output, dict)
        },
        is_torn=is_torn,
    )


def _learnt(output: _Raw) -> Json:
    """The value of an output, registered as a secret if the module calls it sensitive."""
    value: Json = output.get("value")
    if output.get("sensitive") is True:
        for text in _texts(value):
            learn(text)
    return value


def _texts(value: Json) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _texts(item)
        case dict():
            for item in value.values():
                yield from _texts(item)


def mend(folder: Path) -> bool:
    """Repair a torn state from its intact part and its backup; return whether it was torn.

    What was destroyed meanwhile is in the backup: Terraform finds that it is gone. What the torn
    part does not tell is known from the cloud's inventory only.
    """
    raw, is_torn = _read(folder)
    if is_torn:
        torn = folder / FILE
        write_whole(
            folder / TORN,
            torn.read_text(encoding="utf-8", errors="replace"),
            mode=0o600,
            is_durable=True,
        )
        write_whole(torn, json.dumps(raw, indent=2), mode=0o600, is_durable=True)
    return is_torn


def _read(folder: Path) -> tuple[_Raw, bool]:
    text, backup = _text(folder / FILE), _text(folder / BACKUP)
    if text is None:
        return {}, False
    if not text.strip():
        # Made empty when it is locked for the first time; emptied to be written later.
        before = _parse_state(backup or "")
        return (before, True) if before else ({}, False)
    if (state := _parse_state(text)) is not None:
        return state, False
    before, rest = _parse_state(backup or ""), _salvage(text)
    if before is None and rest is None:
        what = f"the state {folder / FILE} cannot be read, nor is there a backup of it"
        detail = "What it held is in the account's inventory only; remove the workspace after that."
        raise TerraformError(
            "reading the state", [Diagnostic(severity="error", summary=what, detail=detail)]
        )
    return _join(before or {}, rest or {}), True


def _text(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None


def _parse_state(text: str) -> _Raw | None:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return raw if isinstance(raw, dict) and raw.get("version") == VERSION else None


def _salvage(text: str) -> _Raw | None:
    """The intact part of a file whose end is missing; None if even its head is damaged."""
    lineage = re.search(r'"lineage":\s*"([^"]+)"', text)
    serial = re.search(r'"serial":\s*(\d+)', text)
    if lineage is None or serial is None:
        return None
    resources, decoder = [], json.JSONDecoder()
    start = re.search(r'^ {0,2}"resources":\s*\[\s*', text, re.MULTILINE)
    position = start.end() if start else len(text)
    while position < len(text) and text[position] == "{":
        try:
            resource, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        resources.append(resource)
        position = _after_comma(text, position)
    return {
        "version": VERSION,
        "serial": int(serial[1]),
        "lineage": lineage[1],
        "resources": resources,
    }


def _after_comma(text: str, position: int) -> int:
    gap = re.compile(r"\s*,?\s*").match(text, position)
    return gap.end() if gap else position


def _join(before: _Raw, rest: _Raw) -> _Raw:
    """Merge two states; the later one wins for resources in both."""
    by_key: dict[str, _Raw] = {}
    for raw in (before, rest):
        for resource in _rows(raw, "resources"):
            joined = by_key.setdefault(_block(resource), {**resource, "instances": []})
            later = _rows(resource, "instances")
            keys = [_key(instance) for instance in later]
            instances = [instance for instance in joined["instances"] if _key(instance) not in keys]
            joined["instances"] = [*instances, *later]
    newest = rest or before
    return {
        "version": VERSION,
        "terraform_version": before.get("terraform_version", "1.0.0"),
        "serial": max(int(before.get("serial", 0)), int(rest.get("serial", 0))) + 1,
        "lineage": newest.get("lineage", ""),
        "outputs": {},
        "resources": list(by_key.values()),
        "check_results": None,
    }


def _key(instance: _Raw) -> tuple[object, object]:
    return instance.get("index_key"), instance.get("deposed")


def _resources(raw: _Raw) -> Iterator[StateResource]:
    for resource in _rows(raw, "resources"):
        block, kind = _block(resource), str(resource.get("type", ""))
        for instance in _rows(resource, "instances"):
            attributes = _table(instance, "attributes")
            name = attributes.get("name")
            yield StateResource(
                address=block + _index(instance.get("index_key")),
                type=kind,
                id=str(attributes.get("id") or ""),
                name=name if isinstance(name, str) else "",
                is_data=resource.get("mode") == "data",
            )


def _block(resource: _Raw) -> str:
    parts = [resource.get("module"), "data" if resource.get("mode") == "data" else None]
    parts += [resource.get("type"), resource.get("name")]
    return ".".join(str(part) for part in parts if part)


def _index(key: object) -> str:
    return "" if key is None else f"[{json.dumps(key, ensure_ascii=False)}]"


def _rows(raw: _Raw, key: str) -> list[_Raw]:
    rows = raw.get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _table(raw: _Raw, key: str) -> _Raw:
    table = raw.get(key)
    return table if isinstance(table, dict) else {}
