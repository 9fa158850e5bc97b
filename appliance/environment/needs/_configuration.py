"""A plan as the root configuration of a Terraform run, and what its outputs are bound to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from appliance.consoles import TerraformAccess
from appliance.core.errors import ProvisioningError
from appliance.core.jsonable import Json
from appliance.environment.needs._making import identifier
from appliance.environment.needs.types import Argument, Block, Reference, ResourcePlan
from appliance.environment.terraform import escaped

_SHOWN = ("id", "name")
"""What is known of everything that was made: bindings come from these."""


def configuration(plan: ResourcePlan, access: Sequence[TerraformAccess]) -> Mapping[str, Json]:
    """The `main.tf.json` that makes the blocks of a plan; the shared ones are not its business.

    Raises:
        ProvisioningError: A module's provider has no way into this console.
    """
    access_by_provider = {provider_access.provider: provider_access for provider_access in access}
    used = {block.module.provider: block.module for block in plan.blocks}
    for provider, module in used.items():
        if provider not in access_by_provider:
            raise ProvisioningError(
                f"module {module.name} needs the provider {provider}, and the console gives "
                f"access to {', '.join(sorted(access_by_provider)) or 'none'}"
            )
    return {
        "terraform": {
            "required_providers": {
                name: {"source": access_by_provider[name].source} for name in used
            }
        },
        "provider": {name: _providers(access_by_provider[name], plan.blocks) for name in used},
        "module": {block.label: _call(block) for block in plan.blocks},
        "output": {
            output_name(block.label, output): {"value": f"${{module.{block.label}.{output}}}"}
            for block in plan.blocks
            for output in _SHOWN
        },
    }


def settle_references(blocks: Sequence[Block], outputs: Mapping[str, Json]) -> tuple[Block, ...]:
    """The blocks with each reference to one that is not among them replaced by what it gave.

    Raises:
        ProvisioningError: It gave nothing.
    """
    inside = {block.label for block in blocks}

    def value(reference: Reference) -> Reference | str:
        if reference.block in inside:
            return reference
        name = output_name(reference.block, reference.output)
        if name not in outputs:
            raise ProvisioningError(f"{reference.block} was to be there already, and is not")
        return str(outputs[name])

    def settle_argument(argument: Argument) -> Argument:
        match argument:
            case Reference():
                return value(argument)
            case tuple():
                return tuple(value(a) if isinstance(a, Reference) else a for a in argument)
            case _:
                return argument

    return tuple(
        replace(b, arguments={k: settle_argument(a) for k, a in b.arguments.items()})
        for b in blocks
    )


def bindings(plan: ResourcePlan, outputs: Mapping[str, Json]) -> Mapping[str, str]:
    """Names and ids of what was made, by the words of the needs: `disk`, `disk id`, `disk 2`.

    What `outputs` does not hold is left out.
    """
    bound: dict[str, str] = {}
    for word, label in plan.names.items():
        for key, output in ((word, "name"), (f"{word} id", "id")):
            value = outputs.get(output_name(label, output))
            if value is not None:
                bound[key] = str(value)
    return bound


def output_name(label: str, output: str) -> str:
    """The name of the root's output that tells an output of a block."""
    return f"{label}_{output}"


def _providers(provider_access: TerraformAccess, blocks: Sequence[Block]) -> Json:
    """The provider as the account has it, and once more for each other region."""
    usual = {key: escaped(value) for key, value in provider_access.arguments.items()}
    regions = {
        b.region for b in blocks if b.region and b.module.provider == provider_access.provider
    }
    others = [
        {**usual, "region": escaped(region), "alias": _alias(region)} for region in sorted(regions)
    ]
    return [usual, *others] if others else usual


def _alias(region: str) -> str:
    return identifier(f"in_{region}")


def _call(block: Block) -> Json:
    arguments = {name: _argument(value) for name, value in block.arguments.items()}
    called: dict[str, Json] = {"source": str(block.module.folder), **arguments}
    if block.region:
        name = block.module.provider
        called["providers"] = {name: f"{name}.{_alias(block.region)}"}
    return called


def _argument(value: Argument) -> Json:
    match value:
        case Reference():
            return _reference(value)
        case tuple():
            return [_reference(v) if isinstance(v, Reference) else escaped(v) for v in value]
        case _:
            return escaped(value)


def _reference(reference: Reference) -> Json:
    return f"${{module.{reference.block}.{reference.output}}}"
