"""The operations of the cloud: every change goes through here, and into the audit log."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json
from appliance.practice import motion
from appliance.practice.accounts import Account, Caller
from appliance.practice.attempts import Attempt, Scribe, action_of, check_permission
from appliance.practice.audit import AuditLog
from appliance.practice.catalogue import Action, Catalogue, Located, Value
from appliance.practice.motion import Quota, Regions, check_quota, quota_of
from appliance.practice.openapi import openapi_view
from appliance.practice.refusals import Code, MessageRef, RequestRefused
from appliance.practice.state import AccountState, Item, dump_state, load_state
from appliance.practice.statefile import StateFile
from appliance.practice.values import Given, check_values, defaults, generate_value, loggable_values
from appliance.practice.views import schema_text


class TurnableClock:
    """A clock that can be put forward."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._ahead_s = 0.0

    def now(self) -> datetime:
        """Wall-clock time, put forward."""
        return self._clock.now() + timedelta(seconds=self._ahead_s)

    def monotonic(self) -> float:
        """Seconds since some start, put forward."""
        return self._clock.monotonic() + self._ahead_s

    def turn(self, seconds: float) -> None:
        """Put it forward."""
        self._ahead_s += seconds


class _Operation(NamedTuple):
    """What an operation works on."""

    action: Action
    attempt: Attempt
    item: Item
    state: AccountState


