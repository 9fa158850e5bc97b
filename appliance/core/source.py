"""Places in a source document."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a source file. Lines and columns count from 1; the end column is exclusive."""

    file: str
    """Path as the user gave it, so that it can be clicked in a terminal."""
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def overlap(one: Span, other: Span) -> bool:
    """Whether two stretches share a character; what is missing has none, and lies at its place."""
    start, end = (one.line, one.column), (one.end_line, one.end_column)
    begins, ends = (other.line, other.column), (other.end_line, other.end_column)
    if begins == ends:
        return start <= begins <= end
    return start < ends and begins < end
