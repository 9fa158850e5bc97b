"""How many questions are put to a model at once, so that what it keeps of them has room.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

One = TypeVar("One")

TOKENS_AT_ONCE = 8192
"""Of all questions and answers of a batch, with what fills the shorter ones; one alone may have
more."""


def batched(ones: Sequence[One], tokens_of: Callable[[One], int]) -> Iterator[list[One]]:
    """In the order of their lengths, as many at once as have room."""
    batch: list[One] = []
    for one in sorted(ones, key=tokens_of):
        if batch and (len(batch) + 1) * tokens_of(one) > TOKENS_AT_ONCE:
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch
