"""How much a document may hold. Held while it is read, long before any of it is too much to keep.

What honest documentation has is far below: the longest sentence of the bundled one has 514
characters.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

MAX_BYTES = 5 * 1024 * 1024
"""Of a document."""
MAX_DEPTH = 100
"""Lists, quotes, tables and elements in each other."""
MAX_CELLS = 20_000
"""Of a table."""
MAX_STEPS = 1_000
"""Of a procedure, with those nested in others."""
MAX_PARAGRAPH = 10_000
"""Characters. Parsers look from each opening mark of it for its end: docutils takes 14 s for 50,000
of some. Its own limit for a line is the same."""
MAX_SENTENCE = 4_000
"""Characters. The grammars look at a sentence as a whole."""

MAX_PROBLEMS = 1_000
"""Mistakes in the markup of a document: what has more is something else."""


class Depth:
    """How deep a walk is: `with depth.below(place): …`."""

    def __init__(self) -> None:
        self._levels = 0

    @contextmanager
    def below(self, offset: Callable[[], int]) -> Iterator[None]:
        """One level deeper; `TooMuch` where that is too deep, at the offset that is asked for."""
        self._levels += 1
        if self._levels > MAX_DEPTH:
            raise TooMuch(offset(), f"nested too deeply: at most {MAX_DEPTH} levels are read")
        try:
            yield
        finally:
            self._levels -= 1


def check_cells(count: int, offset: Callable[[], int]) -> None:
    """Whether a table may have so many cells; `TooMuch`."""
    if count > MAX_CELLS:
        raise TooMuch(
            offset(), f"a table of more than {MAX_CELLS:,} cells: no more are read; divide it"
        )


def check_paragraph(text: str, offset: Callable[[], int]) -> None:
    """Whether a paragraph, or a line, may be so long; `TooMuch`."""
    if len(text) > MAX_PARAGRAPH:
        raise TooMuch(
            offset(),
            f"a paragraph of more than {MAX_PARAGRAPH:,} characters: no more are read; divide it",
        )


def check_problems(problems: Sequence[tuple[int, str]], offset: Callable[[], int]) -> None:
    """Whether there may be so many, each with its line; `TooMuch`."""
    if len(problems) > MAX_PROBLEMS:
        line, says = problems[0]
        raise TooMuch(
            offset(),
            f"more than {MAX_PROBLEMS:,} mistakes in the markup: no more are read; the first is in"
            f" line {line}: {says}",
        )


def check_steps(count: int, offset: int) -> None:
    """Whether a procedure may have so many steps; `TooMuch`."""
    if count > MAX_STEPS:
        raise TooMuch(
            offset, f"a procedure of more than {MAX_STEPS:,} steps: no more are read; divide it"
        )


class TooMuch(Exception):
    """A limit is passed; `offset` says where in the text."""

    def __init__(self, offset: int, says: str) -> None:
        super().__init__(says)
        self.offset, self.says = offset, says
