"""Copies of the documentation with untruths in them, so few in a procedure that none hides another.

A reader who cannot go on at an untruth sees nothing behind it: such a one stands alone in its
procedure. Those that are only said share one.
"""

import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.benchmark.invented.untruth import InventedUntruth
from appliance.core.claims import ClaimKind
from appliance.core.errors import SetupError
from appliance.core.procedure import Document, Procedure
from appliance.core.source import Span
from appliance.practice.releases import DOCUMENTATION

_BLOCKING_KINDS = frozenset(
    {
        ClaimKind.CONTROL, ClaimKind.MENU_PATH, ClaimKind.FIELD, ClaimKind.OPTION, ClaimKind.VALUE,
        ClaimKind.PLACE, ClaimKind.ROW, ClaimKind.TITLE,
    }
)  # fmt: skip
"""Kinds that a reader acts on, and may stop at."""
_MAX_PER_PROCEDURE = 3
"""How many of the others share a procedure."""
_PROCEDURES_PER_EDITION = 12
"""How many procedures of an edition hold untruths: so much is lost when a run is interrupted."""


@dataclass(frozen=True, slots=True)
class PlacedUntruth:
    """An untruth in a copy."""

    untruth: InventedUntruth
    span: Span
    """All that is new."""
    words: Span
    """What of it is untrue."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A copy of the documentation that has yet to be written."""

    name: str
    untruths: tuple[InventedUntruth, ...]


def editions_of(
    untruths: Sequence[InventedUntruth], documents: Sequence[Document]
) -> tuple[Edition, ...]:
    """Spread over as few copies as can be; the parts have copies of their own."""
    by_source: dict[str, list[InventedUntruth]] = defaultdict(list)
    for untruth in untruths:
        by_source[untruth.source].append(untruth)
    return tuple(
        edition
        for name, members in by_source.items()
        for edition in _editions(name, members, documents)
    )


def _editions(
    name: str, untruths: Sequence[InventedUntruth], documents: Sequence[Document]
) -> Iterator[Edition]:
    by_procedure = [list(_loads(group)) for group in _by_procedure(untruths, documents).values()]
    number = 0
    for level in range(max(map(len, by_procedure))):
        loads = [
            procedure_loads[level]
            for procedure_loads in by_procedure
            if level < len(procedure_loads)
        ]
        for first in range(0, len(loads), _PROCEDURES_PER_EDITION):
            number += 1
            edition_untruths = tuple(
                untruth
                for load in loads[first : first + _PROCEDURES_PER_EDITION]
                for untruth in load
            )
            yield Edition(f"{name}-{number:02}", edition_untruths)


def write_edition(edition: Edition, folder: Path) -> list[PlacedUntruth]:
    """Write a copy into a folder: the same bytes for the same edition."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(DOCUMENTATION, folder)
    by_document = defaultdict(list)
    for untruth in edition.untruths:
        by_document[untruth.document].append(untruth)
    placed = []
    for name, members in by_document.items():
        text, spans = rewritten((folder / name).read_text(encoding="utf-8"), members)
        (folder / name).write_text(text, encoding="utf-8")
        placed += [
            _placed_untruth(text, one, start) for one, start in zip(members, spans, strict=True)
        ]
    return placed


def rewritten(source: str, untruths: Sequence[InventedUntruth]) -> tuple[str, list[int]]:
    """A document with untruths in it, and where each begins now.

    Raises:
        SetupError: Two change the same words.
    """
    shifted, position, pieces = 0, 0, []
    begins: dict[str, int] = {}
    for untruth in sorted(untruths, key=lambda untruth: (untruth.start, untruth.end)):
        if untruth.start < position:
            raise SetupError(f"{untruth.id} changes what another untruth has changed")
        pieces += [source[position : untruth.start], untruth.text]
        begins[untruth.id] = untruth.start + shifted
        shifted += len(untruth.text) - (untruth.end - untruth.start)
        position = untruth.end
    return "".join([*pieces, source[position:]]), [begins[one.id] for one in untruths]


def holder_of(document: Document, line: int) -> Procedure | None:
    """The procedure that a line belongs to; what stands before the first belongs to that."""
    around = [p for p in document.procedures if p.span.line <= line] or document.procedures[:1]
    return around[-1] if around else None


def _placed_untruth(text: str, untruth: InventedUntruth, start: int) -> PlacedUntruth:
    blank = len(untruth.text) - len(untruth.text.lstrip())
    span = _span(text, untruth.document, start + blank, start + len(untruth.text.rstrip()))
    words = start + untruth.words_at
    return PlacedUntruth(
        untruth, span, _span(text, untruth.document, words, words + len(untruth.words))
    )


def _span(text: str, document: str, start: int, end: int) -> Span:
    line, column = _line_and_column(text, start)
    end_line, end_column = _line_and_column(text, end)
    return Span(document, line, column, end_line, end_column)


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


def _by_procedure(
    untruths: Iterable[InventedUntruth], documents: Sequence[Document]
) -> dict[str, list[InventedUntruth]]:
    """By the procedure that each is written into."""
    by_name = {Path(document.path).name: document for document in documents}
    grouped: dict[str, list[InventedUntruth]] = defaultdict(list)
    for untruth in untruths:
        document = by_name[untruth.document]
        text = "\n".join(document.lines)
        line, _ = _line_and_column(text, untruth.start)
        holder = holder_of(document, line)
        if holder is None:
            raise SetupError(f"{untruth.id}: {untruth.document} has no procedure")
        grouped[holder.id].append(untruth)
    return grouped


def _loads(untruths: Sequence[InventedUntruth]) -> Iterator[tuple[InventedUntruth, ...]]:
    """What stands in a procedure at the same time."""
    open_loads: list[list[InventedUntruth]] = []
    for untruth in untruths:
        if untruth.kind in _BLOCKING_KINDS:
            yield (untruth,)
            continue
        load = next((load for load in open_loads if _fits(untruth, load)), None)
        if load is None:
            open_loads.append([untruth])
        else:
            load.append(untruth)
    yield from (tuple(load) for load in open_loads)


def _fits(untruth: InventedUntruth, load: Sequence[InventedUntruth]) -> bool:
    """Whether it finds a place among others; none touches the same sentence."""
    apart = all(untruth.start > other.end + 1 or untruth.end + 1 < other.start for other in load)
    return apart and len(load) < _MAX_PER_PROCEDURE
