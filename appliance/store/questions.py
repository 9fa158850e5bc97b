"""What people were asked while an attempt waited, and what became of it."""

from dataclasses import dataclass
from datetime import datetime

from appliance.core.people import QuestionKind, QuestionState, ReplyKind
from appliance.core.result import ArtifactRef
from appliance.store.mapping import RowMap
from appliance.store.paging import Paged, Paging
from appliance.store.session import Session
from appliance.store.times import as_stored
from appliance.store.where import Where


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """A question, and how it stands with it. What a person typed is not kept."""

    id: str
    kind: QuestionKind
    """`consent`: may this be done? `take_over`: something that only a person can do."""
    run_id: str
    """Run that waits."""
    procedure_id: str
    """Procedure that waits."""
    step: str = ""
    """Index of the documented step."""
    text: str
    """What is to be decided or done."""
    url: str = ""
    """Of the page, without its query."""
    picture: ArtifactRef | None = None
    """The page as it was."""
    asked_at: datetime
    """When it was asked."""
    expires_at: datetime
    """Until when it is waited for."""
    state: QuestionState = QuestionState.OPEN
    """`open`, `answered`, `expired`, or `withdrawn`: its run was stopped."""
    settled_at: datetime | None = None
    """When it was over; None: it is open."""
    answered_by: str = ""
    """Who answered; empty: nobody."""
    reply: ReplyKind | None = None
    """Which kind of answer it got; what was typed is not kept."""


_QUESTIONS = RowMap(QuestionRow, "questions")


class QuestionTable:
    """The table `questions`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, row: QuestionRow) -> None:
        """Keep a new one."""
        with self._session.transaction("keeping a question") as connection:
            _QUESTIONS.insert(connection, row)

    def settle(self, row: QuestionRow) -> None:
        """Keep how a question ended."""
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
        with self._session.reading("reading questions") as connection:
            return _QUESTIONS.find(connection, "WHERE id = ?", [question_id])

    def page(
        self, paging: Paging, *, state: QuestionState | None = None, run_id: str | None = None
    ) -> Paged[QuestionRow]:
        """Questions: those that are open first, then the newest."""
        where = Where().equal(state=state, run_id=run_id)
        order = "state != 'open', asked_at DESC, id DESC"
        with self._session.reading("reading questions") as connection:
            return _QUESTIONS.page(connection, where, order, paging)
