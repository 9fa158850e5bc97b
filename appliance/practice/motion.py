"""The effects of an action beyond values: states that settle, fields that are cleared."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from appliance.practice.accounts import Caller
from appliance.practice.catalogue import Action, FieldKind, Located, Text, Value
from appliance.practice.refusals import Code, MessageRef, RequestRefused
from appliance.practice.state import AccountState, Item, Settling
from appliance.practice.values import empty_value

_REFERENCES = (FieldKind.REFERENCE, FieldKind.REFERENCES)


def check_state(item: Item, located: Located, action: Action) -> None:
    """Check that the state of an item allows an action."""
    is_forbidden = action.from_states and item.state not in action.from_states
    if is_forbidden or (item.settling is not None and not item.settling.to):
        label = located.resource.states[item.state].label
        raise RequestRefused(
            Code.STATE, MessageRef("refused_state", {"name": item.name, "state": label})
        )


def start_transition(
    item: Item, located: Located, action: Action, now: datetime, settle_s: float
) -> None:
    """Bring an item into the state of an action, at once or after a delay."""
    if not action.through or settle_s <= 0:
        item.state = action.to or action.through or item.state
        delay_s = 0.0
    else:
        item.state = action.through
        delay_s = settle_s * located.resource.states[action.through].settle
    if action.through:
        item.settling = Settling(at=now + timedelta(seconds=delay_s), to=action.to)
    elif action.to:
        item.settling = None


def clear(item: Item, located: Located, action: Action) -> None:
    """Clear the fields that an action clears."""
    for name in action.clears:
        item.values[name] = empty_value(located.resource.fields[name])


def users_of(item: Item, state: AccountState, located: Mapping[str, Located]) -> list[str]:
    """The items that refer to this one, as `kind name`."""
    return [
        f"{user.kind} {user.name}"
        for user in state.items.values()
        if user is not item and any(item.id in ids for _, ids in references_of(user, located))
    ]


def references_of(item: Item, located: Mapping[str, Located]) -> list[tuple[str, list[str]]]:
    """The reference fields of an item, with the ids that each holds."""
    fields = located[item.kind].resource.fields
    return [
        (name, ids_in(item.values.get(name)))
        for name, field in fields.items()
        if field.kind in _REFERENCES
    ]


def ids_in(value: Value) -> list[str]:
    """The ids in the value of a reference field."""
    if isinstance(value, list):
        return value
    return [value] if isinstance(value, str) and value else []


def with_reference_names(
    located: Located, values: Mapping[str, Value], state: AccountState
) -> dict[str, Value]:
    """The values, with the names of referenced items added beside their ids."""
    named_values = dict(values)
    for name, value in values.items():
        kind = located.resource.fields[name].kind
        targets = [state.items[id_] for id_ in ids_in(value) if id_ in state.items]
        if kind is FieldKind.REFERENCE and targets:
            named_values[f"{name}_name"] = targets[0].name
        elif kind is FieldKind.REFERENCES:
            named_values[f"{name}_names"] = [target.name for target in targets]
    return named_values


class Quota(NamedTuple):
    """How much of a quota an account uses in a region."""

    service: str
    kind: str
    used: int
    limit: int
    """0: as many as it likes."""


def quota_of(located: Located, state: AccountState, region: str) -> Quota:
    """The quota of a kind; the region does not matter for global ones."""
    where = "" if located.resource.is_global else region
    used = sum(1 for item in state.of_kind(located.kind) if item.region == where)
    limit = state.quotas.get(located.kind, located.resource.quota)
    return Quota(located.service, located.kind, used, limit)


def check_quota(located: Located, state: AccountState, region: str) -> None:
    """Check that the quota allows one more item."""
    quota = quota_of(located, state, region)
    if quota.limit and quota.used >= quota.limit:
        values: dict[str, Text | str] = {
            "kind": located.resource.plural,
            "used": str(quota.used),
            "limit": str(quota.limit),
        }
        raise RequestRefused(Code.QUOTA, MessageRef("refused_quota", values))


EVERYWHERE = "*"
"""What a caller names to see all regions."""


class Regions:
    """The regions of a cloud; a session begins in the first one."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._ids = ids
        self.first = ids[0]

    def seen_by(self, caller: Caller) -> str | None:
        """The region that a caller looks at; None for all regions."""
        if caller.region == EVERYWHERE:
            return None
        if caller.region and caller.region not in self._ids:
            message = MessageRef("error_region", {"value": caller.region})
            raise RequestRefused(Code.VALIDATION, message, {"region": message})
        return caller.region or self.first

    def of_new(self, caller: Caller, located: Located) -> str:
        """The region in which a caller creates an item; empty for a global item."""
        if located.resource.is_global:
            return ""
        region = self.seen_by(caller)
        if region is None:
            message = MessageRef("error_region_needed")
            raise RequestRefused(Code.VALIDATION, message, {"region": message})
        return region
