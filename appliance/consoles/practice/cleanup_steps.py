"""What has to be done with a thing of the practice cloud before it can go, from its description."""

from typing import NamedTuple

from appliance.consoles.practice.api import Json

_REFERENCES = ("reference", "references")


class CleanupStep(NamedTuple):
    """An action on an item, with the values to send."""

    action: str
    body: Json


def is_allowed(action: Json, state: str) -> bool:
    """Whether an action can be done in a state."""
    return not action["from_states"] or state in action["from_states"]


def way_to_deletion(actions: Json, state: str) -> str:
    """What brings a thing out of this state into one it can be deleted from: detaching a disk."""
    allowed = actions["delete"]["from_states"] if "delete" in actions else []
    if not allowed or state in allowed:
        return ""
    ways = (
        name
        for name, action in actions.items()
        if action["kind"] == "transition"
        and state in action["from_states"]
        and action["to"] in allowed
    )
    return next(ways, "")


def letting_go(kind: Json, item: Json, id_: str) -> CleanupStep | None:
    """What makes an item use a thing no longer; None: it cannot be without."""
    for name, field in kind["fields"].items():
        value = item["values"].get(name)
        held = value if isinstance(value, list) else [value]
        if field["kind"] not in _REFERENCES or id_ not in held:
            continue
        if step := _emptying(kind["actions"], name, item["state"]):
            return step
        rest = [one for one in value if one != id_] if isinstance(value, list) else ""
        if rest or not field["required"]:
            return _editing(kind["actions"], name, rest, item)
    return None


def _emptying(actions: Json, name: str, state: str) -> CleanupStep | None:
    """The change of state that empties a field."""
    for action_name, action in actions.items():
        if name in action["clears"] and state in action["from_states"]:
            return CleanupStep(action_name, {})
    return None


def _editing(actions: Json, name: str, value: object, item: Json) -> CleanupStep | None:
    """The edit that sets a field, with whatever else it asks for as it is."""
    for action_name, action in actions.items():
        is_fitting = action["kind"] == "edit" and name in action["fields"]
        if is_fitting and is_allowed(action, item["state"]):
            others = {one: item["values"][one] for one in action["requires"] if one != name}
            return CleanupStep(action_name, {**others, name: value})
    return None
