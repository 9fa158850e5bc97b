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

_ACTED_ON = frozenset(
    {
        ClaimKind.CONTROL, ClaimKind.MENU_PATH, ClaimKind.FIELD, ClaimKind.OPTION, ClaimKind.VALUE,
        ClaimKind.PLACE, ClaimKind.ROW, ClaimKind.TITLE,
    }
)  # fmt: skip
"""Kinds that a reader acts on, and may stop at."""
_SAID_TOGETHER = 3
"""How many of the others share a procedure."""
_PROCEDURES = 12
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
    for one in untruths:
        by_source[one.source].append(one)
    return tuple(
        edition
        for name, together in by_source.items()
        for edition in _editions(name, together, documents)
    )


def _editions(
    name: str, untruths: Sequence[InventedUntruth], documents: Sequence[Document]
) -> Iterator[Edition]:
    by_procedure = [list(_loads(one)) for one in _grouped(untruths, documents).values()]
    number = 0
    for level in range(max(map(len, by_procedure))):
        loads = [of[level] for of in by_procedure if level < len(of)]
        for first in range(0, len(loads), _PROCEDURES):
            number += 1
            held = tuple(one for load in loads[first : first + _PROCEDURES] for one in load)
            yield Edition(f"{name}-{number:02}", held)


def write_edition(edition: Edition, folder: Path) -> list[PlacedUntruth]:
    """Write a copy into a folder: the same bytes for the same edition."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(DOCUMENTATION, folder)
    by_document = defaultdict(list)
    for one in edition.untruths:
        by_document[one.document].append(one)
    placed = []
    for name, together in by_document.items():
        text, spans = rewritten((folder / name).read_text(encoding="utf-8"), together)
        (folder / name).write_text(text, encoding="utf-8")
        placed += [_placed(text, one, at) for one, at in zip(together, spans, strict=True)]
    return placed


def rewritten(source: str, untruths: Sequence[InventedUntruth]) -> tuple[str, list[int]]:
    """A document with untruths in it, and where each begins now.

    Raises:
        SetupError: Two change the same words.
    """
    shifted, at, pieces = 0, 0, []
    begins: dict[str, int] = {}
    for one in sorted(untruths, key=lambda one: (one.start, one.end)):
        if one.start < at:
            raise SetupError(f"{one.id} changes what another untruth has changed")
        pieces += [source[at : one.start], one.text]
        begins[one.id] = one.start + shifted
        shifted += len(one.text) - (one.end - one.start)
        at = one.end
    return "".join([*pieces, source[at:]]), [begins[one.id] for one in untruths]


def holder_of(document: Document, line: int) -> Procedure | None:
    """The procedure that a line belongs to; what stands before the first belongs to that."""
    around = [p for p in document.procedures if p.span.line <= line] or document.procedures[:1]
    return around[-1] if around else None


def _placed(text: str, one: InventedUntruth, at: int) -> PlacedUntruth:
    blank = len(one.text) - len(one.text.lstrip())
    whole = _span(text, one.document, at + blank, at + len(one.text.rstrip()))
    words = at + one.words_at
    return PlacedUntruth(one, whole, _span(text, one.document, words, words + len(one.words)))


def _span(text: str, document: str, start: int, end: int) -> Span:
    line, column = _line_and_column(text, start)
    end_line, end_column = _line_and_column(text, end)
    return Span(document, line, column, end_line, end_column)


def _line_and_column(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


def _grouped(
    untruths: Iterable[InventedUntruth], documents: Sequence[Document]
) -> dict[str, list[InventedUntruth]]:
    """By the procedure that each is written into."""
    by_name = {Path(document.path).name: document for document in documents}
    found: dict[str, list[InventedUntruth]] = defaultdict(list)
    for one in untruths:
        document = by_name[one.document]
        text = "\n".join(document.lines)
        line, _ = _line_and_column(text, one.start)
        holder = holder_of(document, line)
        if holder is None:
            raise SetupError(f"{one.id}: {one.document} has no procedure")
        found[holder.id].append(one)
    return found


def _loads(untruths: Sequence[InventedUntruth]) -> Iterator[tuple[InventedUntruth, ...]]:
    """What stands in a procedure at the same time."""
    open_loads: list[list[InventedUntruth]] = []
    for one in untruths:
        if one.kind in _ACTED_ON:
            yield (one,)
            continue
        load = next((load for load in open_loads if _fits(one, load)), None)
        if load is None:
            open_loads.append([one])
        else:
            load.append(one)
    yield from (tuple(load) for load in open_loads)


def _fits(one: InventedUntruth, load: Sequence[InventedUntruth]) -> bool:
    """Whether it finds a place among others; none touches the same sentence."""
    apart = all(one.start > other.end + 1 or one.end + 1 < other.start for other in load)
    return apart and len(load) < _SAID_TOGETHER
