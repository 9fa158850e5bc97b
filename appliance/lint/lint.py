"""Compares documents with what is known of a console."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
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
from appliance.lint.known import Discrepancy, KnownLabels, MovedLabel, RemovedLabel, UnseenLabel
from appliance.lint.pages import LintedPage, LintedProcedure, Unclear, page_of
from appliance.lint.remarks import RemarkKind
from appliance.store.labels import ConsoleLabel

_MAX_UNSEEN_SHARE = 0.25
"""If more of a procedure's labels than this share are unseen, its pages were not visited."""
_FORM = frozenset({ClaimKind.FIELD, ClaimKind.OPTION, ClaimKind.VALUE})


PageReader = Callable[[Document], LintedPage]
ClaimDiscrepancy = tuple[StatedClaim, Discrepancy]


_FINDINGS = frozenset({RemarkKind.RENAMED, RemarkKind.MOVED, RemarkKind.GONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One observation about a sentence of a document."""

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
        """Whether the console contradicts the sentence; otherwise it is a question or a hint."""
        return self.kind in _FINDINGS


RemarkFactory = Callable[..., Remark]
"""Makes a remark on a procedure from its remaining fields."""


@dataclass(frozen=True, slots=True)
class UncheckedDocument:
    """A document that could not be checked, and why."""

    document: str
    reason: str
    detail: str = ""


@dataclass(slots=True)
class LintResult:
    """The result of linting many documents."""

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
    left_out: list[UncheckedDocument] = field(default_factory=list)
    sections_left_out: list[LeftOutReason] = field(default_factory=list)
    """Of the documents that were read: sections with instructions for something else."""
    problems: list[str] = field(default_factory=list)

    def counts(self) -> Counter[RemarkKind]:
        """Number of remarks by kind."""
        return Counter(remark.kind for remark in self.remarks)

    @property
    def findings(self) -> int:
        """Number of remarks that the console contradicts."""
        return sum(remark.is_finding for remark in self.remarks)


class Linter:
    """Checks one document after the other and collects the result."""

    def __init__(
        self, console: str, release: str, known_by_language: dict[str, KnownLabels]
    ) -> None:
        """Nothing is looked at yet.

        Args:
            console: Its name.
            release: Which of its releases.
            known_by_language: What is known of it, by language.
        """
        self._known_by_language = known_by_language
        pages = {language: labels.pages for language, labels in known_by_language.items()}
        self.result = LintResult(console, release, pages)

    def controls(self) -> Iterator[ConsoleLabel]:
        """All labels of this release, in every language."""
        for known_labels in self._known_by_language.values():
            yield from known_labels.all()

    def see(self, path: Path, page: LintedPage | DocumentError) -> None:
        """Check one document."""
        self.result.documents += 1
        if isinstance(page, DocumentError):
            self.result.left_out.append(UncheckedDocument(str(path), "cannot be read", str(page)))
            return
        self.result.problems += page.problems
        self.result.sections_left_out += page.left_out
        if not page.procedures:
            self.result.left_out.append(UncheckedDocument(str(path), "without steps"))
        for procedure in page.procedures:
            self.result.procedures += 1
            new_remark = partial(Remark, document=str(path), procedure=procedure.id)
            self.result.remarks += (
                _unclear_remark(unclear, new_remark) for unclear in procedure.unclear
            )
            if known_labels := self._known_by_language.get(procedure.language):
                self.result.remarks += self._check_labels(procedure, known_labels, new_remark)

    def _check_labels(
        self, procedure: LintedProcedure, known_labels: KnownLabels, new_remark: RemarkFactory
    ) -> Iterator[Remark]:
        votes = known_labels.votes(procedure.named)
        sightings = [
            (claim, known_labels.find(claim, votes, _around(claim, procedure)))
            for claim in procedure.named
        ]
        self.result.labels += len(sightings)
        reached_flags = _reached(
            sightings, known_labels, max(votes, key=votes.__getitem__, default="")
        )
        already_reported = set[tuple[RemarkKind, str]]()
        unseen_count = sum(isinstance(what, UnseenLabel) for _, what in sightings)
        is_covered = unseen_count <= _MAX_UNSEEN_SHARE * len(sightings)
        for (claim, discrepancy), is_reached in zip(sightings, reached_flags, strict=True):
            can_ask = is_covered and is_reached and _may_be_unseen(claim)
            if discrepancy is not None and (can_ask or not isinstance(discrepancy, UnseenLabel)):
                kind, message, nearest = self._message(discrepancy, known_labels)
                if (kind, key(claim.text)) in already_reported:
                    continue  # its cause was told where a reader meets it first
                already_reported.add((kind, key(claim.text)))
                yield new_remark(
                    kind=kind,
                    span=claim.span,
                    quote=claim.text,
                    message=message,
                    nearest=nearest,
                    step=claim.step,
                )
        self.result.uncovered += not is_covered

    def _message(
        self, discrepancy: RemovedLabel | MovedLabel | UnseenLabel, known_labels: KnownLabels
    ) -> tuple[RemarkKind, str, str]:
        match discrepancy:
            case RemovedLabel(replacement=""):
                return RemarkKind.GONE, self._describe_former(discrepancy), ""
            case RemovedLabel():
                return (
                    RemarkKind.RENAMED,
                    f'{self._describe_former(discrepancy)}; "{discrepancy.replacement}" is new'
                    " there",
                    discrepancy.replacement,
                )
            case MovedLabel(current=current):
                where = f'in "{current.parent}"' if current.parent else "in no menu"
                return (
                    RemarkKind.MOVED,
                    f"{self._describe_former(discrepancy)}; it is {where} now",
                    current.parent,
                )
            case UnseenLabel(is_title=True):
                return RemarkKind.UNSEEN, "seen as the title of a dialog only, not as a control", ""
            case UnseenLabel(nearest=nearest):
                message = f"not seen so far in {known_labels.pages} pages of the console"
                return (
                    RemarkKind.UNSEEN,
                    message + (f'; nearest: "{nearest}"' if nearest else ""),
                    nearest,
                )
            case _:
                assert_never(discrepancy)

    def _describe_former(self, discrepancy: RemovedLabel | MovedLabel) -> str:
        former, release = discrepancy.former, self.result.release or "this release"
        inside = (f'"{name}"' for name in (former.dialog, former.parent) if name)
        place = ", ".join([former.page, *inside])
        return (
            f"release {former.release or 'before'} had it on {place};"
            f" {discrepancy.attempts} attempts looked there in {release} and did not see it"
        )


def _unclear_remark(unclear: Unclear, new_remark: RemarkFactory) -> Remark:
    return new_remark(
        kind=RemarkKind.NOT_UNDERSTOOD,
        span=unclear.span,
        quote=unclear.text,
        message="the reader will not understand this instruction",
        step=unclear.step,
    )


def _reached(
    sightings: Sequence[ClaimDiscrepancy], known_labels: KnownLabels, page: str
) -> list[bool]:
    """Whether an attempt got to where each label stands.

    True if a label that the text names later was seen, or a label of the same form.
    """
    identifying = [known_labels.identifies_page(claim, page) for claim, _ in sightings]
    later = [*list(accumulate(reversed(identifying), or_))[::-1][1:], False]
    reached_flags, in_form = [], False
    for number, (claim, discrepancy) in enumerate(sightings):
        reached_flags.append(later[number] or in_form)
        if not isinstance(discrepancy, UnseenLabel):
            in_form = identifying[number] and claim.kind in _FORM
    return reached_flags


def _may_be_unseen(claim: StatedClaim) -> bool:
    """Whether to report the label as unseen.

    Marked words that no reading explains, or that are typed, may be anything.
    """
    return claim.is_read and claim.kind is not ClaimKind.VALUE


def _around(claim: StatedClaim, procedure: LintedProcedure) -> list[str]:
    return [other.text for other in procedure.named if other.step == claim.step]


def read_pages(
    files: Sequence[Path],
    timeout_s: float,
    read_page: PageReader = page_of,
    cache: Cache[LintedPage] | None = None,
) -> Iterator[tuple[Path, LintedPage | DocumentError]]:
    """Documents in their order, read by as many processes as it is worth.

    Args:
        files: The documents.
        timeout_s: Processor time for one.
        read_page: What is made of each, in the process that reads.
        cache: What it has is not read again.
    """
    children: Children[LintedPage] = Children(timeout_s, read_page)
    try:
        yield from Making(children, cache or NoCache()).each(dict.fromkeys(files))
    finally:
        children.close()
