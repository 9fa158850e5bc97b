"""What a resource will be: defaults filled in, and what cannot be changed in place."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tf.types import Unknown

from practice_provider.spec import OWN, Kind
from practice_provider.values import Attribute, Values, attributes, is_same


class Plan(NamedTuple):
    """The planned state, and the attributes that make a new item necessary."""

    state: Values
    replaced: list[str]


def plan(kind: Kind, prior: Mapping[str, Any] | None, config: Mapping[str, Any]) -> Plan:
    """The plan for a resource.

    Args:
        kind: Its type.
        prior: Its state; None: it is to be made.
        config: What its block says. What it leaves out has its default again.
    """  # Any: values of every kind
    before = prior or {}
    state: Values = {name: before.get(name, Unknown) for name in OWN}
    changed = []
    for attribute in attributes(kind):
        was, planned = before.get(attribute.name), _planned(attribute, prior, config)
        # What means the same is spelt as before, so that it is no change.
        is_kept = prior is not None and is_same(attribute, was, planned)
        state[attribute.name] = was if is_kept else planned
        if not is_kept and not attribute.field.generated:
            changed.append(attribute)
    if prior is None:
        return Plan(state, [])
    if changed:
        state["state"] = Unknown  # an edit may lead to another
    return Plan(state, [a.name for a in changed if _needs_another(kind, a, before, state)])


def _planned(
    attribute: Attribute, prior: Mapping[str, Any] | None, config: Mapping[str, Any]
) -> Any:  # Any: values of every kind
    if attribute.field.generated:
        return Unknown if prior is None else prior.get(attribute.name)
    given = config.get(attribute.name)
    return attribute.default if given is None else given


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
