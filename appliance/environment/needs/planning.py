"""Plan the blocks for needs and their requirements, in order."""

from collections.abc import Mapping, Sequence

from appliance.core.checks import Need
from appliance.environment.modules import Module
from appliance.environment.needs._making import Making
from appliance.environment.needs._values import parse_list
from appliance.environment.needs.matching import find_module
from appliance.environment.needs.types import ResourcePlan


def plan(
    needs: Sequence[Need], modules: Mapping[str, Module], unique: str, *, shared: bool = True
) -> ResourcePlan:
    """Decide what is made for the needs, those that others refer to first.

    What a module requires and no need gives (the network of an instance) is made as well: once
    for all that need its like.

    Args:
        needs: In order: a value names another thing by the name that an earlier need gives it, or
            by its id.
        modules: Those for the console, by name.
        unique: The marker in the names of what gets no name otherwise.
        shared: Whether what nobody asked for may be shared with other attempts.

    Raises:
        ProvisioningError: A need cannot be understood: an unknown variable or state, a name that
            nothing has; or modules require each other in a circle.
    """
    ways = _ways(needs, modules)
    making = Making(modules, unique, needs, may_share=shared)
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    for need, module in zip(needs, ways, strict=True):
        if module is None:
            continue
        counts[need.kind] = count = counts.get(need.kind, 0) + 1
        block = making.add_need(need, module)
        names[need.kind if count == 1 else f"{need.kind} {count}"] = block.label
    return ResourcePlan(
        blocks=tuple(making.blocks),
        shared=tuple(making.shared),
        by_console=tuple(n for n, module in zip(needs, ways, strict=True) if module is None),
        names=names,
    )


def _ways(needs: Sequence[Need], modules: Mapping[str, Module]) -> list[Module | None]:
    """The module that makes each need; None: the console's own API does.

    What refers to a thing that the console makes is made by the console, too, for Terraform does
    not know it; and all of a kind are made the same way, so that their numbers (`disk 2`) are one
    sequence.
    """
    ways = [find_module(need.kind, modules) for need in needs]
    while True:
        theirs = [n for n, module in zip(needs, ways, strict=True) if module is None]
        names = {name for n in theirs if (name := n.values.get("name"))}
        kinds = {n.kind for n in theirs}
        changed = [
            None if module and (n.kind in kinds or _referred_names(n, module) & names) else module
            for n, module in zip(needs, ways, strict=True)
        ]
        if changed == ways:
            return ways
        ways = changed


def _referred_names(need: Need, module: Module) -> set[str]:
    """The names of other needs that a need's values refer to."""
    return {
        name
        for key, text in need.values.items()
        if (variable := module.variable(key)) and variable.module
        for name in parse_list(text)
    }
