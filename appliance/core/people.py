"""Questions to a person, while an attempt waits."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class QuestionKind(StrEnum):
    """What a person is asked for."""

    CONSENT = "consent"  # may this sensitive action be carried out?
    TAKE_OVER = "take_over"  # captcha, second factor: something that only a person can do


class QuestionState(StrEnum):
    """How it stands with a question."""

    OPEN = "open"
    ANSWERED = "answered"
    EXPIRED = "expired"  # nobody answered in time
    WITHDRAWN = "withdrawn"  # nobody waits any more: its run was stopped, or its process died


class ReplyKind(StrEnum):
    """What a person says."""

    ALLOW = "allow"
    REFUSE = "refuse"
    TYPE = "type"  # put this text into the field that has the focus, or the one named
    CLICK = "click"  # click at this point of the picture
    DONE = "done"  # it is done, go on


REPLIES = {
    QuestionKind.CONSENT: (ReplyKind.ALLOW, ReplyKind.REFUSE),
    QuestionKind.TAKE_OVER: (ReplyKind.TYPE, ReplyKind.CLICK, ReplyKind.DONE, ReplyKind.REFUSE),
}
"""What can be answered to which question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person is asked, with what they need to see."""

    kind: QuestionKind
    run_id: str
    procedure_id: str
    text: str
    """What is to be decided or done, as a sentence."""
    picture: bytes = b""
    """The page as it is now, JPEG or WebP; empty: none."""
    url: str = ""
    step: str = ""
    """The documented step."""
    wait_s: float = 600.0
    """How long the attempt waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a person answered."""

    kind: ReplyKind
    text: str = field(default="", repr=False)
    """For `type`: what to type. It may be a secret: it is never kept, logged or shown."""
    x: float = 0.0
    """For `click`: pixels of the picture from its left."""
    y: float = 0.0
    """From its top."""
    by: str = ""
    """Who answered."""


class People(Protocol):
    """Whoever can be asked."""

    async def ask(self, question: Question) -> Reply | None:
        """Their answer; None: nobody answered in time, or nobody can be asked."""


class Nobody:
    """Where nobody can be asked."""

    async def ask(self, question: Question) -> Reply | None:
        """Nobody answers, at once."""
        return None
