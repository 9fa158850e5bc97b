"""The suggested texts as one patch that `git apply` takes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import unified_diff
from typing import TypeAlias

from appliance.core.result import Finding, RunResult
from appliance.documents import SourceText
from appliance.reports._wording import counted, folded
from appliance.verification import DocumentEdits, document_edits

ReadDocument: TypeAlias = Callable[[str], str | None]
"""The source of a document as it is now, line ends untouched; None where it cannot be had."""


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
        document_edits(document, read_document(document), findings)
        for document, findings in sorted(by_document.items())
    )


def suggested_patch(
    run: RunResult, read_document: ReadDocument, name: Callable[[str], str] = str
) -> str:
    """A unified diff with all suggestions that are offered; "" when there is nothing to change.

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
        list(SourceText.of(edits.new_text).lines),
        f"a/{path.lstrip('/')}{tab}",
        f"b/{path.lstrip('/')}{tab}",
    )
    for line in lines:
        yield line
        if not line.endswith("\n"):
            yield "\n\\ No newline at end of file\n"
