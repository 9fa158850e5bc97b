"""Questions of attempts to the users of a server, and their answers."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from secrets import token_hex
from urllib.parse import urlsplit, urlunsplit

import structlog

from appliance.core.clock import Clock
from appliance.core.errors import SetupError, StoreError
from appliance.core.events import Event, PersonAnswered, PersonAsked
from appliance.core.people import REPLIES, Question, QuestionState, Reply
from appliance.core.result import ArtifactRef
from appliance.core.secrets import learn, without_secrets
from appliance.store.questions import QuestionRow
from appliance.store.store import Store

_ID_BYTES = 6
_PICTURES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG": "image/png", b"RIFF": "image/webp"}

_log = structlog.get_logger()


class UnknownQuestion(SetupError):
    """There is no question of that id."""

    def __init__(self, question_id: str) -> None:
        super().__init__(f"there is no question {question_id}")


class QuestionAnswered(SetupError):
    """Somebody was quicker."""

    def __init__(self, row: QuestionRow) -> None:
        super().__init__(f"question {row.id} was answered by {row.answered_by or 'somebody'}")


class QuestionOver(SetupError):
    """Nobody waits for an answer any more."""

    def __init__(self, row: QuestionRow) -> None:
        why = "its time is over" if row.state is QuestionState.EXPIRED else "its run was stopped"
        super().__init__(f"nobody waits for an answer to question {row.id} any more: {why}")


@dataclass(frozen=True, slots=True)
class _Waiting:
    row: QuestionRow
    reply: asyncio.Future[Reply]
    """Typed secrets pass only through memory, from the request to the attempt."""
    since: float


class QuestionDesk:
    """`core.people.People` of a server. For the event loop's own thread."""

    def __init__(self, store: Store, emit: Callable[[Event], None], clock: Clock) -> None:
        """Create it without open questions.

        Args:
            store: Stores questions, without what is typed.
            emit: Receives events about questions.
            clock: The clock.
        """
        self._store = store
        self._emit = emit
        self._clock = clock
        # Invariant: whoever takes one out settles it; so the first answer is the only one.
        self._waiting: dict[str, _Waiting] = {}
        # Invariant: what became of those that the store still has as open.
        self._settling: dict[str, QuestionRow] = {}

    async def ask(self, question: Question) -> Reply | None:
        """Ask and wait for the answer; None if nobody answers in time or asking is impossible."""
        if question.wait_s <= 0:
            return None
        try:
            row = await asyncio.to_thread(self._keep, question)
        except StoreError as exc:  # such as a full disk
            _log.error("question_not_kept", run_id=question.run_id, reason=str(exc))
            return None
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(row, reply, self._clock.monotonic())
        self._waiting[row.id] = waiting
        self._emit(_event_of(row))
        state = QuestionState.WITHDRAWN
        try:
            await asyncio.wait([reply], timeout=question.wait_s)
            state = QuestionState.EXPIRED
        finally:
            if self._waiting.pop(row.id, None) is not None:
                await self._settle(waiting, state)
        return reply.result() if reply.done() else None

    async def answer(self, question_id: str, reply: Reply) -> QuestionRow:
        """Take a person's answer; only the first counts. What is typed is not stored.

        Raises:
            UnknownQuestion: There is none of that id.
            QuestionAnswered: Somebody was quicker.
            QuestionOver: Nobody waits any more.
            SetupError: It is no answer to such a question.
        """
        learn(reply.text)
        waiting = self._waiting.get(question_id)
        if waiting is None:
            row = self._settling.get(question_id)
            row = row or await asyncio.to_thread(self._store.questions.get, question_id)
            if row is None:
                raise UnknownQuestion(question_id)
            is_answered = row.state is QuestionState.ANSWERED
            raise QuestionAnswered(row) if is_answered else QuestionOver(row)
        check_reply(waiting.row, reply)
        del self._waiting[question_id]
        waiting.reply.set_result(reply)
        return await self._settle(waiting, QuestionState.ANSWERED, reply)

    def waiting(self) -> tuple[QuestionRow, ...]:
        """Open questions, oldest first."""
        return tuple(question.row for question in self._waiting.values())

    def withdraw_left(self) -> None:
        """Withdraw the questions that a former process left open. Blocks."""
        count = self._store.questions.withdraw_open(self._clock.now())
        if count:
            _log.info("questions_withdrawn", count=count)

    def _keep(self, question: Question) -> QuestionRow:
        now = self._clock.now()
        row = QuestionRow(
            id=f"q-{token_hex(_ID_BYTES)}",
            kind=question.kind,
            run_id=question.run_id,
            procedure_id=question.procedure_id,
            step=without_secrets(question.step),
            text=without_secrets(question.text),
            url=_plain(question.url),
            picture=self._picture(question.picture),
            asked_at=now,
            expires_at=now + timedelta(seconds=question.wait_s),
        )
        self._store.questions.add(row)
        return row

    def _picture(self, data: bytes) -> ArtifactRef | None:
        kinds = (kind for start, kind in _PICTURES.items() if data.startswith(start))
        kind = next(kinds, None)
        return self._store.artifacts.put(data, kind) if kind else None

    async def _settle(
        self, waiting: _Waiting, state: QuestionState, reply: Reply | None = None
    ) -> QuestionRow:
        row = replace(
            waiting.row,
            state=state,
            settled_at=self._clock.now(),
            answered_by=reply.by if reply else "",
            reply=reply.kind if reply else None,
        )
        self._settling[row.id] = row
        try:
            await asyncio.to_thread(self._store.questions.settle, row)
            del self._settling[row.id]
        except StoreError as exc:  # the attempt has its answer; the next start settles the row
            _log.error("question_not_settled", question_id=row.id, reason=str(exc))
        self._emit(_answer_event(row, self._clock.monotonic() - waiting.since))
        return row


def check_reply(row: QuestionRow, reply: Reply) -> None:
    """Check that a reply fits the question.

    Raises:
        SetupError: It is not.
    """
    allowed_replies = REPLIES[row.kind]
    if reply.kind not in allowed_replies:
        raise SetupError(
            f"{reply.kind!s} is no answer to a question of the kind {row.kind!s};"
            f" there are {', '.join(allowed_replies)}"
        )
    if reply.kind == "type" and not reply.text:
        raise SetupError("say what is to be typed")
    if reply.kind == "click" and row.picture is None:
        raise SetupError("there is no picture to click on")


def _event_of(row: QuestionRow) -> PersonAsked:
    return PersonAsked(
        run_id=row.run_id,
        procedure_id=row.procedure_id,
        question_id=row.id,
        kind=row.kind,
        text=row.text,
        step=row.step,
        url=row.url,
        expires_at=row.expires_at,
        picture=row.picture,
    )


def _answer_event(row: QuestionRow, waited_s: float) -> PersonAnswered:
    return PersonAnswered(
        run_id=row.run_id,
        procedure_id=row.procedure_id,
        question_id=row.id,
        kind=row.kind,
        state=row.state,
        reply=row.reply,
        by=row.answered_by,
        waited_s=waited_s,
    )


def _plain(url: str) -> str:
    """A URL without its user, query and fragment, which may hold secrets."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return without_secrets(urlunsplit((parts.scheme, host, parts.path, "", "")))
