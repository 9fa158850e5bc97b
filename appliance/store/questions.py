"""What people were asked while an attempt waited, and what became of it."""

from dataclasses import dataclass
from datetime import datetime

from appliance.core.people import QuestionKind, QuestionState, ReplyKind
from appliance.core.result import ArtifactRef
from appliance.store.mapping import RowMap
from appliance.store.paging import Paged, Paging, Where
from appliance.store.tables import Tables


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


class QuestionTable(Tables):
    """The table `questions`."""

    about = "questions"

    def add(self, row: QuestionRow) -> None:
        """Keep a new one."""
        self._insert(_QUESTIONS, row)

    def settle(self, row: QuestionRow) -> None:
        """Keep how a question ended."""
        self._write(
            "UPDATE questions SET state = ?, settled_at = ?, answered_by = ?, reply = ?"
            " WHERE id = ?",
            [
                row.state,
                row.settled_at,
                row.answered_by,
                row.reply.value if row.reply else None,
                row.id,
            ],
        )

    def withdraw_open(self, at: datetime) -> int:
        """Nobody waits for those that are open: their process died. Says how many there were."""
        rows = self._write(
            "UPDATE questions SET state = 'withdrawn', settled_at = ? WHERE state = 'open'"
            " RETURNING id",
            [at],
        )
        return len(rows)

    def get(self, question_id: str) -> QuestionRow | None:
        """The question of that id."""
        return self._find(_QUESTIONS, "WHERE id = ?", [question_id])

    def page(
        self, paging: Paging, *, state: QuestionState | None = None, run_id: str | None = None
    ) -> Paged[QuestionRow]:
        """Questions: those that are open first, then the newest."""
        where = Where().equal(state=state, run_id=run_id)
        order = "state != 'open', asked_at DESC, id DESC"
        return self._page(_QUESTIONS, where, order, paging)
