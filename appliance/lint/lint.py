"""Documents held against what is known of a console."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import accumulate
from operator import or_
from pathlib import Path
from typing import assert_never

from appliance.core.claims import ClaimKind, StatedClaim
from appliance.core.errors import DocumentError
from appliance.core.procedure import Document, LeftOutReason
from appliance.core.source import Span
from appliance.documents import Cache, Children, Making, NoCache
from appliance.language.names import key
from appliance.lint.known import Gone, Known, Moved, Sighting, Unseen
from appliance.lint.pages import LintedPage, LintedProcedure, Unclear, page_of
from appliance.store.labels import ConsoleLabel

_UNSEEN = 0.25
"""Of a procedure's labels, those that may not have been seen; more: nobody was on its pages."""
_FORM = frozenset({ClaimKind.FIELD, ClaimKind.OPTION, ClaimKind.VALUE})


Made = Callable[[Document], LintedPage]
ClaimSighting = tuple[StatedClaim, Sighting]


class RemarkKind(StrEnum):
    """What is said of a sentence."""

    RENAMED = "renamed_label"
    MOVED = "moved_control"
    GONE = "missing_control"
    UNSEEN = "unseen_label"
    NOT_UNDERSTOOD = "not_understood"


_FINDINGS = frozenset({RemarkKind.RENAMED, RemarkKind.MOVED, RemarkKind.GONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One thing to be said of a document."""

    kind: RemarkKind
    document: str
    span: Span
    quote: str
    message: str
    nearest: str = ""
    """What the console has instead, or most like it."""
    procedure: str
    step: str

    @property
    def is_finding(self) -> bool:
        """Whether the console contradicts it; else it is a question, or a hint."""
        return self.kind in _FINDINGS


About = Callable[..., Remark]
"""A remark on a procedure, by what else is to be said."""


@dataclass(frozen=True, slots=True)
class Left:
    """A document of which nothing can be said."""

    document: str
    reason: str
    detail: str = ""


@dataclass(slots=True)
class Lint:
    """What came of it."""

    console: str
    release: str = ""
    pages: dict[str, int] = field(default_factory=dict)
    """How many pages of the console were seen, by language."""
    documents: int = 0
    procedures: int = 0
    labels: int = 0
    """Those that were looked up."""
    uncovered: int = 0
    """Procedures on pages that nobody has seen."""
    remarks: list[Remark] = field(default_factory=list)
    left_out: list[Left] = field(default_factory=list)
    sections_left_out: list[LeftOutReason] = field(default_factory=list)
    """Of the documents that were read: sections with instructions for something else."""
    problems: list[str] = field(default_factory=list)

    def counts(self) -> Counter[RemarkKind]:
        """How many there are of each kind."""
        return Counter(remark.kind for remark in self.remarks)

    @property
    def findings(self) -> int:
        """What the console contradicts."""
        return sum(remark.is_finding for remark in self.remarks)


class Linter:
    """Looks at one document after the other."""

    def __init__(self, console: str, release: str, known: dict[str, Known]) -> None:
        """Nothing is looked at yet.

        Args:
            console: Its name.
            release: Which of its releases.
            known: What is known of it, by language.
        """
        self._known = known
        pages = {language: one.pages for language, one in known.items()}
        self.result = Lint(console, release, pages)

    def controls(self) -> Iterator[ConsoleLabel]:
        """All that this release has, in every language."""
        for known in self._known.values():
            yield from known.all()

    def see(self, path: Path, page: LintedPage | DocumentError) -> None:
        """Look at one."""
        self.result.documents += 1
        if isinstance(page, DocumentError):
            self.result.left_out.append(Left(str(path), "cannot be read", str(page)))
            return
        self.result.problems += page.problems
        self.result.sections_left_out += page.left_out
        if not page.procedures:
            self.result.left_out.append(Left(str(path), "without steps"))
        for procedure in page.procedures:
            self.result.procedures += 1
            about = partial(Remark, document=str(path), procedure=procedure.id)
            self.result.remarks += (_not_understood(one, about) for one in procedure.unclear)
            if known := self._known.get(procedure.language):
                self.result.remarks += self._looked_up(procedure, known, about)

    def _looked_up(
        self, procedure: LintedProcedure, known: Known, about: About
    ) -> Iterator[Remark]:
        votes = known.votes(procedure.named)
        sightings = [
            (claim, known.find(claim, votes, _around(claim, procedure)))
            for claim in procedure.named
        ]
        self.result.labels += len(sightings)
        reached = _reached(sightings, known, max(votes, key=votes.__getitem__, default=""))
        reported = set[tuple[RemarkKind, str]]()
        unseen = sum(isinstance(what, Unseen) for _, what in sightings)
        is_covered = unseen <= _UNSEEN * len(sightings)
        for (claim, what), is_reached in zip(sightings, reached, strict=True):
            is_asked = is_covered and is_reached and _may_be_asked(claim)
            if what is not None and (is_asked or not isinstance(what, Unseen)):
                kind, message, nearest = self._message(what, known)
                if (kind, key(claim.text)) in reported:
                    continue  # its cause was told where a reader meets it first
                reported.add((kind, key(claim.text)))
                yield about(
                    kind=kind,
                    span=claim.span,
                    quote=claim.text,
                    message=message,
                    nearest=nearest,
                    step=claim.step,
                )
        self.result.uncovered += not is_covered

    def _message(self, what: Gone | Moved | Unseen, known: Known) -> tuple[RemarkKind, str, str]:
        match what:
            case Gone(now=""):
                return RemarkKind.GONE, self._was(what), ""
            case Gone():
                return (
                    RemarkKind.RENAMED,
                    f'{self._was(what)}; "{what.now}" is new there',
                    what.now,
                )
            case Moved(now=now):
                where = f'in "{now.parent}"' if now.parent else "in no menu"
                return RemarkKind.MOVED, f"{self._was(what)}; it is {where} now", now.parent
            case Unseen(is_title=True):
                return RemarkKind.UNSEEN, "seen as the title of a dialog only, not as a control", ""
            case Unseen(nearest=nearest):
                message = f"not seen so far in {known.pages} pages of the console"
                return (
                    RemarkKind.UNSEEN,
                    message + (f'; nearest: "{nearest}"' if nearest else ""),
                    nearest,
                )
            case _:
                assert_never(what)

    def _was(self, what: Gone | Moved) -> str:
        was, now = what.was, self.result.release or "this release"
        inside = (f'"{name}"' for name in (was.dialog, was.parent) if name)
        place = ", ".join([was.page, *inside])
        return (
            f"release {was.release or 'before'} had it on {place};"
            f" {what.looked} attempts looked there in {now} and did not see it"
        )


def _not_understood(unclear: Unclear, about: About) -> Remark:
    return about(
        kind=RemarkKind.NOT_UNDERSTOOD,
        span=unclear.span,
        quote=unclear.text,
        message="the reader will not understand this instruction",
        step=unclear.step,
    )


def _reached(sightings: Sequence[ClaimSighting], known: Known, page: str) -> list[bool]:
    """Whether anybody came past each label: to what the text names later, or to the same form."""
    telling = [known.is_telling(claim, page) for claim, _ in sightings]
    later = [*list(accumulate(reversed(telling), or_))[::-1][1:], False]
    reached, in_form = [], False
    for number, (claim, what) in enumerate(sightings):
        reached.append(later[number] or in_form)
        if not isinstance(what, Unseen):
            in_form = telling[number] and claim.kind in _FORM
    return reached


def _may_be_asked(claim: StatedClaim) -> bool:
    """Not of marked words that no reading accounts for, or that are typed: they may be anything."""
    return claim.is_read and claim.kind is not ClaimKind.VALUE


def _around(claim: StatedClaim, procedure: LintedProcedure) -> list[str]:
    return [one.text for one in procedure.named if one.step == claim.step]


def read_pages(
    files: Sequence[Path],
    timeout_s: float,
    made: Made = page_of,
    cache: Cache[LintedPage] | None = None,
) -> Iterator[tuple[Path, LintedPage | DocumentError]]:
    """Documents in their order, read by as many processes as it is worth.

    Args:
        files: The documents.
        timeout_s: Processor time for one.
        made: What is made of each, in the process that reads.
        cache: What it has is not read again.
    """
    children: Children[LintedPage] = Children(timeout_s, made)
    try:
        yield from Making(children, cache or NoCache()).each(dict.fromkeys(files))
    finally:
        children.close()
