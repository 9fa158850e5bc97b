"""Answers that were given to requests with an `Idempotency-Key`, for the same request again."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from appliance.store.mapping import RowMap
from appliance.store.tables import Tables
from appliance.store.times import as_stored

KEPT_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResponse:
    """What was answered."""

    caller: str
    idempotency_key: str
    request_hash: str
    """Of method, address and body."""
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    answered_at: datetime


def _pairs(headers: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in headers)


_ANSWERS = RowMap(StoredResponse, "answers", json={"headers": _pairs})


class AnswerTable(Tables):
    """The table `answers`."""

    about = "answers"

    def keep(self, answer: StoredResponse) -> None:
        """Keep one in place of an earlier, and forget those that are too old."""
        oldest = as_stored(answer.answered_at - KEPT_FOR)
        with self._session.transaction("keeping an answer") as connection:
            connection.execute(
                "DELETE FROM answers WHERE answered_at <= ?"
                " OR (caller = ? AND idempotency_key = ?)",
                [oldest, answer.caller, answer.idempotency_key],
            )
            _ANSWERS.insert(connection, answer)

    def find(self, caller: str, idempotency_key: str, now: datetime) -> StoredResponse | None:
        """What that caller was answered under that key, where it is not too long ago."""
        return self._find(
            _ANSWERS,
            "WHERE caller = ? AND idempotency_key = ? AND answered_at > ?",
            [caller, idempotency_key, now - KEPT_FOR],
        )
