"""Limits on the size of a document, enforced while it is read.

What honest documentation has is far below: the longest sentence of the bundled one has 514
characters.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

MAX_BYTES = 5 * 1024 * 1024
"""Longest document."""
MAX_DEPTH = 100
"""Deepest nesting of lists, quotes, tables and elements."""
MAX_CELLS = 20_000
"""Most cells of a table."""
MAX_STEPS = 1_000
"""Most steps of a procedure, nested ones included."""
MAX_PARAGRAPH = 10_000
"""Characters. Parsers look from each opening mark of it for its end: docutils takes 14 s for 50,000
of some. Its own limit for a line is the same."""
MAX_SENTENCE = 4_000
"""Characters. The grammars match a sentence as a whole."""

MAX_PROBLEMS = 1_000
"""Most mistakes in the markup; a text with more is not of this format."""


class Depth:
    """Nesting depth of a walk: `with depth.below(offset): …`."""

    def __init__(self) -> None:
        self._levels = 0

    @contextmanager
    def below(self, offset: Callable[[], int]) -> Iterator[None]:
        """Go one level deeper; raises `TooMuch` at `offset()` if that is too deep."""
        self._levels += 1
        if self._levels > MAX_DEPTH:
            raise TooMuch(offset(), f"nested too deeply: at most {MAX_DEPTH} levels are read")
        try:
            yield
        finally:
            self._levels -= 1


def check_cells(count: int, offset: Callable[[], int]) -> None:
    """Raise `TooMuch` if a table has too many cells."""
    if count > MAX_CELLS:
        raise TooMuch(
            offset(), f"a table of more than {MAX_CELLS:,} cells: no more are read; divide it"
        )


def check_paragraph(text: str, offset: Callable[[], int]) -> None:
    """Raise `TooMuch` if a paragraph or line is too long."""
    if len(text) > MAX_PARAGRAPH:
        raise TooMuch(
            offset(),
            f"a paragraph of more than {MAX_PARAGRAPH:,} characters: no more are read; divide it",
        )


def check_problems(problems: Sequence[tuple[int, str]], offset: Callable[[], int]) -> None:
    """Raise `TooMuch` if there are too many problems, each given with its line."""
    if len(problems) > MAX_PROBLEMS:
        line, message = problems[0]
        raise TooMuch(
            offset(),
            f"more than {MAX_PROBLEMS:,} mistakes in the markup: no more are read; the first is in"
            f" line {line}: {message}",
        )


def check_steps(count: int, offset: int) -> None:
    """Raise `TooMuch` if a procedure has too many steps."""
    if count > MAX_STEPS:
        raise TooMuch(
            offset, f"a procedure of more than {MAX_STEPS:,} steps: no more are read; divide it"
        )


class TooMuch(Exception):
    """A limit is exceeded at `offset` of the text."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset, self.says = offset, message
