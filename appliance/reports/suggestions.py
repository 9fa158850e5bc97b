"""The suggested texts as one patch that `git apply` takes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from appliance.core.result import Finding, RunResult
from appliance.reports._source import ReadDocument, Source, Stretch, replaced
from appliance.reports._wording import counted, folded

MIN_CONFIDENCE = 0.5
"""Below it, a suggestion is for a person to look at and not for a patch."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in a document."""

    at: Stretch
    new: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A suggestion that is not in the patch."""

    finding: Finding
    why: str


@dataclass(frozen=True, slots=True)
class DocumentEdits:
    """What changes in one document."""

    document: str
    source: Source
    edits: tuple[Edit, ...]
    """In the order of the text; none touches another."""
    left_out: tuple[LeftOut, ...]

    @property
    def new_text(self) -> str:
        """The document with all edits."""
        parts, done = [], 0
        for edit in self.edits:
            parts += [self.source.text[done : edit.at.start], edit.new]
            done = edit.at.end
        return "".join(parts) + self.source.text[done:]


def planned_edits(run: RunResult, read_document: ReadDocument) -> tuple[DocumentEdits, ...]:
    """Every suggestion of the run, as an edit or left out with a reason, by document."""
    return edits_of((f for p in run.procedures for f in p.findings), read_document)


def edits_of(findings: Iterable[Finding], read_document: ReadDocument) -> tuple[DocumentEdits, ...]:
    """Every suggestion among the findings, as an edit or left out with a reason, by document."""
    by_document: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.suggestion is not None:
            by_document.setdefault(finding.document, []).append(finding)
    return tuple(
        _edits_of(document, findings, read_document(document))
        for document, findings in sorted(by_document.items())
    )


def suggested_patch(
    run: RunResult, read_document: ReadDocument, name: Callable[[str], str] = str
) -> str:
    """A unified diff with all suggestions of enough confidence; "" when there is nothing to change.

    Lines before the diff say what was left out and why; `git apply` and `patch` pass over them.

    Args:
        run: The run.
        read_document: The sources as they are now.
        name: A document's path as the patch names it: relative to where it is applied.
    """
    about = f"from run {folded(run.id)} on {folded(run.console)}"
    return patch_of(planned_edits(run, read_document), about, name)


def patch_of(plan: Sequence[DocumentEdits], about: str, name: Callable[[str], str] = str) -> str:
    """A unified diff with the planned edits; "" when there is nothing to change.

    Args:
        plan: What changes.
        about: Where the suggestions come from: the end of the first line.
        name: A document's path as the patch names it: relative to where it is applied.
    """
    paths = [name(edits.document) for edits in plan]
    diffs = ["".join(_diff(*pair)) for pair in zip(plan, paths, strict=True)]
    if not any(diffs):
        return ""
    is_rooted = any(path.startswith("/") for path in paths)
    preface = _preface(about, plan, is_rooted=is_rooted)
    return "".join(f"# {line}\n" for line in preface) + "".join(diffs)


def _edits_of(document: str, findings: Iterable[Finding], text: str | None) -> DocumentEdits:
    source = Source.of(text or "")
    edits: list[Edit] = []
    left_out: list[LeftOut] = []
    # The surest first: where two suggestions touch, it wins.
    for finding in sorted(findings, key=lambda f: (-f.confidence, f.line, f.column)):
        edit = _edit(source, finding, edits) if text is not None else "the document cannot be read"
        match edit:
            case Edit():
                edits.append(edit)
            case str():
                left_out.append(LeftOut(finding, edit))
    edits.sort(key=lambda edit: edit.at)
    left_out.sort(key=lambda out: (out.finding.line, out.finding.column))
    return DocumentEdits(document, source, tuple(edits), tuple(left_out))


def _edit(source: Source, finding: Finding, taken: Iterable[Edit]) -> Edit | str | None:
    """The edit, why there is none, or None where it is there already."""
    if finding.confidence < MIN_CONFIDENCE:
        return f"its confidence of {finding.confidence:.2f} is below {MIN_CONFIDENCE:.2f}"
    at = source.find(finding)
    if at is None:
        return "the source does not say this there (any more)"
    new = replaced(source, at, finding.suggestion or "")
    if new == source.text[at.start : at.end]:
        return None
    for other in taken:
        if (other.at, other.new) == (at, new):
            return None
        if at.start <= other.at.end and other.at.start <= at.end:
            return f"it touches the suggestion at line {other.finding.line}, which is surer"
    return Edit(at, new, finding)


def _preface(about: str, plan: Iterable[DocumentEdits], *, is_rooted: bool) -> Iterator[str]:
    made = [edits for edits in plan if edits.edits]
    number = sum(len(edits.edits) for edits in made)
    yield f"{counted(number, 'suggestion')} in {counted(len(made), 'document')}, {about}."
    if is_rooted:
        yield "Apply with paths from the root: patch -p1 -d / < suggestions.patch"
    else:
        yield "Apply at the top of the documentation's repository: git apply suggestions.patch"
    for edits in plan:
        for out in edits.left_out:
            finding = out.finding
            place = f"{finding.document}:{finding.line}:{finding.column}"
            yield f"Left out: {folded(place)} “{folded(finding.quote)}”: {out.why}."


def _diff(edits: DocumentEdits, path: str) -> Iterator[str]:
    if not edits.edits:
        return
    tab = "\t" if " " in path else ""  # as git does, so that the name ends where it ends
    lines = unified_diff(
        list(edits.source.lines),
        list(Source.of(edits.new_text).lines),
        f"a/{path.lstrip('/')}{tab}",
        f"b/{path.lstrip('/')}{tab}",
    )
    for line in lines:
        yield line
        if not line.endswith("\n"):
            yield "\n\\ No newline at end of file\n"
