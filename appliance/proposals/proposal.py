"""Turns a run into a pull or merge request: the changed files, the text and the branch."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from appliance.config import RepositorySettings
from appliance.core.errors import SetupError
from appliance.core.result import Finding, RunResult, documents_of, with_documents_named
from appliance.core.verdict import AfterChange
from appliance.proposals.code_host import CodeHost, Request, Words
from appliance.reports import edits_of, markdown_summary
from appliance.verification import DocumentEdits

_LONGEST = 60_000
"""Characters of a request's text: GitHub takes 65,536."""
_EVIDENCE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What would change, on which branch, in which words."""

    branch: str
    base: str
    files: Mapping[str, bytes]
    """New contents by path in the repository; empty: there is nothing to propose."""
    words: Words
    edits: int
    """How many suggestions are in it."""
    left_out: tuple[str, ...]
    """What is not, with why."""


def proposal_of(
    run: RunResult,
    host: CodeHost,
    settings: RepositorySettings,
    name: Callable[[str], str],
    *,
    with_untried: bool = False,
) -> Proposal:
    """Build the proposal of a run: its suggestions applied to the current base branch.

    Args:
        run: The run.
        host: The repository.
        settings: With branch names.
        name: A document's path in the repository.
        with_untried: Also suggestions with which no procedure was carried out.

    Raises:
        SetupError: The host refuses, or our branch would be the base.
    """
    base = settings.base or host.default_branch()
    branch = f"{settings.branch_prefix}{run.id}"
    if branch == base:
        raise SetupError(f"{base} is the base branch, which is never written to")
    if not documents_of(run):
        raise SetupError(f"run {run.id} has no result")
    run_with_paths = with_documents_named(run, name)
    suggested = [
        f for p in run_with_paths.procedures for f in p.findings if f.suggestion is not None
    ]
    selected = [f for f in suggested if with_untried or f.after_change is AfterChange.VERIFIED]
    plan = [
        document
        for document in edits_of(selected, lambda path: _text(host, path, base))
        if document.edits
    ]
    edited = [edit.finding for document in plan for edit in document.edits]
    return Proposal(
        branch=branch,
        base=base,
        files={document.document: document.new_text.encode() for document in plan},
        words=Words(_title(plan, run), _body(run_with_paths, edited)),
        edits=len(edited),
        left_out=tuple(_left_out(suggested, edited, selected)),
    )


def propose(proposal: Proposal, host: CodeHost) -> Request:
    """Make the branch and open the request; where they are there, only its words change.

    Nothing is written to a branch that is there: people may have committed to it.

    Raises:
        SetupError: The host refuses, or people have closed or merged it.
    """
    branch, base = proposal.branch, proposal.base
    request = host.request(branch, base)
    if request is not None and not request.is_open:
        raise SetupError(f"{request.url} was merged or closed: it is not opened again")
    if not host.has_branch(branch):
        host.commit(branch, base, proposal.words.title, proposal.files)
    if request is not None:
        return host.update(request, proposal.words)
    return host.open(branch, base, proposal.words)


def _text(host: CodeHost, path: str, base: str) -> str | None:
    content = None if path.startswith("/") else host.file(path, base)
    try:
        return None if content is None else content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _title(plan: list[DocumentEdits], run: RunResult) -> str:
    number = sum(len(one.edits) for one in plan)
    where = plan[0].document if len(plan) == 1 else f"{len(plan)} documents"
    corrections = f"{number} correction{'s' * (number != 1)}"
    return f"Say what the console {run.console} shows: {corrections} in {where}"


def _body(run: RunResult, edited: list[Finding]) -> str:
    """Write the request's text: the report of the changes with their evidence."""
    ids = {finding.id for finding in edited}
    procedures = [
        replace(p, findings=tuple(f for f in p.findings if f.id in ids)) for p in run.procedures
    ]
    reported_run = replace(run, procedures=tuple(p for p in procedures if p.findings))
    parts = [
        f"Run `{run.id}` of the Console Docs Appliance carried out these procedures in the console"
        f" `{run.console}`. {_how_tested(edited)}",
        "",
        markdown_summary(reported_run),
        "### Evidence",
        "",
        *_evidence(edited),
    ]
    text = "\n".join(parts)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}\n\n…"


def _how_tested(edited: list[Finding]) -> str:
    if all(finding.after_change is AfterChange.VERIFIED for finding in edited):
        return "Each was carried out once more with the suggested text, and verified."
    return "Not all were carried out once more with the suggested text: look at them."


def _evidence(edited: list[Finding]) -> Iterator[str]:
    for finding in edited:
        yield f"- `{finding.document}:{finding.line}`: {_plain(finding.shown)}"
        for piece in finding.evidence:
            text_seen = f": {_plain(piece.text)}" if piece.text else ""
            yield f"  - {_plain(piece.caption)}{text_seen}"


def _plain(text: str) -> str:
    """Quote a page's text as code, so that it carries no markup, mention or link."""
    folded = " ".join(text.split()).replace("`", "'")[:_EVIDENCE]
    return f"`{folded}`" if folded else ""


def _left_out(
    suggested: list[Finding], edited: list[Finding], selected: list[Finding]
) -> Iterator[str]:
    edited_ids, selected_ids = {f.id for f in edited}, {f.id for f in selected}
    for finding in suggested:
        if finding.id not in edited_ids:
            why = (
                "it does not fit the text on the base branch, or is not sure enough"
                if finding.id in selected_ids
                else "it was not carried out once more with the suggested text"
            )
            yield f"{finding.document}:{finding.line}: {why}"
