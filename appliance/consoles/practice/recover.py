"""Deletes what an attempt made in the practice cloud, users before what they use."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from appliance.consoles.practice.api import EVERYWHERE, Json, PracticeApi, RefusedError
from appliance.consoles.practice.inventory import HeldItem, read_held
from appliance.core.errors import ProvisioningError
from appliance.core.resources import NO_RIGHT, Receipt, ReceiptKind

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


TIMEOUT_S = 30.0
_POLL_S = 0.15
_QUIET_S = 0.3
"""What is still on its way when nothing is left, such as a click's request, comes within this."""
_STUCK_ROUNDS = 3
"""So many rounds in which nothing moves are the end: nothing will pass by itself."""
_GONE, _IN_USE, _NO_RIGHT = "ResourceNotFound", "DependencyViolation", "AccessDenied"


class _RecoveryPass(NamedTuple):
    """What the account holds when a round begins."""

    held: Sequence[HeldItem]
    doomed: Sequence[HeldItem]

    @property
    def is_moving(self) -> bool:
        """Whether something will be different by itself."""
        return any(not one.is_settled for one in self.held)

    def ready(self) -> list[HeldItem]:
        """What nothing else uses, youngest first; of a ring of users all."""
        used = {used for one in self.doomed for used in one.uses if used != one.id}
        free = [one for one in self.doomed if one.id not in used]
        return list(reversed(free or self.doomed))

    def users_of(self, id_: str) -> list[HeldItem]:
        """What uses a thing."""
        return [one for one in self.held if id_ in one.uses and one.id != id_]


class Removal:
    """Removes all that is doomed, and what becomes so while it is at work."""

    def __init__(
        self,
        api: PracticeApi,
        kinds: Json,
        *,
        is_doomed: Callable[[HeldItem], bool],
        keep: frozenset[str] = frozenset(),
    ) -> None:
        self._api, self._kinds, self._is_doomed = api, kinds, is_doomed
        self._keep = keep
        """Ids of what somebody else will delete: it must not be protected then."""
        self._requested: dict[str, HeldItem] = {}
        """What the cloud has agreed to delete."""
        self._refused: dict[str, RefusedError] = {}
        """The cloud's last words about what it did not."""
        self._freed: list[Receipt] = []
        self._has_moved = False

    async def run(self) -> list[Receipt]:
        """Delete until nothing is left or nothing helps; a receipt for each thing."""
        left: Sequence[HeldItem] = ()
        try:
            async with asyncio.timeout(TIMEOUT_S):
                left = await self._until_settled()
        except TimeoutError:
            left = [one for one in await read_held(self._api) if self._is_doomed(one)]
        still = {one.id for one in left}
        deleted = [
            _receipt(ReceiptKind.DELETED, one)
            for one in self._requested.values()
            if one.id not in still
        ]
        return [*self._freed, *deleted, *map(self._not_deleted, left)]

    async def _until_settled(self) -> Sequence[HeldItem]:
        """What is left when nothing can be done about it; two looks in a row have to agree."""
        calm = 0
        while True:
            held = await read_held(self._api)
            doomed = [one for one in held if self._is_doomed(one)]
            now = _RecoveryPass(held, doomed)
            self._has_moved = now.is_moving and bool(doomed)
            await self._unprotect_kept(held)
            await self._delete_ready(now)
            calm = 0 if self._has_moved else calm + 1
            if calm >= (_STUCK_ROUNDS if doomed else 2):
                return doomed
            await asyncio.sleep(_POLL_S if doomed else _QUIET_S)

    async def _delete_ready(self, now: _RecoveryPass) -> None:
        for one in now.ready():
            is_going = one.id in self._requested and not one.is_settled
            if is_going:
                continue
            try:
                await self._delete(one, now)
            except RefusedError as exc:
                if exc.code != _GONE:
                    self._refused[one.id] = exc

    async def _delete(self, one: HeldItem, now: _RecoveryPass) -> None:
        """Delete a thing, once what stands in the way has been taken out of it."""
        kind = self._kinds[one.thing.kind]
        path = f"{kind['path']}/{one.id}"
        if way := way_to_deletion(kind["actions"], one.state):
            await self._post(f"{path}/{way}", {})
            self._has_moved = True
        if one.is_protected:
            await self._unprotect(one)
        try:
            await self._call("DELETE", path)
        except RefusedError as exc:
            if exc.code != _IN_USE or not await self._free(one, now):
                raise
            await self._call("DELETE", path)
        self._requested[one.id] = one
        self._refused.pop(one.id, None)
        self._has_moved = True

    async def _unprotect_kept(self, held: Sequence[HeldItem]) -> None:
        for one in held:
            if one.is_protected and one.id in self._keep:
                with suppress(RefusedError):  # whoever cannot delete it then will say so
                    await self._unprotect(one)
                    why = "no longer protected against deletion"
                    self._freed.append(_receipt(ReceiptKind.RESTORED, one, why))

    async def _unprotect(self, one: HeldItem) -> None:
        path = f"{self._kinds[one.thing.kind]['path']}/{one.id}/protection"
        off = {"is_protected": False}
        await self._api.call(ProvisioningError, "PUT", path, off, EVERYWHERE)

    async def _free(self, one: HeldItem, now: _RecoveryPass) -> bool:
        """Take a thing out of others that use it; whether that changed anything."""
        freed = 0
        for user in now.users_of(one.id):
            kind = self._kinds[user.thing.kind]
            path = f"{kind['path']}/{user.id}"
            item = await self._call("GET", path)
            step = letting_go(kind, item, one.id)
            if step is None:
                continue
            await self._post(f"{path}/{step.action}", step.body)
            self._has_moved = True
            freed += 1
            if not self._is_doomed(user):
                why = f"no longer uses {one.thing}"
                self._freed.append(_receipt(ReceiptKind.RESTORED, user, why))
        return bool(freed)

    def _not_deleted(self, one: HeldItem) -> Receipt:
        """What the account has no right to delete is not its own fault: another would leave it."""
        refused = self._refused.get(one.id)
        if refused is None:
            why = f"still {one.state} after {TIMEOUT_S:g} s"
            return _receipt(ReceiptKind.FAILED, one, why)
        why = f"{refused.code}: {refused}"
        if refused.code == _NO_RIGHT:
            return _receipt(ReceiptKind.LEFT, one, f"{why}: {NO_RIGHT}")
        return _receipt(ReceiptKind.FAILED, one, why)

    async def _post(self, path: str, body: Json) -> Json:
        return await self._api.call(ProvisioningError, "POST", path, body, EVERYWHERE)

    async def _call(self, method: str, path: str) -> Json:
        return await self._api.call(ProvisioningError, method, path, query=EVERYWHERE)


def _receipt(outcome: ReceiptKind, one: HeldItem, why: str = "") -> Receipt:
    thing = one.thing
    return Receipt(deed=outcome, kind=thing.kind, id=thing.id, name=thing.name, why=why)
