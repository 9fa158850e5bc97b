"""What a resource will be: defaults filled in, and what cannot be changed in place."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tf.types import Unknown

from practice_provider.spec import OWN, Kind
from practice_provider.steps import steps
from practice_provider.values import Attribute, Values, attributes, is_known, is_same


class Plan(NamedTuple):
    """The planned state, and the attributes that make a new item necessary."""

    state: Values
    replaced: list[str]


def plan(
    kind: Kind,
    prior: Mapping[str, Any] | None,
    config: Mapping[str, Any],
    defaults: Mapping[str, Any] = MappingProxyType({}),
) -> Plan:
    """The plan for a resource.

    Args:
        kind: Its type.
        prior: Its state; None: it is to be made.
        config: What its block says. What it leaves out has its default again; its state stays.
        defaults: Those that are others in this cloud than in the schema, by field.
    """  # Any: values of every kind
    before = prior or {}
    state: Values = {name: before.get(name, Unknown) for name in OWN}
    changed = []
    for attribute in attributes(kind):
        was, planned = before.get(attribute.name), _planned(attribute, prior, config, defaults)
        # What means the same is spelt as before, so that it is no change.
        is_kept = prior is not None and is_same(attribute, was, planned)
        state[attribute.name] = was if is_kept else planned
        if not is_kept and not attribute.field.generated:
            changed.append(attribute)
    wanted = config.get("state")
    if wanted is not None:
        state["state"] = wanted
    elif changed:
        state["state"] = Unknown  # an edit may lead to another
    if prior is None:
        return Plan(state, [])
    replaced = [a.name for a in changed if _needs_another(kind, a, before, state)]
    if wanted and is_known(wanted) and _is_out_of_reach(kind, before, state, changed):
        replaced.append("state")
    return Plan(state, replaced)


def _is_out_of_reach(
    kind: Kind, before: Mapping[str, Any], state: Values, changed: list[Attribute]
) -> bool:  # Any: values of every kind
    """Whether a new item can be brought into the state that is wanted, but not the one there is."""
    edited = {a.field.name for a in changed if kind.is_editable(a.field.name)}
    emptied = {a.field.name for a in changed if is_same(a, state[a.name], None)}
    goal = state["state"]
    if steps(kind, before["state"], edited, emptied, goal) is not None:
        return False
    given = {
        a.field.name
        for a in attributes(kind)
        if a.field.is_set_later and not is_same(a, state[a.name], None)
    }
    return steps(kind, kind.created, given, (), goal) is not None


def _planned(
    attribute: Attribute,
    prior: Mapping[str, Any] | None,
    config: Mapping[str, Any],
    defaults: Mapping[str, Any],
) -> Any:  # Any: values of every kind
    if attribute.field.generated:
        return Unknown if prior is None else prior.get(attribute.name)
    given = config.get(attribute.name)
    if given is not None or attribute.field.kind == "file":
        return given
    return defaults.get(attribute.field.name, attribute.default)


def _needs_another(
    kind: Kind, attribute: Attribute, before: Mapping[str, Any], state: Values
) -> bool:  # Any: values of every kind
    field = attribute.field
    if kind.is_editable(field.name):
        return False
    if field.is_secret and before.get(attribute.name) is None:
        return False  # imported: nobody knows what it was
    is_emptied = is_same(attribute, state[attribute.name], None)
    return not (is_emptied and any(field.name in action.clears for action in kind.actions))
