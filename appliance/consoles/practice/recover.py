"""Deletes what an attempt made in the practice cloud, users before what they use."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from appliance.consoles.practice.api import EVERYWHERE, Json, PracticeApi, RefusedError
from appliance.consoles.practice.inventory import HeldItem, read_held_items
from appliance.core.errors import ProvisioningError
from appliance.core.resources import NO_RIGHT, Receipt, ReceiptKind

_REFERENCES = ("reference", "references")


class CleanupStep(NamedTuple):
    """An action on an item, with the request body to send."""

    action: str
    body: Json


def is_allowed(action: Json, state: str) -> bool:
    """Whether an action can be done in a state."""
    return not action["from_states"] or state in action["from_states"]


def transition_before_deletion(actions: Json, state: str) -> str:
    """The transition into a state in which deletion is allowed; empty if none is needed.

    A mounted disk, for example, has to be detached first.
    """
    deletable_states = actions["delete"]["from_states"] if "delete" in actions else []
    if not deletable_states or state in deletable_states:
        return ""
    transitions = (
        name
        for name, action in actions.items()
        if action["kind"] == "transition"
        and state in action["from_states"]
        and action["to"] in deletable_states
    )
    return next(transitions, "")


def release_step(kind: Json, item: Json, id_: str) -> CleanupStep | None:
    """The action that stops `item` from referring to `id_`; None if the reference is mandatory."""
    for name, field in kind["fields"].items():
        value = item["values"].get(name)
        referenced_ids = value if isinstance(value, list) else [value]
        if field["kind"] not in _REFERENCES or id_ not in referenced_ids:
            continue
        if step := _clearing_step(kind["actions"], name, item["state"]):
            return step
        remaining = (
            [reference for reference in value if reference != id_]
            if isinstance(value, list)
            else ""
        )
        if remaining or not field["required"]:
            return _edit_step(kind["actions"], name, remaining, item)
    return None


def _clearing_step(actions: Json, name: str, state: str) -> CleanupStep | None:
    """The state transition that clears the field, if there is one."""
    for action_name, action in actions.items():
        if name in action["clears"] and state in action["from_states"]:
            return CleanupStep(action_name, {})
    return None


def _edit_step(actions: Json, name: str, value: object, item: Json) -> CleanupStep | None:
    """The edit that sets the field; other fields that it requires are sent unchanged."""
    for action_name, action in actions.items():
        is_fitting = action["kind"] == "edit" and name in action["fields"]
        if is_fitting and is_allowed(action, item["state"]):
            required_values = {
                required_name: item["values"][required_name]
                for required_name in action["requires"]
                if required_name != name
            }
            return CleanupStep(action_name, {**required_values, name: value})
    return None


TIMEOUT_S = 30.0
_POLL_S = 0.15
_QUIET_S = 0.3
"""How long to wait, once nothing is left, for requests still on their way (such as a click's)."""
_STUCK_ROUNDS = 3
"""After this many rounds without progress the removal gives up."""
_GONE, _IN_USE, _NO_RIGHT = "ResourceNotFound", "DependencyViolation", "AccessDenied"


class _RecoveryPass(NamedTuple):
    """What the account holds at the start of one round of deletions."""

    held: Sequence[HeldItem]
    to_delete: Sequence[HeldItem]

    @property
    def is_changing(self) -> bool:
        """Whether some item is still in transition and will change without another request."""
        return any(not item.is_settled for item in self.held)

    def ready(self) -> list[HeldItem]:
        """Items that nothing else uses, youngest first; all of them if they use one another."""
        used_ids = {
            used_id for item in self.to_delete for used_id in item.uses if used_id != item.id
        }
        unused = [item for item in self.to_delete if item.id not in used_ids]
        return list(reversed(unused or self.to_delete))

    def users_of(self, id_: str) -> list[HeldItem]:
        """Items that refer to the given one."""
        return [item for item in self.held if id_ in item.uses and item.id != id_]


class Removal:
    """Deletes every doomed item, including those that appear while it is at work."""

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
        """Ids that somebody else will delete: these must not remain protected."""
        self._requested: dict[str, HeldItem] = {}
        """Items whose deletion the cloud has accepted, by id."""
        self._refused: dict[str, RefusedError] = {}
        """The latest refusal of each item that could not be deleted, by id."""
        self._released: list[Receipt] = []
        self._has_progressed = False

    async def run(self) -> list[Receipt]:
        """Delete until nothing is left or no progress is made; return a receipt for each item."""
        remaining: Sequence[HeldItem] = ()
        try:
            async with asyncio.timeout(TIMEOUT_S):
                remaining = await self._delete_until_settled()
        except TimeoutError:
            remaining = [item for item in await read_held_items(self._api) if self._is_doomed(item)]
        remaining_ids = {item.id for item in remaining}
        deleted = [
            _receipt(ReceiptKind.DELETED, item)
            for item in self._requested.values()
            if item.id not in remaining_ids
        ]
        return [*self._released, *deleted, *map(self._describe_failure, remaining)]

    async def _delete_until_settled(self) -> Sequence[HeldItem]:
        """What remains once nothing more can be done; two looks in a row have to agree."""
        quiet_rounds = 0
        while True:
            held_items = await read_held_items(self._api)
            to_delete = [item for item in held_items if self._is_doomed(item)]
            recovery_pass = _RecoveryPass(held_items, to_delete)
            self._has_progressed = recovery_pass.is_changing and bool(to_delete)
            await self._unprotect_kept(held_items)
            await self._delete_ready(recovery_pass)
            quiet_rounds = 0 if self._has_progressed else quiet_rounds + 1
            if quiet_rounds >= (_STUCK_ROUNDS if to_delete else 2):
                return to_delete
            await asyncio.sleep(_POLL_S if to_delete else _QUIET_S)

    async def _delete_ready(self, recovery_pass: _RecoveryPass) -> None:
        for item in recovery_pass.ready():
            is_being_deleted = item.id in self._requested and not item.is_settled
            if is_being_deleted:
                continue
            try:
                await self._delete(item, recovery_pass)
            except RefusedError as exc:
                if exc.code != _GONE:
                    self._refused[item.id] = exc

    async def _delete(self, item: HeldItem, recovery_pass: _RecoveryPass) -> None:
        """Delete an item, after removing whatever prevents its deletion."""
        kind = self._kinds[item.thing.kind]
        path = f"{kind['path']}/{item.id}"
        if transition := transition_before_deletion(kind["actions"], item.state):
            await self._post(f"{path}/{transition}", {})
            self._has_progressed = True
        if item.is_protected:
            await self._unprotect(item)
        try:
            await self._call("DELETE", path)
        except RefusedError as exc:
            if exc.code != _IN_USE or not await self._release_from_users(item, recovery_pass):
                raise
            await self._call("DELETE", path)
        self._requested[item.id] = item
        self._refused.pop(item.id, None)
        self._has_progressed = True

    async def _unprotect_kept(self, held_items: Sequence[HeldItem]) -> None:
        for item in held_items:
            if item.is_protected and item.id in self._keep:
                with suppress(RefusedError):  # whoever cannot delete it then will say so
                    await self._unprotect(item)
                    why = "no longer protected against deletion"
                    self._released.append(_receipt(ReceiptKind.RESTORED, item, why))

    async def _unprotect(self, item: HeldItem) -> None:
        path = f"{self._kinds[item.thing.kind]['path']}/{item.id}/protection"
        body = {"is_protected": False}
        await self._api.call(ProvisioningError, "PUT", path, body, EVERYWHERE)

    async def _release_from_users(self, item: HeldItem, recovery_pass: _RecoveryPass) -> bool:
        """Make the item's users stop referring to it; return whether any did."""
        released_count = 0
        for user in recovery_pass.users_of(item.id):
            kind = self._kinds[user.thing.kind]
            path = f"{kind['path']}/{user.id}"
            user_item = await self._call("GET", path)
            step = release_step(kind, user_item, item.id)
            if step is None:
                continue
            await self._post(f"{path}/{step.action}", step.body)
            self._has_progressed = True
            released_count += 1
            if not self._is_doomed(user):
                why = f"no longer uses {item.thing}"
                self._released.append(_receipt(ReceiptKind.RESTORED, user, why))
        return bool(released_count)

    def _describe_failure(self, item: HeldItem) -> Receipt:
        """The receipt for an item that remains: LEFT if the account has no right to delete it."""
        refusal = self._refused.get(item.id)
        if refusal is None:
            why = f"still {item.state} after {TIMEOUT_S:g} s"
            return _receipt(ReceiptKind.FAILED, item, why)
        why = f"{refusal.code}: {refusal}"
        if refusal.code == _NO_RIGHT:
            return _receipt(ReceiptKind.LEFT, item, f"{why}: {NO_RIGHT}")
        return _receipt(ReceiptKind.FAILED, item, why)

    async def _post(self, path: str, body: Json) -> Json:
        return await self._api.call(ProvisioningError, "POST", path, body, EVERYWHERE)

    async def _call(self, method: str, path: str) -> Json:
        return await self._api.call(ProvisioningError, method, path, query=EVERYWHERE)


def _receipt(outcome: ReceiptKind, item: HeldItem, why: str = "") -> Receipt:
    resource = item.thing
    return Receipt(deed=outcome, kind=resource.kind, id=resource.id, name=resource.name, why=why)
