"""What a judge answers, and whether it counts."""

import json
import re
from collections.abc import Mapping
from typing import Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.core.fencing import folded
from appliance.core.jsonable import Json
from appliance.inference.messages import ModelReply
from appliance.outcome.judges.showing import ShownEvidence

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
_SHORTEST = 3
"""Characters of a quote; shorter ones are on every page. Of Chinese, two say as much."""
_LONGEST_REASON = 300


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
    """An opinion that does not count, and why."""


def parse_opinion(answer: ModelReply, shown: ShownEvidence) -> OpinionReply:
    """The opinion in an answer; `NotCountedError`: it is none, or what it quotes is not there."""
    if answer.parsed is None:
        is_cut = answer.finish_reason == "length"
        raise NotCountedError("its answer is cut off" if is_cut else "its answer is no JSON object")
    try:
        reply = OpinionReply.model_validate_json(json.dumps(answer.parsed))
    except ValidationError as exc:
        raise NotCountedError("its answer is not in the form asked for") from exc
    quotes = tuple(filter(None, map(_bare, reply.evidence)))
    if reply.is_reached is not None:
        _check(quotes, shown)
    if reply.is_reached:
        _check_new(quotes, shown)
    reason = " ".join(reply.reason.split())[:_LONGEST_REASON]
    return reply.model_copy(update={"evidence": quotes, "reason": reason})


def _check(quotes: tuple[str, ...], shown: ShownEvidence) -> None:
    if not quotes:
        raise NotCountedError("it quotes no evidence")
    quotable = folded(shown.quotable)
    commands = [folded(line) for line in shown.suspicious]
    for quote in map(folded, quotes):
        if len(quote.encode()) < _SHORTEST:
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
    """Of what has been reached, something is new."""
    observed, before = folded(shown.observed), folded(shown.before)
    on_page = [quote for quote in map(folded, quotes) if quote in observed]
    if before and all(quote in before for quote in on_page):
        raise NotCountedError("it quotes only what stood there before anything was done")


def _bare(quote: str) -> str:
    """Without the marks and dots that are put around a quote."""
    return _ELLIPSIS.sub("", quote.strip().strip(_MARKS)).strip()
