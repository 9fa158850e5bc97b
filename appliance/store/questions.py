"""What people were asked while an attempt waited, and what became of it."""

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from appliance.core.people import QuestionKind, QuestionState, ReplyKind
from appliance.core.result import ArtifactRef
from appliance.store.paging import Paged, Paging
from appliance.store.session import Session
from appliance.store.times import as_column, as_known, as_stored


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """A question, and how it stands with it. What a person typed is not kept."""

    id: str
    kind: QuestionKind
    run_id: str
    procedure_id: str
    step: str = ""
    """The documented step."""
    text: str
    """What is to be decided or done."""
    url: str = ""
    """Of the page, without its query."""
    picture: ArtifactRef | None = None
    """The page as it was."""
    asked_at: datetime
    expires_at: datetime
    state: QuestionState = QuestionState.OPEN
    settled_at: datetime | None = None
    """When it was answered, or nobody waited any more."""
    answered_by: str = ""
    reply: ReplyKind | None = None
    """Which kind of answer it got."""


_NAMES = tuple(field.name for field in fields(QuestionRow))
_COLUMNS = ", ".join(_NAMES)


class QuestionTable:
    """The table `questions`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, row: QuestionRow) -> None:
        """Keep a new one."""
        marks = ", ".join("?" for _ in _NAMES)
        with self._session.transaction("keeping a question") as connection:
            connection.execute(
                f"INSERT INTO questions ({_COLUMNS}) VALUES ({marks})",  # noqa: S608 - constants
                [_column(getattr(row, name)) for name in _NAMES],
            )

    def settle(self, row: QuestionRow) -> None:
        """What became of it."""
        with self._session.transaction("settling a question") as connection:
            connection.execute(
                "UPDATE questions SET state = ?, settled_at = ?, answered_by = ?, reply = ?"
                " WHERE id = ?",
                [
                    row.state.value,
                    as_stored(row.settled_at),
                    row.answered_by,
                    row.reply.value if row.reply else None,
                    row.id,
                ],
            )

    def withdraw_open(self, at: datetime) -> int:
        """Nobody waits for those that are open: their process died. Says how many there were."""
        with self._session.transaction("withdrawing questions") as connection:
            rows = connection.execute(
                "UPDATE questions SET state = 'withdrawn', settled_at = ? WHERE state = 'open'"
                " RETURNING id",
                [as_stored(at)],
            ).fetchall()
        return len(rows)

    def get(self, question_id: str) -> QuestionRow | None:
        """The question of that id."""
        found = self._rows("WHERE id = ?", [question_id])
        return found[0] if found else None

    def page(
        self, paging: Paging, *, state: QuestionState | None = None, run_id: str | None = None
    ) -> Paged[QuestionRow]:
        """Questions: those that are open first, then the newest."""
        where = "WHERE (? IS NULL OR state = ?) AND (? IS NULL OR run_id = ?)"
        wanted = [state, state, run_id, run_id]
        with self._session.reading("counting questions") as connection:
            total = connection.execute(
                f"SELECT count(*) FROM questions {where}",  # noqa: S608 - constants
                wanted,
            ).fetchone()
        found = self._rows(
            f"{where} ORDER BY state != 'open', asked_at DESC, id DESC LIMIT ? OFFSET ?",
            [*wanted, paging.limit, paging.offset],
        )
        return Paged(found, total[0] if total else 0)

    def _rows(self, tail: str, values: list[Any]) -> tuple[QuestionRow, ...]:  # Any: columns
        with self._session.reading("reading questions") as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM questions {tail}",  # noqa: S608 - constants
                values,
            ).fetchall()
        return tuple(_row(dict(zip(_NAMES, row, strict=True))) for row in rows)


def _column(value: object) -> object:
    return asdict(value) if isinstance(value, ArtifactRef) else as_column(value)


def _row(told: dict[str, Any]) -> QuestionRow:  # Any: columns
    picture, reply = told["picture"], told["reply"]
    return QuestionRow(
        **told
        | {
            "kind": QuestionKind(told["kind"]),
            "state": QuestionState(told["state"]),
            "reply": ReplyKind(reply) if reply else None,
            "picture": ArtifactRef(**picture) if picture else None,
            "asked_at": as_known(told["asked_at"]),
            "expires_at": as_known(told["expires_at"]),
            "settled_at": as_known(told["settled_at"]),
        }
    )
