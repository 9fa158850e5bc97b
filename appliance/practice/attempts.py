"""An operation while it is tried: who may do it, and what the audit log says of it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from appliance.practice.accounts import Caller, Role
from appliance.practice.audit import AuditLog, AuditRecord
from appliance.practice.catalogue import Action, Catalogue, Located, Text, Value
from appliance.practice.refusals import Code, MessageRef, RequestRefused


@dataclass(slots=True, kw_only=True)
class Attempt:
    """What is known of an operation that is being tried."""

    service: str
    event: str
    kind: str
    region: str = ""
    parameters: Mapping[str, Value] = field(default_factory=dict)
    target_id: str = ""
    target_name: str = ""
    response: Mapping[str, Value] = field(default_factory=dict)


def action_of(located: Located, name: str, *kinds: str) -> Action:
    """An action of a resource; `RequestRefused` when the API has none of that name and kind."""
    action = located.resource.actions.get(name)
    if action is None or action.kind not in kinds:
        raise RequestRefused(Code.UNKNOWN_OPERATION, MessageRef("refused_action"))
    return action


def check_permission(caller: Caller, action: Action, catalogue: Catalogue) -> None:
    """Refuse those who may only look, and those who lack what the action asks for."""
    name = caller.account.name
    if caller.account.role is Role.VIEWER:
        raise RequestRefused(Code.ACCESS_DENIED, MessageRef("refused_reader", {"name": name}))
    if not action.permission:
        return
    permission = catalogue.console.permissions[action.permission]
    if caller.account.role.value not in permission.roles:
        values: dict[str, Text | str] = {"name": name, "permission": permission.label}
        raise RequestRefused(Code.ACCESS_DENIED, MessageRef("refused_permission", values))


class Scribe:
    """Writes what was tried into the audit log."""

    def __init__(self, log: AuditLog, catalogue: Catalogue) -> None:
        self._log = log
        self._catalogue = catalogue

    @contextmanager
    def watching(self, caller: Caller, attempt: Attempt, now: datetime) -> Iterator[None]:
        """Write the outcome of the block into the audit log."""
        try:
            yield
        except RequestRefused as refused:
            self.write(caller, attempt, now, refused)
            raise
        self.write(caller, attempt, now)

    def write(
        self, caller: Caller, attempt: Attempt, now: datetime, refused: RequestRefused | None = None
    ) -> None:
        """Write one record."""
        self._log.add(
            AuditRecord(
                time=now,
                service=attempt.service,
                name=attempt.event,
                account=caller.account.name,
                actor=caller.account.name,
                region=attempt.region,
                outcome="failure" if refused else "success",
                target_type=attempt.kind,
                target_id=attempt.target_id,
                target_name=attempt.target_name,
                request_id=caller.request_id,
                parameters=attempt.parameters,
                response={} if refused else attempt.response,
                error_code=refused.code.value if refused else "",
                error_message=refused.detail(self._catalogue, "en") if refused else "",
                source=caller.source,
                source_address=caller.source_address,
                user_agent=caller.user_agent,
            )
        )
