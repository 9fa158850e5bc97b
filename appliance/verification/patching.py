"""Trials of patches: the procedure carried out once more with what findings suggest.

Nothing that such an attempt sees becomes a finding: it only says whether a patch is offered.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from appliance.core.errors import AttemptError
from appliance.core.procedure import Document, Procedure
from appliance.core.result import procedure_of
from appliance.core.verdict import AfterChange, PolicyName, StepStatus, Verdict
from appliance.documents import Edit
from appliance.policy.base import Divergence
from appliance.verification.case import Case, JudgedAttempt, TierAttempts
from appliance.verification.edits import DocumentEdits, document_edits
from appliance.verification.trajectory import StopReason, Trajectory
from appliance.verification.verdict import draw_verdict, is_to_look

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
