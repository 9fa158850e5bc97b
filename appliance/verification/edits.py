"""The edits that findings make to a document, offered where it stays the same document."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.core.errors import DocumentError
from appliance.core.procedure import Document
from appliance.core.result import Finding
from appliance.core.verdict import AfterChange
from appliance.documents import Edit, Editable, SourceText, Stretch, edit_for

_UNREADABLE = "the document cannot be read"
_CHANGES_READING = "with it, the document would be read otherwise in other places too"
_FAILED = "it was tried: the procedure does not verify with it"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A suggestion that is not offered."""

    finding: Finding
    why: str
    edit: Edit | None = None
    """The edit it would make, if one could be derived."""


@dataclass(frozen=True, slots=True)
class DocumentEdits:
    """The edits to one document."""

    document: str
    source: SourceText
    edits: tuple[Edit, ...]
    """In the order of the text, without overlaps."""
    left_out: tuple[LeftOut, ...]
    readable: Editable | None
    """None: it cannot be read."""

    @property
    def new_text(self) -> str:
        """The document with all edits."""
        new = self.readable.with_edits(self.edits) if self.readable else None
        return self.source.text if new is None else new

    def edit_of(self, finding: Finding) -> Edit | None:
        """The edit of a finding, whether it is offered or not."""
        offered = (edit for edit in self.edits if edit.finding is finding)
        withheld = (left_out.edit for left_out in self.left_out if left_out.finding is finding)
        return next(offered, next(withheld, None))

    def replacement(self, edit: Edit) -> tuple[Stretch, str]:
        """The change that one edit makes by itself, including table lines that it widens."""
        old = self.source.text
        new = (self.readable.with_edits([edit]) if self.readable else None) or old
        if new == old[: edit.at.start] + edit.new + old[edit.at.end :]:
            return edit.at, edit.new
        shorter_length = min(len(old), len(new))
        start = next((i for i in range(shorter_length) if old[i] != new[i]), shorter_length)
        remaining = shorter_length - start
        common_suffix = next((i for i in range(remaining) if old[-1 - i] != new[-1 - i]), remaining)
        return Stretch(start, len(old) - common_suffix), new[start : len(new) - common_suffix]


def document_edits(path: str, text: str | None, findings: Iterable[Finding]) -> DocumentEdits:
    """Turn every suggestion for one document into an edit, or leave it out with a reason.

    Args:
        path: Of the document.
        text: As it is now; None: it cannot be had.
        findings: Those that suggest something.
    """
    readable = _read(text, path) if text is not None else None
    edits: list[Edit] = []
    left_out: list[LeftOut] = []
    # The surest first: where two suggestions touch, it wins.
    for finding in sorted(findings, key=lambda f: (-f.confidence, f.line, f.column)):
        edit = edit_for(readable, finding) if readable is not None else _UNREADABLE
        if isinstance(edit, str):
            left_out.append(LeftOut(finding, edit))
        elif edit is not None and (why := _objection_to(edit, edits)):
            left_out.append(LeftOut(finding, why, edit))
        elif edit is not None and not any((e.at, e.new) == (edit.at, edit.new) for e in edits):
            edits.append(edit)
    compatible = _compatible_edits(readable, edits) if readable is not None else []
    left_out += [
        LeftOut(edit.finding, _CHANGES_READING) for edit in edits if edit not in compatible
    ]
    return DocumentEdits(
        path,
        readable.source if readable is not None else SourceText.of(text or ""),
        tuple(sorted(compatible, key=lambda edit: edit.at)),
        tuple(sorted(left_out, key=lambda entry: (entry.finding.line, entry.finding.column))),
        readable,
    )


def _objection_to(edit: Edit, accepted: Iterable[Edit]) -> str:
    finding = edit.finding
    if not finding.is_sure:
        return f"it is not sure enough: {finding.confidence:.2f}"
    if finding.after_change is AfterChange.FAILED:
        return _FAILED
    for other in accepted:
        is_same = (other.at, other.new) == (edit.at, edit.new)
        if not is_same and edit.at.start <= other.at.end and other.at.start <= edit.at.end:
            return f"it touches the suggestion at line {other.finding.line}, which is surer"
    return ""


def _compatible_edits(readable: Editable, edits: Sequence[Edit]) -> list[Edit]:
    """The edits that leave the rest of the document's reading unchanged, as many as possible."""
    if _preserves_reading(readable, edits):
        return list(edits)
    compatible: list[Edit] = []
    for edit in edits:
        if _preserves_reading(readable, [*compatible, edit]):
            compatible.append(edit)
    return compatible


def _preserves_reading(readable: Editable, edits: Sequence[Edit]) -> bool:
    """Whether with the edits only the edited lines are read differently."""
    if not edits:
        return True
    if (new := readable.read_with(edits)) is None:
        return False
    old_lines = {n for e in edits for n in _lines(readable.source, e.at)}
    new_lines = {n + shift for n in old_lines for shift in range(-len(edits), 1)}
    if len(new.source.lines) == len(readable.source.lines):
        new_lines = old_lines
    old_claims = _claims(readable.document, old_lines)
    return old_claims == _claims(new.document, new_lines)


def _lines(source: SourceText, at: Stretch) -> range:
    return range(source.place(at.start).line, source.place(at.end).line + 1)


def _claims(document: Document, edited: set[int]) -> Counter[tuple[str, str, str, str]]:
    """Claims on lines that are not edited, with their counts."""
    # here: the reader takes long to import, and most reports suggest nothing
    from appliance.policy.literal import stated_claims

    return Counter(
        (procedure.id, claim.kind, claim.text, claim.step)
        for procedure in document.all_procedures
        for claim in stated_claims(procedure)
        if edited.isdisjoint(range(claim.span.line, claim.span.end_line + 1))
    )


def _read(text: str, path: str) -> Editable | None:
    try:
        return Editable.of(text, path)
    except DocumentError:
        return None
