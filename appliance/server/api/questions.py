"""`/questions`: what attempts ask people, and their answers."""

import asyncio
from typing import Annotated, TypeAlias

from litestar import Controller, Response
from litestar.params import FromPath, JSONBody, QueryParameter
from pydantic import ConfigDict, Field, SecretStr

from appliance.core.errors import SetupError, StoreError
from appliance.core.people import REPLIES, QuestionState, Reply, ReplyKind
from appliance.engine.question_desk import UnknownQuestion
from appliance.server.activity import about
from appliance.server.api._operations import acts, reads
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.base import Page, RequestShape, ResponseShape, shape_of
from appliance.server.callers import TheCaller
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission
from appliance.server.problems import AnyRequest, Problem
from appliance.server.repeats import PRIVATE_BODY
from appliance.store.paging import Paged
from appliance.store.questions import QuestionRow

_LONGEST_TEXT = 1000
_LARGEST = 100_000
"""Pixels: no picture of a page is larger."""


@shape_of(QuestionRow)
class Question(ResponseShape):
    """What an attempt asks a person, while it waits."""

    id: str = Field(examples=["q-4f1c9a02b7de"])
    """Of the question."""
    replies: tuple[ReplyKind, ...]
    """What can be answered."""


class QuestionPage(Page[Question]):
    """Questions: those that are open first, then the newest."""


class Answer(RequestShape):
    """An answer to a question."""

    reply: ReplyKind
    """To `consent`: `allow` or `refuse`. To `take_over`: `type` a text, `click` on the picture,
    `done` where all is done, or `refuse` where it cannot be."""
    text: Annotated[SecretStr, Field(max_length=_LONGEST_TEXT)] = SecretStr("")
    """For `type`: goes to the browser and is kept nowhere."""
    x: Annotated[float, Field(ge=0, le=_LARGEST)] | None = None
    """For `click`: pixels of the picture from its left."""
    y: Annotated[float, Field(ge=0, le=_LARGEST)] | None = None
    """For `click`: pixels of the picture from its top."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"reply": "allow"}, {"reply": "click", "x": 640, "y": 212.5}]
        }
    )


OfRun: TypeAlias = Annotated[
    str | None, QueryParameter(name="run", max_length=200, description="Only of that run.")
]
_PICTURE = {
    "Cache-Control": "private, max-age=31536000, immutable",
    # What a console showed is not ours: it is looked at, and nothing in it runs.
    "Content-Security-Policy": "default-src 'none'; sandbox",
}


class Questions(Controller):
    """Look at questions, and answer them."""

    path = "/questions"
    tags = ("Questions",)

    @reads("", "listQuestions", "List questions")
    async def list(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
        in_state: Annotated[
            QuestionState | None,
            QueryParameter(name="state", description="Only in that state; `open`: waited for."),
        ] = None,
        run: OfRun = None,
    ) -> QuestionPage:
        """Those that are open first, then the newest."""
        table = service.store.questions
        questions = await asyncio.to_thread(table.page, paging, state=in_state, run_id=run)
        shown = Paged(tuple(_as_shape(row) for row in questions.items), questions.total)
        return page_of(QuestionPage, shown, paging, request)

    @reads("/{question_id:str}", "getQuestion", "Get a question", fails=(404,))
    async def show(self, service: TheService, question_id: FromPath[str]) -> Question:
        """And how it stands with it."""
        return _as_shape(await _load_question(service, question_id))

    @reads(
        "/{question_id:str}/picture",
        "getQuestionPicture",
        "Get the picture of a question",
        fails=(404,),
        media_type="image/*",
        response_description="The page as it was when it was asked: JPEG, PNG or WebP.",
    )
    async def picture(self, service: TheService, question_id: FromPath[str]) -> Response[bytes]:
        """What `click` means a place of."""
        ref = (await _load_question(service, question_id)).picture
        if ref is None:
            raise _no_picture(question_id, "has none")
        try:
            data = await asyncio.to_thread(service.store.artifacts.get, ref)
        except StoreError as error:
            raise _no_picture(question_id, "is not kept any more") from error
        return Response(data, media_type=ref.media_type, headers=dict(_PICTURE))

    @acts(
        "/{question_id:str}/answer",
        "answerQuestion",
        "Answer a question",
        Permission.ANSWER_QUESTION,
        fails=(404, 409, 410, 413, 422),
        answers="The question, answered.",
        opt={PRIVATE_BODY: True},
    )
    async def answer(
        self,
        service: TheService,
        caller: TheCaller,
        question_id: FromPath[str],
        data: JSONBody[Answer],
    ) -> Question:
        """The attempt goes on with it. The first answer is the only one (409); 410: too late."""
        about(question_id, data.reply.value)
        row = await service.engine.people.answer(question_id, reply_of(data, caller.name))
        return _as_shape(row)


def reply_of(data: Answer, by: str) -> Reply:
    """The answer as the attempt is told it.

    Raises:
        SetupError: A click without a place.
    """
    if data.reply is ReplyKind.CLICK and (data.x is None or data.y is None):
        raise SetupError("say where to click: x and y, in pixels of the picture")
    text = data.text.get_secret_value() if data.reply is ReplyKind.TYPE else ""
    return Reply(kind=data.reply, text=text, x=data.x or 0.0, y=data.y or 0.0, by=by)


async def _load_question(service: Service, question_id: str) -> QuestionRow:
    row = await asyncio.to_thread(service.store.questions.get, question_id)
    if row is None:
        raise UnknownQuestion(question_id)
    return row


def _as_shape(row: QuestionRow) -> Question:
    return Question.of(row, replies=REPLIES[row.kind])


def _no_picture(question_id: str, why: str) -> Problem:
    detail = f"The picture of question {question_id!r} {why}."
    return Problem(404, detail, title="No picture")
