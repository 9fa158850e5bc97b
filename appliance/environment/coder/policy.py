"""Check a Terraform plan before it is applied."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from appliance.environment.coder.allowed import Allowed
from appliance.environment.coder.draft import problem
from appliance.environment.coder.schema import ResourceType
from appliance.environment.terraform import Diagnostic, PlannedChange

_NO_CHANGE = ("no-op",)


def against(
    changes: Sequence[PlannedChange], allowed: Allowed, *, marker: str, sources: Sequence[str]
) -> tuple[Diagnostic, ...]:
    """All reasons against applying a plan; empty if it may be applied."""
    return tuple(_problems(changes, allowed, marker, frozenset(sources)))


def cost_per_hour(changes: Sequence[PlannedChange], allowed: Allowed) -> float:
    """Hourly cost of the plan's resources, without those that are not allowed."""
    created_types = [change.type for change in changes if not _is_data(change)]
    return sum(allowed.prices[name].per_hour for name in created_types if name in allowed.prices)


def _problems(
    changes: Sequence[PlannedChange], allowed: Allowed, marker: str, sources: frozenset[str]
) -> Iterator[Diagnostic]:
    created = [change for change in changes if not _is_data(change)]
    for change in changes:
        says = _wrong(change, allowed, sources) or _name_problem(change, allowed, marker)
        if says:
            yield problem(change.address, says)
    if not created:
        yield problem("", "the plan makes nothing")
    if len(created) > allowed.max_resources:
        says = f"the plan makes {len(created)} resources"
        yield problem("", says, f"At most {allowed.max_resources} are allowed (max_resources).")
    yield from _too_dear(created, allowed)


def _is_data(change: PlannedChange) -> bool:
    """`module.made.data.practice_item.it`."""
    return "data" in change.address.split("[")[0].split(".")[:-2]


def _wrong(change: PlannedChange, allowed: Allowed, sources: frozenset[str]) -> str:
    is_data = _is_data(change)
    resource_types: Mapping[str, ResourceType] = (
        allowed.schema.data if is_data else allowed.schema.resources
    )
    if change.actions not in ((("read",), _NO_CHANGE) if is_data else (("create",),)):
        return f"the plan would {' and '.join(change.actions)} it: only making is allowed"
    if change.type not in resource_types:
        return f"the type {change.type} is not allowed"
    if change.provider not in sources:
        return f"the provider {change.provider} is not the console's"
    return ""


def _name_problem(change: PlannedChange, allowed: Allowed, marker: str) -> str:
    """Why a resource's name is wrong: it must show what the resource was created for."""
    field = "" if _is_data(change) else _name_field(allowed.schema.resources[change.type])
    if not field:
        return ""
    name = change.after.get(field)
    if name is None:
        return f"`{field}` is missing, or not known before it is made: build it of var.name"
    return "" if marker in str(name) else f"its {field} {name} does not have var.name in it"


def _name_field(kind: ResourceType) -> str:
    """The attribute that holds a type's name: `name`, `vpc_name` of alicloud_vpc, `bucket`."""
    parts = kind.name.split("_")
    own = [f"{'_'.join(parts[n:])}_name" for n in range(1, len(parts))]
    likely = ("name", *own, *(["bucket"] if parts[-1] == "bucket" else []))
    settable = (name for name in likely if name in kind.fields and kind.fields[name].is_settable)
    return next(settable, "")


def _too_dear(created: Sequence[PlannedChange], allowed: Allowed) -> Iterator[Diagnostic]:
    counts = Counter(change.type for change in created)
    cost = cost_per_hour(created, allowed)
    if cost > allowed.max_cost_per_hour:
        each = ", ".join(
            f"{count} {name} at {allowed.prices[name].per_hour:g}"
            for name, count in sorted(counts.items())
            if name in allowed.prices and allowed.prices[name].per_hour
        )
        limit = f"{allowed.max_cost_per_hour:g} {allowed.currency}".strip()
        yield problem(
            "",
            f"it would cost {cost:g} {allowed.currency} an hour ({each})",
            f"At most {limit} is allowed (max_cost_per_hour). Make fewer or smaller things.",
        )
