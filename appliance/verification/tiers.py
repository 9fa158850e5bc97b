"""The tiers of the cascade: who makes an attempt, who comes next, and who has decided."""

from collections.abc import Sequence

from appliance.core.verdict import Verdict
from appliance.verification.case import Round

REPLAY, LITERAL, MODEL = "replay", "literal", "model"
_ABOUT_THE_TEXT = frozenset((Verdict.VERIFIED, Verdict.DRIFTED, Verdict.BROKEN))


def line_up(policy: str, *, has_recipe: bool, has_model: bool) -> tuple[str, ...]:
    """The tiers that may be tried, the cheapest first.

    Args:
        policy: As it was asked for.
        has_recipe: Whether an earlier verified attempt can be done again.
        has_model: Whether there is a model to ask.
    """
    there = {REPLAY: has_recipe, LITERAL: True, MODEL: has_model}
    wanted = (REPLAY, LITERAL, MODEL) if policy == "auto" else (policy,)
    return tuple(tier for tier in wanted if there[tier])


def has_decided(one: Round) -> bool:
    """Whether a dearer tier has nothing to add.

    A replay can only say that all is as it was. The text read word by word may have been read
    wrong where it was not understood, or led nowhere. Nobody comes after a model.
    """
    match one.policy:
        case "replay":
            return one.drawn.verdict is Verdict.VERIFIED or one.pending is not None
        case "literal":
            return not one.drawn.is_open
        case _:
            return True


def decisive(rounds: Sequence[Round]) -> Round:
    """The one whose verdict stands: a dearer one that came to no answer changes nothing."""
    last = rounds[-1]
    says_nothing = last.drawn.verdict not in _ABOUT_THE_TEXT and last.pending is None
    if last.policy == MODEL and says_nothing:
        return next((one for one in reversed(rounds) if one.policy == LITERAL), last)
    return last


def why_not(one: Round, chosen: Round) -> str:
    """Why a tier did not decide; empty: it did."""
    if one is chosen:
        return ""
    if one.drawn.because:
        return str(one.drawn.because)
    return f"by it the procedure is {one.drawn.verdict}, which was looked into"
