"""Restores values and states that an attempt changed in items that it did not create."""

from collections.abc import Mapping

from appliance.consoles.practice.api import EVERYWHERE, Json, PracticeApi, RefusedError
from appliance.consoles.practice.inventory import read_held_items
from appliance.consoles.practice.recover import CleanupStep, is_allowed
from appliance.core.errors import ProvisioningError
from appliance.core.resources import Receipt, ReceiptKind

_MOST_STEPS = 6
"""Enough to get from any state of an item to any other, with an edit for each group of fields."""
_PROTECTION = "is_protected"
_GONE, _NO_RIGHT = "ResourceNotFound", "AccessDenied"
_UNREADABLE = ("file", "secret")
"""Kinds of fields whose values the API does not return in the form in which it accepts them."""


async def read_items(api: PracticeApi, kinds: Json) -> dict[str, Json]:
    """All items by id, once their states have settled."""
    held = await read_held_items(api)
    paths = {kinds[held_item.thing.kind]["path"] for held_item in held}
    try:
        items = [item for path in paths for item in await api.items(ProvisioningError, path)]
        settled = [await _settle(api, kinds, item) for item in items]
    except RefusedError as exc:
        raise ProvisioningError(f"the practice cloud refuses what is in it: {exc}") from exc
    return {item["id"]: item for item in settled if item}


async def _settle(api: PracticeApi, kinds: Json, item: Json) -> Json | None:
    """The item once its state has settled; None if it was being deleted."""
    if item["is_settled"]:
        return item
    try:
        return await api.wait_settled(ProvisioningError, kinds[item["kind"]]["path"], item["id"])
    except RefusedError as exc:
        if exc.code != _GONE:
            raise
        return None


async def restore_items(api: PracticeApi, kinds: Json, before: Mapping[str, Json]) -> list[Receipt]:
    """Restore each item to its earlier values; return a receipt for each that had changed."""
    if not before:
        return []
    current_items = await read_items(api, kinds)
    receipts = []
    for id_, old in before.items():
        if id_ in current_items and not _differences(kinds[old["kind"]], old, current_items[id_]):
            continue
        try:
            receipts.append(await _restore(api, kinds[old["kind"]], old))
        except RefusedError as exc:
            receipts.append(_failure_receipt(old, exc))
    return receipts


def _failure_receipt(old: Json, exc: RefusedError) -> Receipt:
    """The receipt for an item not restored: LEFT to a person if the account has no right to."""
    if exc.code == _GONE:
        return _receipt(ReceiptKind.FAILED, old, "it was deleted, and cannot be brought back")
    why = f"{exc.code}: {exc}"
    if exc.code == _NO_RIGHT:
        return _receipt(ReceiptKind.LEFT, old, f"{why}: put it back by hand")
    return _receipt(ReceiptKind.FAILED, old, why)


async def _restore(api: PracticeApi, kind: Json, old: Json) -> Receipt:
    path = f"{kind['path']}/{old['id']}"
    restored: dict[str, None] = {}
    different: dict[str, None] = {}
    for _ in range(_MOST_STEPS):
        current = await api.wait_settled(ProvisioningError, kind["path"], old["id"])
        different = _differences(kind, old, current)
        if not different:
            return _receipt(ReceiptKind.RESTORED, old, ", ".join(restored))
        if _PROTECTION in different:
            restored |= {_PROTECTION: None}
            action_path, body = f"{path}/protection", {_PROTECTION: old[_PROTECTION]}
            await api.call(ProvisioningError, "PUT", action_path, body, EVERYWHERE)
            continue
        step = _restoring_step(kind["actions"], old, current, different)
        if step is None:
            break
        restored |= different
        action_path = f"{path}/{step.action}"
        await api.call(ProvisioningError, "POST", action_path, step.body, EVERYWHERE)
    return _receipt(ReceiptKind.FAILED, old, f"nothing changes back: {', '.join(different)}")


def _differences(kind: Json, old: Json, current: Json) -> dict[str, None]:
    """Names of fields (also the state and the protection) whose values have changed."""
    fields = kind["fields"]
    names = [
        name
        for name, value in old["values"].items()
        if current["values"].get(name) != value
        and fields[name]["kind"] not in _UNREADABLE
        and not fields[name]["generated"]
    ]
    names += [name for name in ("state", _PROTECTION) if old[name] != current[name]]
    return dict.fromkeys(names)


def _restoring_step(
    actions: Json, old: Json, current: Json, different: Mapping[str, None]
) -> CleanupStep | None:
    """The action that restores most of the differences, else one that leads to the old state."""
    best, most_restored = None, 0
    for name, action in actions.items():
        if not is_allowed(action, current["state"]):
            continue
        if action["kind"] in ("edit", "tags"):
            set_names = [field_name for field_name in action["fields"] if field_name in different]
            unchanged_names = [
                field_name for field_name in action["requires"] if field_name not in set_names
            ]
            body = {
                field_name: old["values"][field_name]
                for field_name in [*set_names, *unchanged_names]
            }
            restored_count = len(set_names)
        elif action["kind"] == "transition":
            cleared = [field_name for field_name in action["clears"] if field_name in different]
            leads_back = action["to"] == old["state"] and (
                "state" in different or not any(old["values"][field_name] for field_name in cleared)
            )
            body, restored_count = {}, leads_back * (len(cleared) + ("state" in different))
        else:
            continue
        if restored_count > most_restored:
            best, most_restored = CleanupStep(name, body), restored_count
    return best


def _receipt(outcome: ReceiptKind, item: Json, why: str) -> Receipt:
    return Receipt(deed=outcome, kind=item["kind"], id=item["id"], name=item["name"], why=why)
