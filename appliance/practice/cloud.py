"""The operations of the cloud: every change goes through here, and into the audit log."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from appliance.core.clock import Clock, SystemClock
from appliance.practice.accounts import Account, Role
from appliance.practice.audit import AuditLog, AuditRecord, new_request_id
from appliance.practice.catalogue import Action, Catalogue, FieldKind, Located, Value
from appliance.practice.refusals import Code, Refused, Said
from appliance.practice.state import AccountState, Item, Settling, load, new_id, save
from appliance.practice.values import checked


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks, and how."""

    account: Account
    source: str
    """`console` or `api`."""
    request_id: str = field(default_factory=new_request_id)


@dataclass(slots=True)
class _Attempt:
    """What is known of an operation while it is tried."""

    service: str
    event: str
    kind: str
    parameters: Mapping[str, Value]
    target_id: str = ""
    target_name: str = ""


class Cloud:
    """The state of all accounts, and what can be done with it."""

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        settle_s: float = 1.5,
        clock: Clock | None = None,
        data_dir: Path | None = None,
    ) -> None:
        self.catalogue = catalogue
        self._settle_s = settle_s
        self._clock = clock or SystemClock()
        self._file = data_dir / "state.json" if data_dir else None
        self._accounts = load(self._file) if self._file else {}
        self.audit = AuditLog(data_dir / "audit.jsonl" if data_dir else None)

    def state(self, account: Account) -> AccountState:
        """What an account has now."""
        state = self._accounts.setdefault(account.name, AccountState())
        state.settle(self._clock.now())
        return state

    def item(self, caller: Caller, found: Located, item_id: str) -> Item:
        """An item of the account; `Refused` when there is none."""
        item = self.state(caller.account).items.get(item_id)
        if item is None or item.kind != found.kind:
            said = Said("refused_missing", {"kind": found.resource.name, "id": item_id})
            raise Refused(Code.NOT_FOUND, said)
        return item

    def create(self, caller: Caller, found: Located, given: Mapping[str, Value]) -> Item:
        """Make an item."""
        action = self._action(found, "create")
        attempt = _Attempt(found.service, action.event, found.kind, given)
        attempt.target_name = str(given.get("name", ""))
        with self._audited(caller, attempt):
            state = self.state(caller.account)
            values = checked(found.resource, found.kind, given, state)
            item = Item(
                id=new_id(found.resource.id_prefix),
                kind=found.kind,
                values=values,
                state=action.to,
                created=self._clock.now(),
            )
            attempt.target_id, attempt.target_name = item.id, item.name
            attempt.parameters = self._spelled_out(found, values, state)
            self._put_in_motion(item, found, action)
            state.items[item.id] = item
        return item

    def update(
        self, caller: Caller, found: Located, item_id: str, name: str, given: Mapping[str, Value]
    ) -> Item:
        """Change values of an item, by the edit action of that name."""
        action = self._action(found, name, "edit", "tags")
        attempt = _Attempt(found.service, action.event, found.kind, given, item_id)
        with self._audited(caller, attempt):
            item = self._allowed(caller, found, item_id, action, attempt)
            state = self.state(caller.account)
            strange = next((field for field in given if field not in action.fields), None)
            if strange is not None:
                said = Said("error_unknown", {"field": strange})
                raise Refused(Code.VALIDATION, Said("refused_validation"), {strange: said})
            item.values = checked(found.resource, found.kind, given, state, item)
            attempt.parameters = self._spelled_out(found, {n: item.values[n] for n in given}, state)
        return item

    def transition(self, caller: Caller, found: Located, item_id: str, name: str) -> Item:
        """Bring an item into another state."""
        action = self._action(found, name, "transition")
        attempt = _Attempt(found.service, action.event, found.kind, {}, item_id)
        with self._audited(caller, attempt):
            item = self._allowed(caller, found, item_id, action, attempt)
            self._put_in_motion(item, found, action)
        return item

    def delete(self, caller: Caller, found: Located, item_id: str) -> None:
        """Delete an item that nothing else uses."""
        action = self._action(found, "delete")
        attempt = _Attempt(found.service, action.event, found.kind, {}, item_id)
        with self._audited(caller, attempt):
            item = self._allowed(caller, found, item_id, action, attempt)
            state = self.state(caller.account)
            if users := self._users(item, state):
                values = {"name": item.name, "users": ", ".join(users)}
                raise Refused(Code.DEPENDENCY, Said("refused_dependency", values))
            if action.through:
                self._put_in_motion(item, found, action)
            else:
                del state.items[item_id]

    def reset(self, account: Account) -> None:
        """Give an account an empty state and an empty log."""
        self._accounts[account.name] = AccountState()
        self.audit.forget(account.name)
        self._save()

    def record(self, caller: Caller, event: str, *, error_code: str = "") -> None:
        """Write an event of the cloud itself, such as a log-in, into the audit log."""
        self._write(caller, _Attempt("identity", event, "account", {}), error_code)

    @contextmanager
    def _audited(self, caller: Caller, attempt: _Attempt) -> Iterator[None]:
        """Refuse readers; write down what came of it; save."""
        try:
            if caller.account.role is Role.VIEWER:
                said = Said("refused_reader", {"name": caller.account.name})
                raise Refused(Code.ACCESS_DENIED, said)
            yield
        except Refused as refused:
            self._write(caller, attempt, refused.code)
            raise
        self._write(caller, attempt, "")
        self._save()

    def _write(self, caller: Caller, attempt: _Attempt, error_code: str) -> None:
        self.audit.add(
            AuditRecord(
                time=self._clock.now(),
                service=attempt.service,
                name=attempt.event,
                account=caller.account.name,
                actor=caller.account.name,
                outcome="failure" if error_code else "success",
                target_type=attempt.kind,
                target_id=attempt.target_id,
                target_name=attempt.target_name,
                request_id=caller.request_id,
                parameters=attempt.parameters,
                error_code=error_code,
                source=caller.source,
            )
        )

    def _action(self, found: Located, name: str, *kinds: str) -> Action:
        action = found.resource.actions.get(name)
        if action is None or (kinds and action.kind not in kinds):
            raise Refused(Code.UNKNOWN_OPERATION, Said("refused_action"))
        return action

    def _allowed(
        self, caller: Caller, found: Located, item_id: str, action: Action, attempt: _Attempt
    ) -> Item:
        item = self.item(caller, found, item_id)
        attempt.target_name = item.name
        is_wrong = action.from_states and item.state not in action.from_states
        if is_wrong or (item.settling is not None and not item.settling.to):
            label = found.resource.states[item.state].label
            said = Said("refused_state", {"name": item.name, "state": label})
            raise Refused(Code.STATE, said)
        return item

    def _put_in_motion(self, item: Item, found: Located, action: Action) -> None:
        if not action.through or self._settle_s <= 0:
            item.state = action.to or action.through
            delay = 0.0
        else:
            item.state = action.through
            delay = self._settle_s * found.resource.states[action.through].settle
        if action.through:
            item.settling = Settling(at=self._clock.now() + timedelta(seconds=delay), to=action.to)

    def _users(self, item: Item, state: AccountState) -> list[str]:
        """The items that refer to this one."""
        return [
            f"{other.kind} {other.name}"
            for other in state.items.values()
            for name, spec in self.catalogue.resource(other.kind).resource.fields.items()
            if spec.refers_to == item.kind and other.values.get(name) == item.id
        ]

    def _spelled_out(
        self, found: Located, values: Mapping[str, Value], state: AccountState
    ) -> dict[str, Value]:
        """Values with the names of what they refer to beside the ids."""
        spelled = dict(values)
        for name, value in values.items():
            spec = found.resource.fields[name]
            other = state.items.get(str(value)) if spec.kind is FieldKind.REFERENCE else None
            if other is not None:
                spelled[f"{name}_name"] = other.name
        return spelled

    def _save(self) -> None:
        if self._file is not None:
            save(self._file, self._accounts)
