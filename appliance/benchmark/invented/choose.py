"""Which untruths are verified: a part of them, or a sample spread over the kinds of claim."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, zip_longest
from random import Random
from typing import Literal

from appliance.benchmark.drift.truth import ReadProcedure
from appliance.benchmark.invented.by_hand import written_by_hand
from appliance.benchmark.invented.rules import written_by_rule
from appliance.benchmark.invented.untruth import InventedUntruth
from appliance.core.claims import ClaimKind


def chosen_untruths(
    part: Literal["seen", "held-out", "all"],
    size: int | None,
    seed: int,
    reads: Sequence[ReadProcedure],
) -> tuple[InventedUntruth, ...]:
    """The same ones for the same words.

    Args:
        part: Which of them. What rules write is not held out: another seed writes others.
        size: So many, spread over the kinds; None: all.
        seed: Of what rules write.
        reads: The bundled procedures, true of the first release.
    """
    untruths: list[InventedUntruth] = []
    if part != "held-out":
        untruths += (*written_by_hand("seen"), *written_by_rule(seed, reads))
    if part != "seen":
        untruths += written_by_hand("held-out")
    return tuple(untruths) if size is None else _spread(untruths, size)


def _spread(untruths: Sequence[InventedUntruth], size: int) -> tuple[InventedUntruth, ...]:
    by_kind: dict[ClaimKind, list[InventedUntruth]] = defaultdict(list)
    for one in Random(size).sample(untruths, len(untruths)):  # noqa: S311 - repeatable, no secret
        by_kind[one.kind].append(one)
    mixed = chain.from_iterable(zip_longest(*(by_kind[kind] for kind in ClaimKind)))
    return tuple([one for one in mixed if one is not None][:size])
