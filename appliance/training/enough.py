"""Checks whether attempts suffice for an update on them.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Sequence
from typing import Literal

from appliance.training.pairs import pairs_of
from appliance.training.rollouts import RolledOutAttempt, is_success


def why_not_enough(update: Literal["kl", "dpo"], attempts: Sequence[RolledOutAttempt]) -> str:
    """Return what is missing, or an empty string if nothing is."""
    if update == "dpo":
        has_pair = bool(pairs_of(attempts))
        return "" if has_pair else "no task was both done and missed from the same page: no pair"
    if len({is_success(attempt) for attempt in attempts}) < 2:
        return "attempts that went well and others are needed: a critic has to tell them apart"
    return ""
