"""Writes the modules of the practice cloud: `scripts/practice-modules`.

What a resource type takes is in the provider's `schema.json`; what people call it, and what else
they know of it, is in `terraform/practice/modules.yaml`. Nothing else goes into the files.
"""

import json
import sys
from collections.abc import Iterator

from appliance.environment.modules.catalogue import OURS
from appliance.environment.modules.hcl import RESERVED
from appliance.environment.terraform import PROVIDER
from appliance.system.yaml import load
from scripts.practice_modules.writing import Input, Module, Raw, hcl, texts

KNOWN = OURS / "practice" / "modules.yaml"
SCHEMA = PROVIDER / "practice_provider" / "schema.json"
CONTENT = "practice"
"""What is in a file that nobody described."""
_TYPES = {
    "number": "number",
    "boolean": "bool",
    "tags": "map(string)",
    "choices": "list(string)",
    "references": "list(string)",
}


def files() -> dict[str, str]:
    """The text of every file by its path under `terraform/practice`."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))["resources"]
    known = load(KNOWN.read_text(encoding="utf-8"))
    if strangers := schema.keys() ^ known.keys():
        raise SystemExit(f"only in one of {SCHEMA} and {KNOWN}: {', '.join(sorted(strangers))}")
    texts_by_path: dict[str, str] = {}
    for kind, raw in schema.items():
        module = _module_of(kind, raw, known[kind], _destroyed_by(kind, schema))
        texts_by_path |= {f"{kind}/{name}": text for name, text in texts(module).items()}
    return texts_by_path


def _module_of(kind: str, raw: Raw, known: Raw, destroyed_by: str) -> Module:
    fields: Raw = raw["fields"]
    inputs = [input_ for name in fields for input_ in _inputs(kind, name, raw, known)]
    states = _states(raw["actions"], known["state"])
    if states:
        description = f"What it is brought to after it was made: {_alternatives(states)}."
        inputs.append(
            Input(name="state", attribute="state", type="string", description=description)
        )
    generated = {
        name: name for name, inner in fields.items() if inner.get("generated", "secret") != "secret"
    }
    outputs = {"id": "id", "name": "name" if "name" in fields else "id", **generated}
    return Module(
        kind=kind,
        known=known,
        inputs=tuple(inputs),
        outputs=outputs,
        states=states,
        destroyed_by=destroyed_by,
    )


def _destroyed_by(kind: str, schema: Raw) -> str:
    """The cloud deletes nothing that something else refers to."""
    users = [
        raw["title"]
        for raw in schema.values()
        if any(field.get("refers_to") == kind for field in raw["fields"].values())
    ]
    sentence = "Terraform deletes it."
    if state := schema[kind]["deleted_from"]:
        sentence += f" It is brought to the state {_alternatives(state)} before."
    if users:
        return f"{sentence} Any {_alternatives(users)} that refers to it goes first."
    return f"{sentence} Nothing has to go first."


def _states(actions: Raw, first: str) -> tuple[str, ...]:
    """The states that one can ask for, the usual one first; empty: there is no choice."""
    reached = dict.fromkeys([first, *(action["to"] for action in actions.values())])
    return tuple(state for state in reached if state) if len(reached.keys() - {""}) > 1 else ()


def _inputs(kind: str, name: str, resource: Raw, known: Raw) -> Iterator[Input]:
    raw = resource["fields"][name]
    if "generated" in raw:
        return
    is_required = raw.get("required", False) and "default" not in raw
    default = known.get("defaults", {}).get(name)
    if default is None and _decides(name, resource["fields"]):
        default = raw["default"]
    # Any other default is the cloud's own, and may be another one in its next release.
    if is_required and "refers_to" not in raw and name != "name" and default is None:
        default = [raw["example"]] if raw["kind"] == "choices" else raw["example"]
    if raw["kind"] == "file":
        yield _file(name, raw)
        name, raw, default = f"{name}_name", {**raw, "kind": "text"}, default
    is_asked = "shown_if" not in raw
    yield Input(
        name=f"{kind}_{name}" if name in RESERVED else name,
        attribute=name,
        type=_TYPES.get(raw["kind"], "string"),
        description=_description(raw),
        default=default,
        is_required=is_required and is_asked and default is None,
        is_secret=raw["kind"] == "secret",
        module=raw.get("refers_to", ""),
        needed_for=_needed_for(name, resource["actions"]) if "refers_to" in raw else (),
        word=name if name in RESERVED else "",
        only_if="" if is_asked or not is_required else _condition(kind, raw["shown_if"]),
    )


def _decides(name: str, fields: Raw) -> bool:
    """Whether other fields are asked for or not by the value of one."""
    return any(field.get("shown_if", {}).get("field") == name for field in fields.values())


def _needed_for(name: str, actions: Raw) -> tuple[str, ...]:
    """The states that cannot be had without a reference."""
    return tuple(
        action["to"]
        for action in actions.values()
        if action["to"] and name in action.get("sets", ())
    )


def _file(name: str, raw: Raw) -> Input:
    return Input(
        name="content",
        attribute=name,
        type="string",
        description=f"{raw['label']}: the text in it.",
        default=CONTENT,
        wrapped="base64encode",
    )


def _condition(kind: str, shown_if: Raw) -> str:
    name, values = shown_if["field"], shown_if["values"]
    variable = f"var.{kind}_{name}" if name in RESERVED else f"var.{name}"
    if values == [True]:
        return variable
    if len(values) == 1:
        return f"{variable} == {hcl(values[0])}"
    return f"contains({hcl(values)}, {variable})"


def _description(raw: Raw) -> str:
    label: str = raw["label"]
    match raw["kind"]:
        case "choice":
            return f"{label}: {_alternatives(raw['options'])}."
        case "choices":
            return f"{label}: any of {', '.join(raw['options'])}."
        case "number":
            return f"{label}, from {raw['min']} to {raw['max']}."
        case "reference" | "references":
            return f"{label}, by id."
    return f"{label}, such as {raw['example']}." if raw.get("example") else f"{label}."


def _alternatives(words: tuple[str, ...] | list[str]) -> str:
    *leading, last = words
    return f"{', '.join(leading)} or {last}" if leading else last


def main() -> None:
    """Write the files and say which."""
    for name, text in files().items():
        file = KNOWN.parent / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main()
