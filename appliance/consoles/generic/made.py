"""What an account made in a console that cannot tell what it holds, as its audit log tells it."""

import re
from collections.abc import Iterable, Sequence

from appliance.core.checks import AuditEvent, EventOutcome
from appliance.core.resources import Receipt, ReceiptKind

_MAKES = re.compile(
    r"(?:^|[^a-z])(?:create|run|add|allocate|register|import|launch|provision|clone|copy|restore"
    r"|upload|put|start|apply|buy|purchase)(?:d|s|ed)?(?=[^a-z]|$)"
)
_REMOVES = re.compile(
    r"(?:^|[^a-z])(?:delete|remove|terminate|release|destroy|deregister|unregister|drop|stop"
    r"|purge)(?:d|s|ed)?(?=[^a-z]|$)"
)
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_WHOLE = re.compile(r"\.(start|error)$")
_WHY = "this console cannot delete anything: remove it by hand"


def left_behind(events: Sequence[AuditEvent]) -> tuple[Receipt, ...]:
    """A receipt for each thing that was made and, as far as the log tells, is there still.

    By the words in the names of operations: `CreateBucket`, `create deployments`,
    `network.create.end`.
    """
    made: dict[str, AuditEvent] = {}
    for event in events:
        key = event.target_id or event.target_name
        if event.outcome is EventOutcome.FAILURE or not key:
            continue
        words = _CAPITAL.sub(" ", event.name).lower()
        if _REMOVES.search(words):
            for gone in _same(made, event):
                del made[gone]
        elif _MAKES.search(words) and not _NOT_WHOLE.search(words):
            made.setdefault(key, event)
    return tuple(
        Receipt(
            deed=ReceiptKind.LEFT,
            kind=event.target_type or event.name,
            id=event.target_id,
            name=event.target_name,
            why=_WHY,
        )
        for event in made.values()
    )


def unlogged_receipt(unique: str, why: str) -> Receipt:
    """A receipt for resources of which no log tells."""
    return Receipt(
        deed=ReceiptKind.LEFT,
        kind="anything",
        id=unique,
        why=f"{why}: look for what has {unique} in its name, and remove it by hand",
    )


def _same(made: Iterable[str], gone: AuditEvent) -> list[str]:
    return [key for key in made if key in (gone.target_id, gone.target_name)]
