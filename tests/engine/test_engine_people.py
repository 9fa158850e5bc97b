"""An attempt asks people, who answer, are late, or are never asked; all is told, but no secret."""

import asyncio
import json
from pathlib import Path

import pytest
import structlog

from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.events import Event, PersonAnswered, PersonAsked, ProcedureStarted
from appliance.core.people import Question, QuestionKind, QuestionState, Reply, ReplyKind
from appliance.core.secrets import without_secrets
from appliance.engine.event_messages import event_message
from appliance.engine.live import Live
from appliance.engine.question_desk import (
    QuestionAnswered,
    QuestionDesk,
    QuestionOver,
    UnknownQuestion,
)
from appliance.engine.webhooks.messages import message
from appliance.store.paging import Paging
from appliance.store.store import Store
from appliance.telemetry.event_log import log_event
from appliance.telemetry.metrics import Metrics

CODE = "9f3-one-time-code"
ASKED = Question(
    kind=QuestionKind.TAKE_OVER,
    run_id="run-1",
    procedure_id="iam/sign-in",
    text="Type the code.",
    step="2",
    url="https://console.test/login?token=t0ken",
    picture=b"\x89PNG\r\n\x1a\n...",
    wait_s=60.0,
)
CONSENT = Question(
    kind=QuestionKind.CONSENT, run_id="run-1", procedure_id="p", text="Delete it?", wait_s=60.0
)


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(tmp_path) as store:
        yield store


@pytest.fixture
def events() -> list[Event]:
    return []


@pytest.fixture
def desk(store: Store, events: list[Event]) -> QuestionDesk:
    return QuestionDesk(store, events.append, SystemClock())


async def asked(desk: QuestionDesk, *questions: Question) -> list[asyncio.Task[Reply | None]]:
    """Attempts that wait, in the order of their questions."""
    tasks = []
    async with asyncio.timeout(20):
        for question in questions:
            count = len(desk.waiting())
            tasks.append(asyncio.create_task(desk.ask(question)))
            while len(desk.waiting()) == count:
                await asyncio.sleep(0.005)
    return tasks


async def test_everybody_is_told_that_somebody_is_waited_for_and_nobody_what_was_typed(
    desk: QuestionDesk, store: Store, events: list[Event]
):
    (attempt,) = await asked(desk, ASKED)
    (row,) = desk.waiting()
    await desk.answer(row.id, Reply(kind=ReplyKind.TYPE, text=CODE, by="ann"))
    reply = await attempt
    assert reply is not None
    assert reply.text == CODE
    assert CODE not in repr(reply)
    question, answer = events
    assert isinstance(question, PersonAsked)
    assert isinstance(answer, PersonAnswered)
    assert question.url == "https://console.test/login"
    assert (answer.state, answer.reply, answer.by) == ("answered", "type", "ann")
    assert desk.waiting() == ()

    live, metrics = Live(SystemClock(), lambda run_id: {}), Metrics()
    live(ProcedureStarted(run_id="run-1", procedure_id="iam/sign-in", title="Sign in"))
    with structlog.testing.capture_logs() as lines:
        for event in events:
            for listener in (live, metrics, log_event):
                listener(event)
    said = [event_message(event) for event in events]
    assert [(one.run_id, one.name) for one in said] == [
        ("run-1", "person_asked"),
        ("run-1", "person_answered"),
    ]
    assert [line["event"] for line in lines] == ["person asked", "question answered"]
    counted = metrics.exposition()[0].decode()
    assert 'appliance_questions_total{kind="take_over"} 1.0' in counted
    assert 'appliance_questions_settled_total{kind="take_over",state="answered"} 1.0' in counted
    posted = message(question, store, "https://box.test")
    assert posted is not None
    assert message(answer, store, "https://box.test") is None
    assert (posted.event, posted.subject) == ("person.asked", row.id)
    assert posted.data["url"] == f"https://box.test/questions/{row.id}"
    everything = json.dumps([said, lines, posted, counted], default=str)
    assert CODE not in everything
    assert "t0ken" not in everything
    assert without_secrets(f"typed {CODE}") == "typed ***"


async def test_a_page_that_follows_a_run_sees_who_waits(desk: QuestionDesk, events: list[Event]):
    live = Live(SystemClock(), lambda run_id: {})
    (attempt,) = await asked(desk, ASKED)
    await desk.answer(desk.waiting()[0].id, Reply(kind=ReplyKind.DONE))
    await attempt
    question, answer = events
    key = ("run-1", "iam/sign-in")
    live(ProcedureStarted(run_id=key[0], procedure_id=key[1], title="Sign in"))
    live(question)
    assert live._busy[key].question_id == question.question_id
    assert live._busy[key].picture == question.picture
    live(answer)
    assert live._busy[key].question_id == ""


