"""Questions to people: the list of them, and answering one."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from litestar import get, post
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect, Template

from appliance.core.people import QuestionState, Reply, ReplyKind
from appliance.engine.question_desk import UnknownQuestion
from appliance.server.activity import about
from appliance.server.callers import TheCaller
from appliance.server.dashboard.frame import (
    PageRequest,
    act_and_redirect,
    member_named,
    page,
    redirect_with_reason,
)
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.server.problems import Problem


@dataclass(frozen=True, slots=True)
class ReplyForm:
    """The fields of the reply form."""

    reply: str = ""
    text: str = field(default="", repr=False)
    x: str = ""
    y: str = ""


@get("/questions")
async def questions(request: PageRequest, service: TheService, paging: ThePaging) -> Template:
    """The page of questions, open ones first."""
    state = member_named(QuestionState, request.query_params.get("state", ""))
    page_of_questions = await asyncio.to_thread(service.store.questions.page, paging, state=state)
    return page(
        request,
        service,
        "questions",
        listing=page_of_questions,
        paging=paging,
        state=state or "",
        states=tuple(QuestionState),
    )


@get("/questions/{question_id:str}")
async def question(
    request: PageRequest, service: TheService, question_id: FromPath[str]
) -> Template:
    """The page of one question, with its possible replies."""
    row = await asyncio.to_thread(service.store.questions.get, question_id)
    if row is None:
        raise UnknownQuestion(question_id)
    others = (question for question in service.engine.people.waiting() if question.id != row.id)
    return page(
        request,
        service,
        "question",
        at="questions",
        title=f"question.title.{row.kind}",
        question=row,
        further=next((question for question in others if question.run_id == row.run_id), None),
    )


@post("/questions/{question_id:str}/answer", opt=needs(Permission.ANSWER_QUESTION))
async def answer(
    service: TheService,
    caller: TheCaller,
    question_id: FromPath[str],
    data: URLEncodedBody[ReplyForm],
) -> Redirect:
    """What was typed goes to the attempt, and nowhere else."""
    back = f"/questions/{question_id}"
    reply = _reply(data, caller.name)
    if reply is None:
        return redirect_with_reason(back, "question.click.nowhere")
    about(question_id, reply.kind.value)
    return await act_and_redirect(
        back, service.engine.people.answer(question_id, reply), "question.answered"
    )


def _reply(data: ReplyForm, by: str) -> Reply | None:
    """None: a click without a place, as the keyboard makes it on a picture."""
    if data.reply not in tuple(ReplyKind):
        raise Problem(400, f"{data.reply!r} is no answer.")
    kind = ReplyKind(data.reply)
    x = y = 0.0
    if kind is ReplyKind.CLICK:
        with suppress(ValueError):
            x, y = float(data.x), float(data.y)
        if not (x >= 0 and y >= 0 and x + y > 0):
            return None
    text = data.text if kind is ReplyKind.TYPE else ""
    return Reply(kind=kind, text=text, x=x, y=y, by=by)


HANDLERS = (questions, question, answer)
