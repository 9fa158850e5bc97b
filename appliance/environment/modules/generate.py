"""Writes the modules of the practice cloud: `python -m appliance.environment.modules.generate`.

What a resource type takes is in the provider's `schema.json`; what people call it, and what else
they know of it, is in `terraform/practice/modules.yaml`. Nothing else goes into the files.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from appliance.environment.modules.catalogue import OURS
from appliance.environment.modules.hcl import RESERVED
from appliance.environment.terraform.mirror import ADDRESS, PROVIDER

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

Raw = Mapping[str, Any]  # Any: the provider's own JSON, and YAML


@dataclass(frozen=True, slots=True, kw_only=True)
class _Input:
    """A variable with the attribute that it goes to."""

    name: str
    attribute: str
    type: str
    description: str
    default: Any = None  # Any: as the type has it
    is_required: bool = False
    is_secret: bool = False
    module: str = ""
    needed_for: tuple[str, ...] = ()
    word: str = ""
    only_if: str = ""
    """Holds where the attribute may be given."""
    wrapped: str = ""
    """The function that makes the attribute of the variable."""

    @property
    def value(self) -> str:
        """The attribute's value in the resource block."""
        value = f"{self.wrapped}(var.{self.name})" if self.wrapped else f"var.{self.name}"
        return f"{self.only_if} ? {value} : null" if self.only_if else value


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    kind: str
    known: Raw
    inputs: tuple[_Input, ...]
    outputs: Mapping[str, str] = field(default_factory=dict)
    """Attributes by output."""
    states: tuple[str, ...] = ()
    destroyed_by: str = ""


def files() -> dict[str, str]:
    """The text of every file by its path under `terraform/practice`."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))["resources"]
    known = yaml.safe_load(KNOWN.read_text(encoding="utf-8"))
    if strangers := schema.keys() ^ known.keys():
        raise SystemExit(f"only in one of {SCHEMA} and {KNOWN}: {', '.join(sorted(strangers))}")
    found = {}
    for kind, raw in schema.items():
        made = _made(kind, raw, known[kind], _destroyed_by(kind, schema))
        found[f"{kind}/main.tf"] = _main(made)
        found[f"{kind}/variables.tf"] = "\n".join(_variable(each) for each in made.inputs)
        found[f"{kind}/outputs.tf"] = "\n".join(
            f'output "{name}" {{\n  value = practice_{kind}.this.{attribute}\n}}\n'
            for name, attribute in made.outputs.items()
        )
        found[f"{kind}/module.yaml"] = "\n".join(_module(made)) + "\n"
    return found


def _made(kind: str, raw: Raw, known: Raw, destroyed_by: str) -> _Made:
    fields: Raw = raw["fields"]
    inputs = [one for name in fields for one in _inputs(kind, name, raw, known)]
    states = _states(raw["actions"], known["state"])
    if states:
        says = f"What it is brought to after it was made: {_alternatives(states)}."
        inputs.append(_Input(name="state", attribute="state", type="string", description=says))
    generated = {
        name: name for name, inner in fields.items() if inner.get("generated", "secret") != "secret"
    }
    outputs = {"id": "id", "name": "name" if "name" in fields else "id", **generated}
    return _Made(
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
    says = "Terraform deletes it."
    if first := schema[kind]["deleted_from"]:
        says += f" It is brought to the state {_alternatives(first)} before."
    if users:
        return f"{says} Any {_alternatives(users)} that refers to it goes first."
    return f"{says} Nothing has to go first."


def _states(actions: Raw, first: str) -> tuple[str, ...]:
    """The states that one can ask for, the usual one first; empty: there is no choice."""
    reached = dict.fromkeys([first, *(action["to"] for action in actions.values())])
    return tuple(state for state in reached if state) if len(reached.keys() - {""}) > 1 else ()


def _inputs(kind: str, name: str, resource: Raw, known: Raw) -> Iterator[_Input]:
    raw = resource["fields"][name]
    if "generated" in raw:
        return
    is_required = raw.get("required", False) and "default" not in raw
    default = known.get("defaults", {}).get(name, raw.get("default"))
    if is_required and "refers_to" not in raw and name != "name" and default is None:
        default = [raw["example"]] if raw["kind"] == "choices" else raw["example"]
    if raw["kind"] == "file":
        yield _file(name, raw)
        name, raw, default = f"{name}_name", {**raw, "kind": "text"}, default
    is_asked = "shown_if" not in raw
    yield _Input(
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


def _needed_for(name: str, actions: Raw) -> tuple[str, ...]:
    """The states that cannot be had without a reference."""
    return tuple(a["to"] for a in actions.values() if a["to"] and name in a.get("sets", ()))


def _file(name: str, raw: Raw) -> _Input:
    return _Input(
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
        return f"{variable} == {_hcl(values[0])}"
    return f"contains({_hcl(values)}, {variable})"


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
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _main(made: _Made) -> str:
    arguments = {each.attribute: each.value for each in made.inputs}
    return f"""\
# {made.known["provides"]["en"]}

terraform {{
  required_providers {{
    practice = {{
      source = "{ADDRESS}"
    }}
  }}
}}

resource "practice_{made.kind}" "this" {{
{_aligned(arguments)}
}}
"""


def _variable(given: _Input) -> str:
    arguments = {"type": given.type, "description": _hcl(given.description)}
    if not given.is_required:
        arguments["default"] = _hcl(given.default)
    if given.is_secret:
        arguments["sensitive"] = "true"
    return f'variable "{given.name}" {{\n{_aligned(arguments)}\n}}\n'


def _aligned(arguments: Mapping[str, str]) -> str:
    """Arguments of a block, as `terraform fmt` sets them."""
    width = max(map(len, arguments))
    return "\n".join(f"  {name:<{width}} = {value}" for name, value in arguments.items())


def _hcl(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("${", "$${").replace("%{", "%%{")


def _module(made: _Made) -> Iterator[str]:
    known = made.known
    for key in ("provides", "words"):
        yield f"{key}:"
        yield from (f"  {language}: {_yaml(known[key][language])}" for language in ("en", "zh"))
    yield "provider: practice"
    if "named" in known:
        yield f"named: {_yaml(known['named'])}"
    yield "variables:"
    for each in made.inputs:
        yield from _input_lines(each)
    yield "outputs:"
    yield from (f"  {name}: string" for name in made.outputs)
    yield f"check: {_yaml({'kind': made.kind, 'state': known['state']})}"
    yield f"takes_s: {known.get('takes_s', 0)}"
    yield "cost:"
    yield "  per_hour: 0"
    yield "  currency: USD"
    yield "  note: The practice cloud is a program; the prices that it shows are made up."
    yield f"destroyed_by: {_yaml(made.destroyed_by)}"
    yield "time_to_live_minutes: 120"
    if made.states:
        yield f"states: {_yaml(list(made.states))}"


def _input_lines(given: _Input) -> Iterator[str]:
    yield f"  {given.name}:"
    yield f"    type: {given.type}"
    yield f"    description: {_yaml(given.description)}"
    if given.is_required:
        yield "    is_required: true"
    if given.default is not None:
        yield f"    default: {_yaml(given.default)}"
    if given.module:
        yield f"    module: {given.module}"
    if given.needed_for:
        yield f"    needed_for: {_yaml(list(given.needed_for))}"
    if given.word:
        yield f"    word: {given.word}"


def _yaml(value: object) -> str:
    text = yaml.safe_dump(value, allow_unicode=True, default_flow_style=True, width=sys.maxsize)
    return text.strip().removesuffix("...").strip()


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