async def test_each_attempt_gets_the_answer_to_its_own_question(desk: QuestionDesk):
    attempts = await asked(desk, *(CONSENT for _ in range(8)))
    rows = desk.waiting()
    kinds = [ReplyKind.ALLOW if n % 3 else ReplyKind.REFUSE for n in range(len(rows))]
    pairs = list(zip(rows, kinds, strict=True))
    await asyncio.gather(*(desk.answer(r.id, Reply(kind=k)) for r, k in reversed(pairs)))
    replies = await asyncio.gather(*attempts)
    assert [reply.kind for reply in replies if reply] == kinds


async def test_the_first_of_many_answers_is_the_only_one(desk: QuestionDesk, store: Store):
    (attempt,) = await asked(desk, CONSENT)
    (row,) = desk.waiting()
    answers = await asyncio.gather(
        *(desk.answer(row.id, Reply(kind=ReplyKind.ALLOW, by=f"p{n}")) for n in range(10)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, QuestionAnswered) for one in answers) == 9
    reply, kept = await attempt, store.questions.get(row.id)
    assert reply is not None
    assert kept is not None
    assert kept.answered_by == reply.by


async def test_nobody_waits_for_ever(desk: QuestionDesk, store: Store, events: list[Event]):
    assert await desk.ask(Question(**_of(CONSENT) | {"wait_s": 0.0})) is None
    assert events == []
    assert await desk.ask(Question(**_of(CONSENT) | {"wait_s": 0.02})) is None
    (row,) = store.questions.page(Paging()).items
    assert row.state is QuestionState.EXPIRED
    assert isinstance(events[-1], PersonAnswered)
    assert events[-1].state is QuestionState.EXPIRED
    with pytest.raises(QuestionOver, match="its time is over"):
        await desk.answer(row.id, Reply(kind=ReplyKind.ALLOW))
    with pytest.raises(UnknownQuestion):
        await desk.answer("q-none", Reply(kind=ReplyKind.ALLOW))


async def test_a_run_that_is_stopped_withdraws_its_question(desk: QuestionDesk, store: Store):
    (attempt,) = await asked(desk, CONSENT)
    (row,) = desk.waiting()
    attempt.cancel()
    with pytest.raises(asyncio.CancelledError):
        await attempt
    kept = store.questions.get(row.id)
    assert kept is not None
    assert kept.state is QuestionState.WITHDRAWN
    with pytest.raises(QuestionOver, match="its run was stopped"):
        await desk.answer(row.id, Reply(kind=ReplyKind.ALLOW))


async def test_a_crash_leaves_no_question_open(
    desk: QuestionDesk, store: Store, events: list[Event]
):
    attempts = await asked(desk, CONSENT)
    (row,) = desk.waiting()
    next_process = QuestionDesk(store, events.append, SystemClock())
    next_process.withdraw_left()
    kept = store.questions.get(row.id)
    assert kept is not None
    assert kept.state is QuestionState.WITHDRAWN
    attempts[0].cancel()
    await asyncio.gather(*attempts, return_exceptions=True)


async def test_a_store_that_fails_keeps_nobody_from_an_answer(desk: QuestionDesk, store: Store):
    (attempt,) = await asked(desk, CONSENT)
    (row,) = desk.waiting()
    store.close()
    settled = await desk.answer(row.id, Reply(kind=ReplyKind.ALLOW, by="ann"))
    assert settled.state is QuestionState.ANSWERED
    assert await attempt == Reply(kind=ReplyKind.ALLOW, by="ann")
    assert await desk.ask(CONSENT) is None  # what cannot be kept cannot be shown to anybody


async def test_a_click_needs_a_picture_and_what_is_no_picture_is_kept_as_none(desk: QuestionDesk):
    attempts = await asked(desk, Question(**_of(ASKED) | {"picture": b"<html>"}))
    (row,) = desk.waiting()
    assert row.picture is None
    for reply in (Reply(kind=ReplyKind.CLICK, x=1, y=1), Reply(kind=ReplyKind.TYPE)):
        with pytest.raises(SetupError):
            await desk.answer(row.id, reply)
    await desk.answer(row.id, Reply(kind=ReplyKind.DONE))
    await asyncio.gather(*attempts)


def _of(question: Question) -> dict[str, object]:
    return {name: getattr(question, name) for name in question.__dataclass_fields__}
