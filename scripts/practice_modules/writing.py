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
class Module:
    """A module."""

    kind: str
    known: Raw
    inputs: tuple[Input, ...]
    outputs: Mapping[str, str] = field(default_factory=dict)
    """Attributes by output."""
    states: tuple[str, ...] = ()
    destroyed_by: str = ""


def texts(module: Module) -> dict[str, str]:
    """The files by name."""
    return {
        "main.tf": _main(module),
        "variables.tf": "\n".join(_variable(input_) for input_ in module.inputs),
        "outputs.tf": "\n".join(
            f'output "{name}" {{\n  value = practice_{module.kind}.this.{attribute}\n}}\n'
            for name, attribute in module.outputs.items()
        ),
        "module.yaml": "\n".join(_module_lines(module)) + "\n",
    }


def _main(module: Module) -> str:
    arguments = {input_.attribute: input_.value for input_ in module.inputs}
    return f"""\
# {module.known["provides"]["en"]}

terraform {{
  required_providers {{
    practice = {{
      source = "{ADDRESS}"
    }}
  }}
}}

resource "practice_{module.kind}" "this" {{
{_aligned(arguments)}
}}
"""


def _variable(input_: Input) -> str:
    arguments = {"type": input_.type, "description": hcl(input_.description)}
    if not input_.is_required:
        arguments["default"] = hcl(input_.default)
    if input_.is_secret:
        arguments["sensitive"] = "true"
    return f'variable "{input_.name}" {{\n{_aligned(arguments)}\n}}\n'


def _aligned(arguments: Mapping[str, str]) -> str:
    """Arguments of a block, as `terraform fmt` sets them."""
    width = max(map(len, arguments))
    return "\n".join(f"  {name:<{width}} = {value}" for name, value in arguments.items())


def hcl(value: object) -> str:
    """A value as Terraform writes it."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("${", "$${").replace("%{", "%%{")


def _module_lines(module: Module) -> Iterator[str]:
    known = module.known
    for key in ("provides", "words"):
        yield f"{key}:"
        yield from (f"  {language}: {_yaml(known[key][language])}" for language in ("en", "zh"))
    yield "provider: practice"
    if "named" in known:
        yield f"named: {_yaml(known['named'])}"
    yield "variables:"
    for input_ in module.inputs:
        yield from _input_lines(input_)
    yield "outputs:"
    yield from (f"  {name}: string" for name in module.outputs)
    yield f"check: {_yaml({'kind': module.kind, 'state': known['state']})}"
    yield f"takes_s: {known.get('takes_s', 0)}"
    yield "cost:"
    yield "  per_hour: 0"
    yield "  currency: USD"
    yield "  note: The practice cloud is a program; the prices that it shows are made up."
    yield f"destroyed_by: {_yaml(module.destroyed_by)}"
    yield "time_to_live_minutes: 120"
    if module.states:
        yield f"states: {_yaml(list(module.states))}"


def _input_lines(input_: Input) -> Iterator[str]:
    yield f"  {input_.name}:"
    yield f"    type: {input_.type}"
    yield f"    description: {_yaml(input_.description)}"
    if input_.is_required:
        yield "    is_required: true"
    if input_.default is not None:
        yield f"    default: {_yaml(input_.default)}"
    if input_.module:
        yield f"    module: {input_.module}"
    if input_.needed_for:
        yield f"    needed_for: {_yaml(list(input_.needed_for))}"
    if input_.word:
        yield f"    word: {input_.word}"


def _yaml(value: object) -> str:
    text = yaml.dump(
        value, Dumper=Dumper, allow_unicode=True, default_flow_style=True, width=sys.maxsize
    )
    return text.strip().removesuffix("...").strip()
