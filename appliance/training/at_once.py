"""Batch questions to a model so that its key-value cache fits into memory.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TypeVar

Item = TypeVar("Item")

TOKENS_AT_ONCE = 8192
"""Limit on a batch's tokens, questions and answers with padding; a single item may exceed it."""


def batched(items: Sequence[Item], tokens_of: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Yield batches of items sorted by length, each within `TOKENS_AT_ONCE` after padding."""
    batch: list[Item] = []
    sized = ((tokens_of(item), item) for item in items)
    for tokens, item in sorted(sized, key=itemgetter(0)):
        if batch and (len(batch) + 1) * tokens > TOKENS_AT_ONCE:
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch
