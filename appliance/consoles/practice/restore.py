"""Puts back values and states that an attempt changed in things it did not make."""

from collections.abc import Mapping

from appliance.consoles.practice.api import EVERYWHERE, Json, PracticeApi, RefusedError
from appliance.consoles.practice.inventory import read_held
from appliance.consoles.practice.recover import CleanupStep, is_allowed
from appliance.core.errors import ProvisioningError
from appliance.core.resources import Receipt, ReceiptKind

_MOST_STEPS = 6
"""More than the ways between any two states of a thing, with an edit for each group of fields."""
_PROTECTION = "is_protected"
_GONE, _NO_RIGHT = "ResourceNotFound", "AccessDenied"
_UNREADABLE = ("file", "secret")
"""Kinds of fields that the API does not give back as it takes them."""


async def read_items(api: PracticeApi, kinds: Json) -> dict[str, Json]:
    """All items by id, as they are once they have come to rest."""
    held = await read_held(api)
    paths = {kinds[one.thing.kind]["path"] for one in held}
    try:
        items = [item for path in paths for item in await api.items(ProvisioningError, path)]
        settled = [await _settle(api, kinds, item) for item in items]
    except RefusedError as exc:
        raise ProvisioningError(f"the practice cloud refuses what is in it: {exc}") from exc
    return {item["id"]: item for item in settled if item}


async def _settle(api: PracticeApi, kinds: Json, item: Json) -> Json | None:
    """The item once its state has settled; None: it was being deleted."""
    if item["is_settled"]:
        return item
    try:
        return await api.wait_settled(ProvisioningError, kinds[item["kind"]]["path"], item["id"])
    except RefusedError as exc:
        if exc.code != _GONE:
            raise
        return None


async def restore_items(api: PracticeApi, kinds: Json, before: Mapping[str, Json]) -> list[Receipt]:
    """Make each item what it was; a receipt for each that was not."""
    if not before:
        return []
    now = await read_items(api, kinds)
    receipts = []
    for id_, old in before.items():
        if id_ in now and not _differences(kinds[old["kind"]], old, now[id_]):
            continue
        try:
            receipts.append(await _restore(api, kinds[old["kind"]], old))
        except RefusedError as exc:
            receipts.append(_not_restored(old, exc))
    return receipts


def _not_restored(old: Json, exc: RefusedError) -> Receipt:
    """As any other account, one that has no right to do it leaves it to a person."""
    if exc.code == _GONE:
        return _receipt(ReceiptKind.FAILED, old, "it was deleted, and cannot be brought back")
    why = f"{exc.code}: {exc}"
    if exc.code == _NO_RIGHT:
        return _receipt(ReceiptKind.LEFT, old, f"{why}: put it back by hand")
    return _receipt(ReceiptKind.FAILED, old, why)


async def _restore(api: PracticeApi, kind: Json, old: Json) -> Receipt:
    path = f"{kind['path']}/{old['id']}"
    changed: dict[str, None] = {}
    different: dict[str, None] = {}
    for _ in range(_MOST_STEPS):
        now = await api.wait_settled(ProvisioningError, kind["path"], old["id"])
        different = _differences(kind, old, now)
        if not different:
            return _receipt(ReceiptKind.RESTORED, old, ", ".join(changed))
        if _PROTECTION in different:
            changed |= {_PROTECTION: None}
            at, body = f"{path}/protection", {_PROTECTION: old[_PROTECTION]}
            await api.call(ProvisioningError, "PUT", at, body, EVERYWHERE)
            continue
        step = _step_back(kind["actions"], old, now, different)
        if step is None:
            break
        changed |= different
        at = f"{path}/{step.action}"
        await api.call(ProvisioningError, "POST", at, step.body, EVERYWHERE)
    return _receipt(ReceiptKind.FAILED, old, f"nothing changes back: {', '.join(different)}")


def _differences(kind: Json, old: Json, now: Json) -> dict[str, None]:
    """Fields, the state and the protection that are not what they were."""
    fields = kind["fields"]
    names = [
        name
        for name, value in old["values"].items()
        if now["values"].get(name) != value
        and fields[name]["kind"] not in _UNREADABLE
        and not fields[name]["generated"]
    ]
    names += [name for name in ("state", _PROTECTION) if old[name] != now[name]]
    return dict.fromkeys(names)


def _step_back(
    actions: Json, old: Json, now: Json, different: Mapping[str, None]
) -> CleanupStep | None:
    """The action that sets most of what is different, else one that leads to the old state."""
    best, most = None, 0
    for name, action in actions.items():
        if not is_allowed(action, now["state"]):
            continue
        if action["kind"] in ("edit", "tags"):
            set_by = [one for one in action["fields"] if one in different]
            needed = [one for one in action["requires"] if one not in set_by]
            body = {one: old["values"][one] for one in [*set_by, *needed]}
            count = len(set_by)
        elif action["kind"] == "transition":
            cleared = [one for one in action["clears"] if one in different]
            is_wanted = action["to"] == old["state"] and (
                "state" in different or not any(old["values"][one] for one in cleared)
            )
            body, count = {}, is_wanted * (len(cleared) + ("state" in different))
        else:
            continue
        if count > most:
            best, most = CleanupStep(name, body), count
    return best


def _receipt(outcome: ReceiptKind, item: Json, why: str) -> Receipt:
    return Receipt(deed=outcome, kind=item["kind"], id=item["id"], name=item["name"], why=why)
