"""Questions to people, and what they answer."""

from typing import Annotated

from pydantic import ConfigDict, Field, SecretStr

from appliance.core.people import ReplyKind
from appliance.server.api.shapes.base import Given, Page, Shown, shape_of
from appliance.store.questions import QuestionRow

_LONGEST_TEXT = 1000
_LARGEST = 100_000
"""Pixels: no picture of a page is larger."""


@shape_of(QuestionRow)
class Question(Shown):
    """What an attempt asks a person, while it waits."""

    id: str = Field(examples=["q-4f1c9a02b7de"])
    """Of the question."""
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
