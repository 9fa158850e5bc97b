"""The audit log: what was done or tried, by whom, and what came of it."""

import json
import secrets
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import merge
from pathlib import Path

from appliance.core.jsonable import json_object
from appliance.practice.catalogue import Value

KEPT = 5_000
"""Events of an account held in memory; a file keeps them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One operation, as it is written."""

    time: datetime
    event_id: str = field(default_factory=lambda: f"evt-{secrets.token_hex(8)}")
    service: str
    name: str
    account: str
    actor: str
    region: str = ""
    outcome: str
    """`success` or `failure`."""
    target_type: str = ""
    target_id: str = ""
    target_name: str = ""
    request_id: str
    parameters: Mapping[str, Value] = field(default_factory=dict)
    response: Mapping[str, Value] = field(default_factory=dict)
    error_code: str = ""
    error_message: str = ""
    source: str
    """`console` or `api`."""
    source_address: str = ""
    user_agent: str = ""


class AuditLog:
    """Keeps records in order, in memory and in a file of JSON lines."""

    def __init__(self, file: Path | None = None, delay_s: float = 0.0) -> None:
        self._records: dict[str, deque[AuditRecord]] = {}
        self._delay = timedelta(seconds=delay_s)
        self._stream = file.open("a", encoding="utf-8") if file is not None else None

    def add(self, record: AuditRecord) -> None:
        """Keep a record."""
        self._records.setdefault(record.account, deque(maxlen=KEPT)).append(record)
        if self._stream is not None:
            self._stream.write(json.dumps(json_object(record), ensure_ascii=False) + "\n")
            self._stream.flush()  # from here on a kill of the process does not lose it

    def delivered_until(self, now: datetime) -> datetime:
        """The time up to which the log can be read."""
        return now - self._delay

    def since(
        self, when: datetime | None, now: datetime, account: str | None = None
    ) -> list[AuditRecord]:
        """The records from a time on that have been delivered, oldest first."""
        logs = self._records.values() if account is None else [self._records.get(account, ())]
        until = self.delivered_until(now)
        return [
            record
            for record in merge(*logs, key=lambda record: record.time)
            if (when is None or record.time >= when) and record.time <= until
        ]

    def forget(self, account: str) -> None:
        """Drop an account's records from memory; the file keeps them."""
        self._records.pop(account, None)

    def close(self) -> None:
        """Release the file."""
        if self._stream is not None:
            self._stream.close()


def new_request_id() -> str:
    """An id for one request."""
    return f"req-{secrets.token_hex(8)}"
