"""Whether attempts are enough for an update on them.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Sequence
from typing import Literal

from appliance.training.pairs import pairs_of
from appliance.training.rollouts import RolledOut, is_success


def why_not_enough(update: Literal["kl", "dpo"], attempts: Sequence[RolledOut]) -> str:
    """What is missing; empty: nothing."""
    if update == "dpo":
        enough = bool(pairs_of(attempts))
        return "" if enough else "no task was both done and missed from the same page: no pair"
    if len({is_success(one) for one in attempts}) < 2:
        return "attempts that went well and others are needed: a critic has to tell them apart"
    return ""
