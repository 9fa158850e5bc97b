"""Patches: the edits that findings make to a document, and trials of the patched procedure.

Nothing that such an attempt sees becomes a finding: it only says whether a patch is offered.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import structlog

from appliance.core.errors import AttemptError, DocumentError
from appliance.core.procedure import Document, Procedure
from appliance.core.result import Finding, procedure_of
from appliance.core.verdict import AfterChange, PolicyName, StepStatus, Verdict
from appliance.documents import Edit, Editable, SourceText, Stretch, edit_for
from appliance.policy.base import Divergence
from appliance.policy.literal import stated_claims
from appliance.verification.case import Case, JudgedAttempt, TierAttempts
from appliance.verification.trajectory import StopReason, Trajectory
from appliance.verification.verdict import draw_verdict, is_to_look

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


_PATCHABLE_VERDICTS = (Verdict.DRIFTED, Verdict.BROKEN)
_MAX_SINGLE_TRIALS = 6
"""Edits of one procedure that are tried one by one if they fail together."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchTrial:
    """Trials of the patches for one procedure whose verdict is known."""

    case: Case
    chosen: TierAttempts
    attempt: Callable[[Case], Awaitable[JudgedAttempt]]
    """Makes one attempt from a clean state."""

    async def run(self) -> TierAttempts:
        """Try the patches and return the attempts with the outcome noted on each finding."""
        if self.chosen.drawn.verdict not in _PATCHABLE_VERDICTS or self.chosen.pending is not None:
            return self.chosen
        document = self.case.document
        findings = [finding for finding in self.chosen.findings if finding.suggestion is not None]
        plan = document_edits(document.path, "\n".join(document.lines), findings)
        outcomes = dict[str, AfterChange]()
        if plan.edits:
            outcome = await self._try_edits(plan, plan.edits)
            outcomes = {edit.finding.id: outcome for edit in plan.edits}
            if outcome is AfterChange.FAILED and len(plan.edits) > 1:
                for edit in plan.edits[:_MAX_SINGLE_TRIALS]:
                    outcomes[edit.finding.id] = await self._try_edits(plan, [edit])
        return replace(
            self.chosen,
            findings=tuple(
                replace(finding, after_change=outcomes.get(finding.id, AfterChange.UNTRIED))
                for finding in self.chosen.findings
            ),
        )

    async def _try_edits(self, plan: DocumentEdits, edits: Sequence[Edit]) -> AfterChange:
        """Carry out the procedure with these edits and return the outcome."""
        patched = self._patched(plan, edits)
        if patched is None:
            return AfterChange.FAILED
        case = replace(self.case, document=patched[0], procedure=patched[1], tiers=[])
        try:
            trial = await self.attempt(case)
        except AttemptError as exc:
            _log.warning("patch_not_tried", procedure=case.procedure.id, reason=str(exc))
            return AfterChange.UNTRIED
        finally:
            self.case.attempts = case.attempts
        if not trial.is_whole or trial.late is not None:
            return AfterChange.UNTRIED
        is_verified = self._is_confirmed(trial, edits)
        return AfterChange.VERIFIED if is_verified else AfterChange.FAILED

    def _patched(
        self, plan: DocumentEdits, edits: Sequence[Edit]
    ) -> tuple[Document, Procedure] | None:
        """The patched document and procedure, with the current checks; None if unreadable."""
        new_version = plan.readable.read_with(edits) if plan.readable else None
        procedure, canonical_id = self.case.procedure, procedure_of(self.case.procedure.id)
        procedures = new_version.document.all_procedures if new_version else ()
        reread = next((p for p in procedures if p.id == canonical_id), None)
        if new_version is None or reread is None:
            return None
        patched_procedure = replace(
            reread, id=procedure.id, title_path=procedure.title_path, checks=procedure.checks
        )
        return new_version.document, patched_procedure

    def _is_confirmed(self, trial: JudgedAttempt, edits: Sequence[Edit]) -> bool:
        """Whether it verified, or with other findings left, did no worse and met nothing new."""
        needs_witness = self.chosen.policy == PolicyName.MODEL
        verdict = draw_verdict(
            trial.goal,
            trial.trajectory,
            (),
            needs_witness=needs_witness,
            is_to_look=is_to_look(trial.task.procedure),
        )
        if verdict.verdict is Verdict.VERIFIED:
            return True
        edited = {edit.finding.id for edit in edits}
        other_findings = [f for f in self.chosen.findings if f.id not in edited]
        previous, trajectory = self.chosen.attempts[-1], trial.trajectory
        if not other_findings or trajectory.stop is not StopReason.ANSWERED:
            return False
        is_worse = (
            trial.goal.reached is not True and trial.goal.reached is not previous.goal.reached
        )
        known_divergences = {
            _divergence_key(d) for a in self.chosen.attempts for _, d in a.trajectory.divergences()
        }
        known_divergences -= {(edit.finding.kind, edit.quote) for edit in edits}
        is_new = any(
            _divergence_key(d) not in known_divergences for _, d in trajectory.divergences()
        )
        return (
            not is_worse and not is_new and _steps_succeeded(trajectory, previous.trajectory, edits)
        )


def _divergence_key(divergence: Divergence) -> tuple[str, str]:
    return divergence.kind, " ".join(divergence.quote.split())


def _steps_succeeded(trajectory: Trajectory, before: Trajectory, edits: Sequence[Edit]) -> bool:
    """Whether the edited steps were now carried out as written and no other step got stuck."""
    steps = {edit.finding.step for edit in edits}
    failed = {
        r.step
        for status in (StepStatus.STUCK, StepStatus.UNREACHED)
        for r in trajectory.statuses(status)
    }
    failed_before = {
        r.step
        for status in (StepStatus.STUCK, StepStatus.UNREACHED)
        for r in before.statuses(status)
    }
    as_written = {report.step for report in trajectory.statuses(StepStatus.AS_WRITTEN)}
    return steps <= as_written - failed and failed <= failed_before
