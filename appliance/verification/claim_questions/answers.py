"""What a model answers about claims, and whether it counts."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.core.fencing import commanded, folded
from appliance.core.jsonable import Json
from appliance.inference.messages import ModelReply
from appliance.policy.base import Spent
from appliance.verification.claim_questions.pages import OpenClaim, SeenPage, words


class AnswerWord(StrEnum):
    """What is said of a claim."""

    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimAnswer:
    """What is said of a claim, with the words of the page that show it."""

    said: AnswerWord
    quote: str = ""
    """Empty: it cannot be told."""
    turn: int = 0
    """That saw the page."""


@dataclass(slots=True)
class ClaimAnswers:
    """What was said of the claims of a procedure, and what it took."""

    answers: dict[int, ClaimAnswer] = field(default_factory=dict)
    """By position of the claim: of those only that could be told."""
    spent: Spent = field(default_factory=Spent)

    def add(self, number: int, answer: ClaimAnswer) -> None:
        """What is said of one of them."""
        if answer.said is not AnswerWord.CANNOT_TELL:
            self.answers[number] = answer


SCHEMA: Final[Mapping[str, Json]] = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "quote": {"type": "string", "maxLength": 300},
                    "said": {"type": "string", "enum": [word.value for word in AnswerWord]},
                },
                "required": ["number", "quote", "said"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["claims"],
    "additionalProperties": False,
}
"""The quote comes before the word, so that the word follows from it."""

_MARKS = "\"'“”‘’「」『』`"
_NUMBER = re.compile(r"\d+")
_SHORTEST = 3
"""Bytes of a quote; shorter ones are on every page. Of Chinese, one character says as much."""
_LONGEST = 300
"""Characters."""


class _StatedAnswer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    number: int
    quote: str
    said: str


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    claims: tuple[_StatedAnswer, ...]


def parse_answers(
    answer: ModelReply, claims: Sequence[OpenClaim], page: SeenPage, typed: Collection[str]
) -> list[ClaimAnswer] | None:
    """One answer for each claim that was asked about; None: it is no answer at all.

    Args:
        answer: The model's.
        claims: The claims, numbered from 1 in their order.
        page: What it was shown.
        typed: What the attempt itself wrote there.
    """
    try:
        reply = _Reply.model_validate_json(json.dumps(answer.parsed))
    except ValidationError:
        return None
    answers_by_claim: dict[int, list[_StatedAnswer]] = {}
    for stated in reply.claims:
        answers_by_claim.setdefault(stated.number, []).append(stated)
    return [
        _accept_answer(answers_by_claim.get(n, []), claim, page, typed)
        for n, claim in enumerate(claims, 1)
    ]


def _accept_answer(
    stated_answers: Sequence[_StatedAnswer],
    claim: OpenClaim,
    page: SeenPage,
    typed: Collection[str],
) -> ClaimAnswer:
    """Cannot tell, unless it is said once, with a quote that stands on the page and may show it."""
    cannot = ClaimAnswer(said=AnswerWord.CANNOT_TELL, turn=page.turn)
    if len(stated_answers) != 1 or stated_answers[0].said not in set(AnswerWord):
        return cannot
    word, quote = (
        AnswerWord(stated_answers[0].said),
        stated_answers[0].quote.strip().strip(_MARKS).strip()[:_LONGEST],
    )
    if word is AnswerWord.CANNOT_TELL or not _is_evidence(quote, page, typed):
        return cannot
    if word is AnswerWord.CONFIRMED and not _may_confirm(quote, claim):
        return cannot
    return ClaimAnswer(said=word, quote=quote, turn=page.turn)


def _is_evidence(quote: str, page: SeenPage, typed: Collection[str]) -> bool:
    """Whether it stands there, and neither the attempt wrote it nor it tells a model what to do."""
    quoted = folded(quote)
    if len(quoted.encode()) < _SHORTEST or quoted not in folded(page.text):
        return False
    if quoted in map(folded, typed):
        return False
    return not any(quoted in line or line in quoted for line in map(folded, commanded(page.text)))


def _may_confirm(quote: str, claim: OpenClaim) -> bool:
    """Whether it has a word of the sentence, and every number of the claim.

    A claim that is right says of the page what the page says: a quote that has nothing of it is
    about something else, whatever the model makes of it.
    """
    has_numbers = set(_NUMBER.findall(claim.claim.text)) <= set(_NUMBER.findall(quote))
    return has_numbers and bool(words(quote) & words(claim.sentence))
