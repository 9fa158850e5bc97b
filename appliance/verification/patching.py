"""Patches: what findings change in a document, and the procedure carried out once more with it.

Nothing that such an attempt sees becomes a finding: it only says whether a patch is offered.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

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

_UNREAD = "the document cannot be read"
_OTHERWISE = "with it, the document would be read otherwise in other places too"
_FAILED = "it was tried: the procedure does not verify with it"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A suggestion that is not offered."""

    finding: Finding
    why: str
    edit: Edit | None = None
    """What it would change, where it could be made."""


@dataclass(frozen=True, slots=True)
class DocumentEdits:
    """What changes in one document."""

    document: str
    source: SourceText
    edits: tuple[Edit, ...]
    """In the order of the text; none touches another."""
    left_out: tuple[LeftOut, ...]
    readable: Editable | None
    """None: it cannot be read."""

    @property
    def new_text(self) -> str:
        """The document with all edits."""
        new = self.readable.with_edits(self.edits) if self.readable else None
        return self.source.text if new is None else new

    def edit_of(self, finding: Finding) -> Edit | None:
        """What a finding changes, whether it is offered or not."""
        made = (edit for edit in self.edits if edit.finding is finding)
        left = (one.edit for one in self.left_out if one.finding is finding)
        return next(made, next(left, None))

    def replacement(self, edit: Edit) -> tuple[Stretch, str]:
        """What one edit changes alone, with the lines of a table that become wider by it."""
        old = self.source.text
        new = (self.readable.with_edits([edit]) if self.readable else None) or old
        if new == old[: edit.at.start] + edit.new + old[edit.at.end :]:
            return edit.at, edit.new
        shorter = min(len(old), len(new))
        start = next((n for n in range(shorter) if old[n] != new[n]), shorter)
        rest = shorter - start
        back = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
        return Stretch(start, len(old) - back), new[start : len(new) - back]


def document_edits(path: str, text: str | None, findings: Iterable[Finding]) -> DocumentEdits:
    """Every suggestion for one document, as an edit or left out with a reason.

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
        edit = edit_for(readable, finding) if readable is not None else _UNREAD
        if isinstance(edit, str):
            left_out.append(LeftOut(finding, edit))
        elif edit is not None and (why := _why_not(edit, edits)):
            left_out.append(LeftOut(finding, why, edit))
        elif edit is not None and not any((e.at, e.new) == (edit.at, edit.new) for e in edits):
            edits.append(edit)
    kept = _kept(readable, edits) if readable is not None else []
    left_out += [LeftOut(edit.finding, _OTHERWISE) for edit in edits if edit not in kept]
    return DocumentEdits(
        path,
        readable.source if readable is not None else SourceText.of(text or ""),
        tuple(sorted(kept, key=lambda edit: edit.at)),
        tuple(sorted(left_out, key=lambda out: (out.finding.line, out.finding.column))),
        readable,
    )


def _why_not(edit: Edit, taken: Iterable[Edit]) -> str:
    finding = edit.finding
    if not finding.is_sure:
        return f"it is not sure enough: {finding.confidence:.2f}"
    if finding.after_change is AfterChange.FAILED:
        return _FAILED
    for other in taken:
        is_same = (other.at, other.new) == (edit.at, edit.new)
        if not is_same and edit.at.start <= other.at.end and other.at.start <= edit.at.end:
            return f"it touches the suggestion at line {other.finding.line}, which is surer"
    return ""


def _kept(readable: Editable, edits: Sequence[Edit]) -> list[Edit]:
    """Those with which the document is still the same: all of them, else as many as may be."""
    if _is_held(readable, edits):
        return list(edits)
    kept: list[Edit] = []
    for edit in edits:
        if _is_held(readable, [*kept, edit]):
            kept.append(edit)
    return kept


def _is_held(readable: Editable, edits: Sequence[Edit]) -> bool:
    """Whether nothing but the words edited is read otherwise, and nothing else is claimed."""
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
    """What is claimed on lines that are not edited."""
    return Counter(
        (procedure.id, claim.kind, claim.text, claim.step)
        for procedure in document.all_procedures
        for claim in stated_claims(procedure)
        if edited.isdisjoint(range(claim.span.line, claim.span.end_line + 1))
    )


@lru_cache(maxsize=16)
def _read(text: str, path: str) -> Editable | None:
    try:
        return Editable.of(text, path)
    except DocumentError:
        return None


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
