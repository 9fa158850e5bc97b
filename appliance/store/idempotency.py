"""Answers that were given to requests with an `Idempotency-Key`, for the same request again."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from appliance.store.session import Session
from appliance.store.times import as_known, as_stored

KEPT_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was answered."""

    caller: str
    idempotency_key: str
    request_hash: str
    """Of method, address and body."""
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    answered_at: datetime


class AnswerTable:
    """The table `answers`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def keep(self, answer: Answer) -> None:
        """Keep one in place of an earlier, and forget those that are too old."""
        oldest = as_stored(answer.answered_at - KEPT_FOR)
        with self._session.transaction("keeping an answer") as connection:
            connection.execute(
                "DELETE FROM answers WHERE answered_at <= ?"
                " OR (caller = ? AND idempotency_key = ?)",
                [oldest, answer.caller, answer.idempotency_key],
            )
            connection.execute(
                "INSERT INTO answers (caller, idempotency_key, request_hash, status, headers,"
                " body, answered_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    answer.caller,
                    answer.idempotency_key,
                    answer.request_hash,
                    answer.status,
                    json.dumps(answer.headers),
                    answer.body,
                    as_stored(answer.answered_at),
                ],
            )

    def find(self, caller: str, idempotency_key: str, now: datetime) -> Answer | None:
        """What that caller was answered under that key, where it is not too long ago."""
        with self._session.reading("looking for an answer") as connection:
            row = connection.execute(
                "SELECT request_hash, status, headers, body, answered_at FROM answers"
                " WHERE caller = ? AND idempotency_key = ? AND answered_at > ?",
                [caller, idempotency_key, as_stored(now - KEPT_FOR)],
            ).fetchone()
        if row is None:
            return None
        return Answer(
            caller=caller,
            idempotency_key=idempotency_key,
            request_hash=row[0],
            status=row[1],
            headers=tuple((name, value) for name, value in json.loads(row[2])),
            body=row[3],
            answered_at=as_known(row[4]),
        )
