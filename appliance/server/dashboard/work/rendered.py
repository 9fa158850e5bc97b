"""A document as its reader sees it, with the marks of its source, and beside its lines."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from appliance.core.result import Finding
from appliance.documents import RenderedBlock, Run
from appliance.server.dashboard.work.marking import Mark, MarkedLine, Piece


@dataclass(frozen=True, slots=True)
class MarkedRun:
    """Characters with the same mark, ours and the document's own."""

    text: str
    role: str
    """As `InlineRole`; empty: none."""
    mark: Mark | None
    finding: Finding | None


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block of the text."""

    block: RenderedBlock
    cells: tuple[tuple[MarkedRun, ...], ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document, and the lines that it is made of."""

    blocks: tuple[MarkedBlock, ...]
    lines: tuple[MarkedLine, ...]


def passages(lines: Sequence[MarkedLine], blocks: Iterable[RenderedBlock]) -> Iterator[Passage]:
    """All of a document; a passage begins with the line on which a block does."""
    pieces = [[piece for piece in line.pieces for _ in piece.text] for line in lines]
    by_line: dict[int, list[MarkedBlock]] = {}
    for block in blocks:
        cells = tuple(
            tuple(one for run in cell for one in _runs(run, pieces)) for cell in block.cells
        )
        by_line.setdefault(block.line, []).append(MarkedBlock(block, cells))
    for start, end in pairwise([*sorted({1, *by_line}), len(lines) + 1]):
        yield Passage(tuple(by_line.get(start, ())), tuple(lines[start - 1 : end - 1]))


def _runs(run: Run, pieces: Sequence[Sequence[Piece]]) -> Iterator[MarkedRun]:
    """The run in stretches of one mark each; what stands nowhere has none."""
    role = run.role.value if run.role else ""
    if not run.places:
        yield MarkedRun(run.text, role, None, None)
        return
    known = [_at(pieces, *place) for place in run.places]
    start = 0
    for end in range(1, len(known) + 1):
        if end == len(known) or known[end] is not known[start]:
            yield MarkedRun(run.text[start:end], role, known[start].mark, known[start].finding)
            start = end


def _at(pieces: Sequence[Sequence[Piece]], line: int, column: int) -> Piece:
    """What is known of a character; a line break, which the text has as a space, has no mark."""
    there = pieces[line - 1]
    return there[column] if column < len(there) else _NOTHING


_NOTHING = Piece("", None)
