"""The audit log: what was done or tried, by whom, and what came of it."""

import json
import secrets
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from appliance.core.jsonable import json_object
from appliance.practice.catalogue import Value

KEPT = 20_000
"""Events held in memory; a file keeps them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One operation, as it is written."""

    time: datetime
    service: str
    name: str
    account: str
    actor: str
    outcome: str
    """`success` or `failure`."""
    target_type: str = ""
    target_id: str = ""
    target_name: str = ""
    request_id: str
    parameters: Mapping[str, Value] = field(default_factory=dict)
    error_code: str = ""
    source: str
    """`console` or `api`."""


class AuditLog:
    """Keeps records in order, in memory and in a file of JSON lines."""

    def __init__(self, file: Path | None = None) -> None:
        self._records: deque[AuditRecord] = deque(maxlen=KEPT)
        self._file = file

    def add(self, record: AuditRecord) -> None:
        """Keep a record."""
        self._records.append(record)
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(json_object(record), ensure_ascii=False) + "\n")

    def since(self, when: datetime | None, account: str | None = None) -> list[AuditRecord]:
        """The records from a time on, oldest first, of one account where given."""
        return [
            record
            for record in self._records
            if (when is None or record.time >= when)
            and (account is None or record.account == account)
        ]

    def forget(self, account: str) -> None:
        """Drop an account's records from memory; the file keeps them."""
        kept = [record for record in self._records if record.account != account]
        self._records = deque(kept, maxlen=KEPT)


def new_request_id() -> str:
    """An id for one request."""
    return f"req-{secrets.token_hex(8)}"
