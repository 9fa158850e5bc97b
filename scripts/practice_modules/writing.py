"""The four files of a module, as one would write them by hand."""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from appliance.environment.terraform import ADDRESS
from appliance.system.yaml import Dumper

Raw = Mapping[str, Any]  # Any: the provider's own JSON, and YAML


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
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
class Made:
    """A module."""

    kind: str
    known: Raw
    inputs: tuple[Input, ...]
    outputs: Mapping[str, str] = field(default_factory=dict)
    """Attributes by output."""
    states: tuple[str, ...] = ()
    destroyed_by: str = ""


def texts(made: Made) -> dict[str, str]:
    """The files by name."""
    return {
        "main.tf": _main(made),
        "variables.tf": "\n".join(_variable(each) for each in made.inputs),
        "outputs.tf": "\n".join(
            f'output "{name}" {{\n  value = practice_{made.kind}.this.{attribute}\n}}\n'
            for name, attribute in made.outputs.items()
        ),
        "module.yaml": "\n".join(_module(made)) + "\n",
    }


def _main(made: Made) -> str:
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


def _variable(given: Input) -> str:
    arguments = {"type": given.type, "description": hcl(given.description)}
    if not given.is_required:
        arguments["default"] = hcl(given.default)
    if given.is_secret:
        arguments["sensitive"] = "true"
    return f'variable "{given.name}" {{\n{_aligned(arguments)}\n}}\n'


def _aligned(arguments: Mapping[str, str]) -> str:
    """Arguments of a block, as `terraform fmt` sets them."""
    width = max(map(len, arguments))
    return "\n".join(f"  {name:<{width}} = {value}" for name, value in arguments.items())


def hcl(value: object) -> str:
    """A value as Terraform writes it."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("${", "$${").replace("%{", "%%{")


def _module(made: Made) -> Iterator[str]:
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


def _input_lines(given: Input) -> Iterator[str]:
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
    text = yaml.dump(
        value, Dumper=Dumper, allow_unicode=True, default_flow_style=True, width=sys.maxsize
    )
    return text.strip().removesuffix("...").strip()
