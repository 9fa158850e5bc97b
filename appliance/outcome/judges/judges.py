"""Asks the judges and combines the opinions that count.

An opinion counts if its form is right and its quotes are really in the evidence.
"""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.config import JudgeSettings
from appliance.core.errors import ModelError
from appliance.core.fencing import folded
from appliance.core.jsonable import Json
from appliance.core.result import ChannelResult
from appliance.core.verdict import GoalChannel
from appliance.inference.client import ModelClient
from appliance.inference.messages import IMAGE_TOKENS, ModelReply
from appliance.inference.prompts import language_of
from appliance.outcome.judges.case import JudgedCase, JudgeOpinion, PanelDecision
from appliance.outcome.judges.showing import ORDERS, PromptBudget, ShownEvidence, show_case

Word = Literal["yes", "no", "cannot_tell"]
SCHEMA: Final[Mapping[str, Json]] = {
    "type": "object",
    "properties": {
        "evidence": {"type": "array", "items": {"type": "string", "maxLength": 300}, "maxItems": 5},
        "reason": {"type": "string", "maxLength": 600},
        "reached": {"type": "string", "enum": list(get_args(Word))},
    },
    "required": ["evidence", "reason", "reached"],
    "additionalProperties": False,
}
"""Evidence and reason come before the word, so that the word follows from them."""

_MARKS = "\"'“”‘’「」『』`"
_ELLIPSIS = re.compile(r"^(?:…|\.\.\.)|(?:…|\.\.\.)$")
_MIN_QUOTE_BYTES = 3
"""Characters of a quote; shorter ones are on every page. Of Chinese, two say as much."""
_MAX_REASON_CHARS = 300


class OpinionReply(BaseModel):
    """An answer in the form asked for."""

    model_config = ConfigDict(extra="forbid", strict=True)

    evidence: tuple[str, ...]
    reason: str
    reached: Word

    @property
    def is_reached(self) -> bool | None:
        """The word of the reply as a truth value; None: it cannot tell."""
        return {"yes": True, "no": False}.get(self.reached)


class NotCountedError(Exception):
    """Why an opinion does not count."""


def parse_opinion(model_reply: ModelReply, shown: ShownEvidence) -> OpinionReply:
    """The opinion in a reply; `NotCountedError` if it is malformed or its quotes are not there."""
    if model_reply.parsed is None:
        is_truncated = model_reply.finish_reason == "length"
        raise NotCountedError(
            "its answer is cut off" if is_truncated else "its answer is no JSON object"
        )
    try:
        reply = OpinionReply.model_validate_json(json.dumps(model_reply.parsed))
    except ValidationError as exc:
        raise NotCountedError("its answer is not in the form asked for") from exc
    quotes = tuple(filter(None, map(_without_quotation_marks, reply.evidence)))
    if reply.is_reached is not None:
        _check(quotes, shown)
    if reply.is_reached:
        _check_new(quotes, shown)
    reason = " ".join(reply.reason.split())[:_MAX_REASON_CHARS]
    return reply.model_copy(update={"evidence": quotes, "reason": reason})


def _check(quotes: tuple[str, ...], shown: ShownEvidence) -> None:
    if not quotes:
        raise NotCountedError("it quotes no evidence")
    quotable = folded(shown.quotable)
    commands = [folded(line) for line in shown.suspicious]
    for quote in map(folded, quotes):
        if len(quote.encode()) < _MIN_QUOTE_BYTES:
            raise NotCountedError(f"it quotes {quote!r}, which is too short to show anything")
        if quote not in quotable:
            raise NotCountedError(f"it quotes {quote[:80]!r}, which it was not shown")
        if any(quote in line or line in quote for line in commands):
            raise NotCountedError(
                f"it quotes {quote[:80]!r}, a text that tells a judge what to say"
            )
    observed = folded(shown.observed)
    if not any(folded(quote) in observed for quote in quotes):
        raise NotCountedError("it quotes what was done only, not what the console showed")


def _check_new(quotes: tuple[str, ...], shown: ShownEvidence) -> None:
    """Check that the quotes include something that was not on the page before."""
    observed, before = folded(shown.observed), folded(shown.before)
    on_page = [quote for quote in map(folded, quotes) if quote in observed]
    if before and all(quote in before for quote in on_page):
        raise NotCountedError("it quotes only what stood there before anything was done")


def _without_quotation_marks(quote: str) -> str:
    """The quote without quotation marks and dots around it."""
    return _ELLIPSIS.sub("", quote.strip().strip(_MARKS)).strip()


_ANSWER_TOKENS = 700
"""Five quotes, a reason and a word, in Chinese too."""
_CONTEXT_SHARE = 0.8
"""Part of the context that an estimate of tokens may fill."""


@dataclass(frozen=True, slots=True)
class _Seat:
    """What is different from judge to judge."""

    role: str
    model: str
    temperature: float


