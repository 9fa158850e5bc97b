"""Patches are tried: the procedure is carried out once more with the suggested texts in it.

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
from appliance.verification.patching.patches import DocumentEdits, document_edits
from appliance.verification.trajectory import StopReason, Trajectory
from appliance.verification.verdict import draw_verdict, is_to_look

_TRIED = (Verdict.DRIFTED, Verdict.BROKEN)
_MOST_SINGLE = 6
"""Patches of one procedure that are tried one by one, where together they do not verify."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchTrial:
    """Of one procedure whose verdict is known."""

    case: Case
    chosen: TierAttempts
    attempt: Callable[[Case], Awaitable[JudgedAttempt]]
    """Makes one, from a clean state."""

    async def tried(self) -> TierAttempts:
        """The same, with what came of the patches of its findings."""
        if self.chosen.drawn.verdict not in _TRIED or self.chosen.pending is not None:
            return self.chosen
        document = self.case.document
        findings = [f for f in self.chosen.findings if f.suggestion is not None]
        plan = document_edits(document.path, "\n".join(document.lines), findings)
        fates = dict[str, AfterChange]()
        if plan.edits:
            together = await self._fate(plan, plan.edits)
            fates = {edit.finding.id: together for edit in plan.edits}
            if together is AfterChange.FAILED and len(plan.edits) > 1:
                for edit in plan.edits[:_MOST_SINGLE]:
                    fates[edit.finding.id] = await self._fate(plan, [edit])
        return replace(
            self.chosen,
            findings=tuple(
                replace(f, after_change=fates.get(f.id, AfterChange.UNTRIED))
                for f in self.chosen.findings
            ),
        )

    async def _fate(self, plan: DocumentEdits, edits: Sequence[Edit]) -> AfterChange:
        """What comes of some of the patches."""
        patched = self._patched(plan, edits)
        if patched is None:
            return AfterChange.FAILED
        case = replace(self.case, document=patched[0], procedure=patched[1], tiers=[])
        try:
            made = await self.attempt(case)
        except AttemptError as exc:
            _log.warning("patch_not_tried", procedure=case.procedure.id, reason=str(exc))
            return AfterChange.UNTRIED
        finally:
            self.case.attempts = case.attempts
        if not made.is_whole or made.late is not None:
            return AfterChange.UNTRIED
        is_verified = self._is_borne_out(made, edits)
        return AfterChange.VERIFIED if is_verified else AfterChange.FAILED

    def _patched(
        self, plan: DocumentEdits, edits: Sequence[Edit]
    ) -> tuple[Document, Procedure] | None:
        """The document and the procedure as they then stand there, with the checks of now."""
        new = plan.readable.read_with(edits) if plan.readable else None
        procedure, wanted = self.case.procedure, procedure_of(self.case.procedure.id)
        known = new.document.all_procedures if new else ()
        again = next((p for p in known if p.id == wanted), None)
        if new is None or again is None:
            return None
        same = replace(
            again, id=procedure.id, title_path=procedure.title_path, checks=procedure.checks
        )
        return new.document, same

    def _is_borne_out(self, made: JudgedAttempt, edits: Sequence[Edit]) -> bool:
        """Verified; where other findings stand, as good as before, with nothing new against it."""
        needs_witness = self.chosen.policy == PolicyName.MODEL
        drawn = draw_verdict(
            made.goal,
            made.trajectory,
            (),
            needs_witness=needs_witness,
            is_to_look=is_to_look(made.task.procedure),
        )
        if drawn.verdict is Verdict.VERIFIED:
            return True
        edited = {edit.finding.id for edit in edits}
        others = [f for f in self.chosen.findings if f.id not in edited]
        before, last = self.chosen.attempts[-1], made.trajectory
        if not others or last.stop is not StopReason.ANSWERED:
            return False
        is_worse = made.goal.reached is not True and made.goal.reached is not before.goal.reached
        known = {_said(d) for a in self.chosen.attempts for _, d in a.trajectory.divergences()}
        known -= {(edit.finding.kind, edit.quote) for edit in edits}
        is_new = any(_said(d) not in known for _, d in last.divergences())
        return not is_worse and not is_new and _are_done(last, before.trajectory, edits)


def _said(divergence: Divergence) -> tuple[str, str]:
    return divergence.kind, " ".join(divergence.quote.split())


def _are_done(made: Trajectory, before: Trajectory, edits: Sequence[Edit]) -> bool:
    """Whether the changed steps were carried out as written now, and no other got stuck."""
    steps = {edit.finding.step for edit in edits}
    failed = {r.step for s in (StepStatus.STUCK, StepStatus.UNREACHED) for r in made.statuses(s)}
    failed_before = {
        r.step for s in (StepStatus.STUCK, StepStatus.UNREACHED) for r in before.statuses(s)
    }
    done = {report.step for report in made.statuses(StepStatus.AS_WRITTEN)}
    return steps <= done - failed and failed <= failed_before
