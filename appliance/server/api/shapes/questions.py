"""Questions to people, and what they answer."""

from typing import Annotated

from pydantic import ConfigDict, Field, SecretStr

from appliance.core.people import QuestionKind, QuestionState, ReplyKind
from appliance.server.api.shapes.base import Given, Moment, Page, Shown
from appliance.server.api.shapes.results import Artifact

_LONGEST_TEXT = 1000
_LARGEST = 100_000
"""Pixels: no picture of a page is larger."""


class Question(Shown):
    """What an attempt asks a person, while it waits."""

    id: str = Field(examples=["q-4f1c9a02b7de"])
    """Of the question."""
    kind: QuestionKind
    """`consent`: may this be done? `take_over`: something that only a person can do."""
    run_id: str
    """Run that waits."""
    procedure_id: str
    """Procedure that waits."""
    step: str
    """Index of the documented step."""
    text: str
    """What is to be decided or done."""
    url: str
    """Of the page, without its query."""
    picture: Artifact | None
    """The page as it was; `GET …/picture` has it."""
    asked_at: Moment
    """When it was asked."""
    expires_at: Moment
    """Until when it is waited for."""
    state: QuestionState
    """`open`, `answered`, `expired`, or `withdrawn`: its run was stopped."""
    settled_at: Moment | None
    """When it was over; null: it is open."""
    answered_by: str
    """Who answered; empty: nobody."""
    reply: ReplyKind | None
    """Which kind of answer it got; what was typed is not kept."""
    replies: tuple[ReplyKind, ...]
    """What can be answered."""


class QuestionPage(Page[Question]):
    """Questions: those that are open first, then the newest."""


class Answer(Given):
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