class Cloud:
    """The state of all accounts, and what can be done with it."""

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        settle_s: float = 1.5,
        clock: Clock | None = None,
        data_dir: Path | None = None,
        audit_delay_s: float = 0.0,
    ) -> None:
        self.catalogue = catalogue
        self.located = {located.kind: located for located in catalogue.resources()}
        """Every resource by its kind."""
        self.clock = TurnableClock(clock)
        self._settle_s = settle_s
        self.regions = Regions([region.id for region in catalogue.console.regions])
        self._file = StateFile(data_dir)
        try:
            self._accounts = {n: self._read(text) for n, text in self._file.states().items()}
        except SetupError:
            self._file.close()
            raise
        self.audit = AuditLog(data_dir / "audit.jsonl" if data_dir else None, audit_delay_s)
        self._schemas: dict[str, str] = {}
        self._scribe = Scribe(self.audit, catalogue)

    def close(self) -> None:
        """Release the files."""
        self.audit.close()
        self._file.close()

    @cached_property
    def openapi(self) -> dict[str, Json]:
        """The API's description of itself."""
        return openapi_view(self.catalogue)

    def console_schema(self, language: str) -> str:
        """Everything that the console shows, as JSON text in one language."""
        if language not in self._schemas:
            self._schemas[language] = schema_text(self.catalogue, language)
        return self._schemas[language]

    # -- looking ------------------------------------------------------------------------

    def state(self, account: Account) -> AccountState:
        """The current state of an account."""
        state = self._accounts.setdefault(account.name, AccountState())
        state.settle(self.clock.now())
        return state

    def items(self, caller: Caller, located: Located) -> list[Item]:
        """The items of a kind that a caller sees, oldest first."""
        region = self.regions.seen_by(caller)
        return [
            item for item in self.state(caller.account).of_kind(located.kind) if item.is_in(region)
        ]

    def item(self, caller: Caller, located: Located, item_id: str) -> Item:
        """An item that a caller sees; `RequestRefused` when there is none."""
        item = self.state(caller.account).items.get(item_id)
        if (
            item is None
            or item.kind != located.kind
            or not item.is_in(self.regions.seen_by(caller))
        ):
            message = MessageRef("refused_missing", {"kind": located.resource.name, "id": item_id})
            raise RequestRefused(Code.NOT_FOUND, message)
        return item

    def quotas(self, caller: Caller, service: str = "") -> list[Quota]:
        """The caller's use of each quota that has a limit."""
        state, region = (
            self.state(caller.account),
            self.regions.seen_by(caller) or self.regions.first,
        )
        located = (
            resource
            for resource in self.located.values()
            if not service or resource.service == service
        )
        return [quota for resource in located if (quota := quota_of(resource, state, region)).limit]

    # -- changing -----------------------------------------------------------------------

    def create(self, caller: Caller, located: Located, given: Given) -> Item:
        """Create an item."""
        action = action_of(located, "create", "create")
        attempt = self._attempt(caller, located, action, given)
        attempt.target_name = str(given.get("name", ""))
        with self._audit(caller, action, attempt):
            region = self.regions.of_new(caller, located)
            state = self.state(caller.account)
            values = check_values(located, given, state, region=region)
            check_quota(located, state, region)
            item = Item(
                id=state.new_id(caller.account.name, located.resource.id_prefix),
                kind=located.kind,
                region=region,
                values=values,
                state=action.to,
                created=self.clock.now(),
            )
            for name, field in located.resource.fields.items():
                if field.generated:
                    item.values[name] = generate_value(item, name, field)
            attempt.target_id, attempt.target_name = item.id, item.name
            attempt.parameters = self._loggable(located, list(item.values), item, state)
            self._start_transition(item, located, action)
            attempt.response = {"id": item.id, "state": item.state}
            state.items[item.id] = item
        return item

    def update(
        self, caller: Caller, located: Located, item_id: str, name: str, given: Given
    ) -> Item:
        """Change values of an item, by the edit action of that name."""
        operation = self._operation(caller, located, item_id, name, given, "edit", "tags")
        with operation as (action, attempt, item, state):
            unknown_field = next((field for field in given if field not in action.fields), None)
            if unknown_field is not None:
                message = MessageRef("error_unknown", {"field": unknown_field})
                raise RequestRefused(
                    Code.VALIDATION, MessageRef("refused_validation"), {unknown_field: message}
                )
            item.values = check_values(
                located, given, state, item, region=item.region, requires=action.requires
            )
            attempt.parameters = self._loggable(located, list(given), item, state)
            self._start_transition(item, located, action)
        return item

    def transition(self, caller: Caller, located: Located, item_id: str, name: str) -> Item:
        """Bring an item into another state."""
        operation = self._operation(caller, located, item_id, name, {}, "transition")
        with operation as (action, attempt, item, state):
            attempt.parameters = self._loggable(located, action.clears, item, state)
            motion.clear(item, located, action)
            self._start_transition(item, located, action)
        return item

    def delete(self, caller: Caller, located: Located, item_id: str) -> None:
        """Delete an item that nothing else uses."""
        operation = self._operation(caller, located, item_id, "delete", {}, "delete")
        with operation as (action, _, item, state):
            if item.is_protected:
                raise RequestRefused(
                    Code.PROTECTED, MessageRef("refused_protected", {"name": item.name})
                )
            if users := motion.users_of(item, state, self.located):
                values = {"name": item.name, "users": ", ".join(users)}
                raise RequestRefused(Code.DEPENDENCY, MessageRef("refused_dependency", values))
            if action.through:
                self._start_transition(item, located, action)
            else:
                del state.items[item_id]

    def protect(self, caller: Caller, located: Located, item_id: str, is_protected: bool) -> Item:
        """Turn the deletion protection of an item on or off."""
        if not located.resource.is_protectable:
            raise RequestRefused(Code.UNKNOWN_OPERATION, MessageRef("refused_action"))
        deletion = action_of(located, "delete", "delete")
        attempt = Attempt(
            service=located.service,
            event="SetDeletionProtection",
            kind=located.kind,
            parameters={"is_protected": is_protected},
            target_id=item_id,
        )
        with self._audit(caller, deletion, attempt):
            item = self.item(caller, located, item_id)
            attempt.target_name, attempt.region = item.name, item.region
            item.is_protected = is_protected
        return item

    def record(self, caller: Caller, event: str, *, error_code: str = "") -> None:
        """Write an event of the cloud itself, such as a log-in, into the audit log."""
        attempt = Attempt(service="identity", event=event, kind="account")
        refusal = (
            RequestRefused(Code(error_code), MessageRef("sign_in_wrong")) if error_code else None
        )
        self._scribe.write(caller, attempt, self.clock.now(), refusal)

    # -- looking after accounts -----------------------------------------------------------

    def reset(self, account: Account) -> None:
        """Give an account an empty state, an empty log and the quotas of the product data."""
        self._accounts[account.name] = AccountState()
        self.audit.forget(account.name)
        self._save(account)

    def snapshot(self, account: Account) -> str:
        """Save the account's state; return the id by which to restore it."""
        text = dump_state(self.state(account))
        return self._file.keep_snapshot(account.name, self.clock.now().isoformat(), text)

    def restore(self, account: Account, snapshot: str) -> None:
        """Restore the account's state; transitions that were under way continue."""
        saved = self._file.snapshot(account.name, snapshot)
        if saved is None:
            message = MessageRef("refused_missing", {"kind": "snapshot", "id": snapshot})
            raise RequestRefused(Code.NOT_FOUND, message)
        taken_at, text = saved
        state = self._read(text)
        state.shift(self.clock.now() - datetime.fromisoformat(taken_at))
        self._accounts[account.name] = state
        self._save(account)

    def set_quotas(self, account: Account, quotas: dict[str, int]) -> None:
        """Override the quotas of the product data for an account; 0 means no limit."""
        for kind, limit in quotas.items():
            if kind not in self.located or limit < 0:
                message = MessageRef("error_unknown", {"field": kind})
                raise RequestRefused(
                    Code.VALIDATION, MessageRef("refused_validation"), {kind: message}
                )
        self.state(account).quotas.update(quotas)
        self._save(account)

    # -- within ---------------------------------------------------------------------------

    @contextmanager
    def _operation(
        self, caller: Caller, located: Located, item_id: str, name: str, sent: Given, *kinds: str
    ) -> Iterator[_Operation]:
        """An operation on an item that is there and whose state allows it."""
        action = action_of(located, name, *kinds)
        attempt = self._attempt(caller, located, action, sent)
        attempt.target_id = item_id
        with self._audit(caller, action, attempt):
            item = self.item(caller, located, item_id)
            attempt.target_name, attempt.region = item.name, item.region
            motion.check_state(item, located, action)
            yield _Operation(action, attempt, item, self.state(caller.account))
            attempt.response = {"id": item.id, "state": item.state}

    @contextmanager
    def _audit(self, caller: Caller, action: Action, attempt: Attempt) -> Iterator[None]:
        with self._scribe.watching(caller, attempt, self.clock.now()):
            check_permission(caller, action, self.catalogue)
            yield
        self._save(caller.account)

    def _attempt(self, caller: Caller, located: Located, action: Action, sent: Given) -> Attempt:
        return Attempt(
            service=located.service,
            event=action.event,
            kind=located.kind,
            region="" if located.resource.is_global else self.regions.seen_by(caller) or "",
            parameters=loggable_values(located.resource, sent),
        )

    def _loggable(
        self, located: Located, names: Iterable[str], item: Item, state: AccountState
    ) -> dict[str, Value]:
        values = {name: item.values[name] for name in names}
        return loggable_values(
            located.resource, motion.with_reference_names(located, values, state)
        )

    def _start_transition(self, item: Item, located: Located, action: Action) -> None:
        motion.start_transition(item, located, action, self.clock.now(), self._settle_s)

    def _read(self, text: str) -> AccountState:
        try:
            state = load_state(text)
        except (ValueError, KeyError, TypeError) as exc:
            raise SetupError(f"a state that was kept cannot be read: {exc!r}") from exc
        unknown_kind = next(
            (i.kind for i in state.items.values() if i.kind not in self.located), None
        )
        if unknown_kind is not None:
            raise SetupError(
                f"the data folder has a {unknown_kind!r}, which this release does not know; "
                "serve the release that it was made with, or use another folder"
            )
        for item in state.items.values():  # another release may have more fields
            item.values = {**defaults(self.located[item.kind].resource), **item.values}
        return state

    def _save(self, account: Account) -> None:
        if self._file.is_lasting:
            self._file.write(account.name, dump_state(self._accounts[account.name]))