@dataclass(frozen=True, slots=True)
class _JudgeReply:
    opinion: JudgeOpinion
    model_reply: ModelReply | None = None


class Judges:
    """Models that judge whether the goal of an attempt was reached."""

    def __init__(self, client: ModelClient, settings: JudgeSettings, language: str = "") -> None:
        self._client, self._settings, self._language = client, settings, language

    async def judge(self, case: JudgedCase) -> PanelDecision:
        """Whether the goal was reached: unanimous, or undecided. It never raises.

        A judge that does not answer, answers nonsense or quotes what is not there makes it
        undecided.
        """
        language = language_of(self._language or case.language)
        replies = await asyncio.gather(
            *(self._ask_judge(seat, case, language) for seat in self._seats())
        )
        answers = [reply.model_reply for reply in replies if reply.model_reply is not None]
        opinions = tuple(reply.opinion for reply in replies)
        return PanelDecision(
            channel=combine_opinions(opinions),
            opinions=opinions,
            model_s=sum(model_reply.took_s for model_reply in answers),
            calls=len(answers),
            tokens_in=sum(model_reply.tokens_in for model_reply in answers),
            tokens_out=sum(model_reply.tokens_out for model_reply in answers),
        )

    def _seats(self) -> list[_Seat]:
        """The judges: each differs in role or temperature, and models take turns."""
        roles, temperatures = tuple(ORDERS), self._settings.temperatures or (0.0,)
        models = self._settings.models or ("",)
        return [
            _Seat(
                role=roles[index % len(roles)],
                model=models[index % len(models)],
                temperature=temperatures[(index + index // len(roles)) % len(temperatures)],
            )
            for index in range(self._settings.count)
        ]

    async def _ask_judge(self, seat: _Seat, case: JudgedCase, language: str) -> _JudgeReply:
        """Ask one judge; whatever goes wrong becomes an opinion that does not count."""
        try:
            model = await self._client.served(seat.model)
            has_picture = model.takes_images and case.final_picture is not None
            text_tokens = model.context_tokens * _CONTEXT_SHARE - has_picture * IMAGE_TOKENS
            budget = PromptBudget(int(text_tokens) - _ANSWER_TOKENS, has_picture)
            shown = show_case(case, seat.role, language, budget)
            answer = await self._client.ask(
                shown.messages,
                schema=SCHEMA,
                max_tokens=_ANSWER_TOKENS,
                temperature=seat.temperature,
                model=seat.model,
            )
        except ModelError as exc:
            return _JudgeReply(_uncounted_opinion(seat, f"it did not answer: {exc}"))
        try:
            reply = parse_opinion(answer, shown)
        except NotCountedError as exc:
            return _JudgeReply(_uncounted_opinion(seat, str(exc)), answer)
        opinion = JudgeOpinion(
            role=seat.role,
            model=seat.model,
            temperature=seat.temperature,
            reached=reply.is_reached,
            reason=reply.reason,
            evidence=reply.evidence,
        )
        return _JudgeReply(opinion, answer)


def _uncounted_opinion(seat: _Seat, why: str) -> JudgeOpinion:
    return JudgeOpinion(
        role=seat.role,
        model=seat.model,
        temperature=seat.temperature,
        reached=None,
        reason=why,
        counts=False,
    )


def combine_opinions(opinions: Sequence[JudgeOpinion]) -> ChannelResult:
    """The result of the channel: what all opinions agree on, else unknown."""
    yes = [opinion for opinion in opinions if opinion.reached is True]
    no = [opinion for opinion in opinions if opinion.reached is False]
    undecided = [opinion for opinion in opinions if opinion.reached is None]
    total = len(opinions)
    if not opinions:
        return _channel(None, "no judges are asked: judges.count is 0")
    if yes and no:
        majority = f"{len(yes)} of {total} say that it was reached ({_why(yes)})"
        return _channel(
            None, f"judges disagree: {majority}, {len(no)} that it was not ({_why(no)})"
        )
    if undecided:
        uncounted = [opinion for opinion in undecided if not opinion.counts]
        count = len(uncounted or undecided)
        problem = "cannot be counted" if uncounted else "cannot tell"
        return _channel(
            None, f"{count} of {total} judges {problem}: {_why(uncounted or undecided)}"
        )
    outcome = "reached" if yes else "not reached"
    return _channel(bool(yes), f"{total} of {total} judges: {outcome}: {_why(yes or no)}")


def _why(opinions: Sequence[JudgeOpinion]) -> str:
    """The first one's reason, with a quote."""
    first = opinions[0]
    reason = first.reason.rstrip(". 。")
    return f"{reason} ({first.evidence[0]!r})" if first.evidence else reason


def _channel(reached: bool | None, reason: str) -> ChannelResult:
    return ChannelResult(channel=GoalChannel.JUDGES, reached=reached, reason=reason)
