"""How much a document may hold. Held while it is read, long before any of it is too much to keep.

What honest documentation has is far below: the longest page of Horizon's guides has 100 kB, its
longest sentence 500 characters.
"""

MAX_BYTES = 5 * 1024 * 1024
"""Of a document."""
MAX_DEPTH = 60
"""Lists, quotes, tables and elements in each other."""
MAX_CELLS = 20_000
"""Of a table."""
MAX_STEPS = 1_000
"""Of a procedure, with those nested in others."""
MAX_SENTENCE = 5_000
"""Characters. The grammars look at a sentence as a whole."""


class TooMuch(Exception):
    """A limit is passed; `offset` says where in the text."""

    def __init__(self, offset: int, says: str) -> None:
        super().__init__(says)
        self.offset, self.says = offset, says
