"""Turns the notes of a model into step reports and divergences, checked against the page."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from appliance.core.actions import Action
from appliance.core.page import Observation
from appliance.core.procedure import Procedure
from appliance.core.source import overlap
from appliance.core.verdict import Basis, DivergenceKind, Severity, StepStatus
from appliance.language.names import plain, squeezed
from appliance.policy.base import Divergence, StepReport
from appliance.policy.literal import match_clickable, match_field, text_containing
from appliance.policy.model.answer import AgentAnswer, Complete, Note
from appliance.policy.model.incidental import is_incidental
from appliance.policy.model.quotes import QuoteLocation, locate_quote
from appliance.policy.model.witness import Witness, labels_of

_STATUS = {
    "as_written": StepStatus.AS_WRITTEN,
    "differs": StepStatus.DIVERGED,
    "missing": StepStatus.STUCK,
    "not_applicable": StepStatus.SKIPPED,
    "unreachable": StepStatus.UNREACHED,
}
_DEFAULT_KINDS = {
    "differs": DivergenceKind.AMBIGUOUS_TEXT,
    "missing": DivergenceKind.MISSING_CONTROL,
}
_NOT_REACHED = frozenset({"not_applicable", "unreachable"})
"""The step was not examined: any later note replaces these."""
# Confidence: a model is right about what it sees more often than not, more so if the page confirms
# it; below 0.5 there is no finding.
_ABSENT = frozenset(
    {DivergenceKind.RENAMED_LABEL, DivergenceKind.MISSING_CONTROL, DivergenceKind.DEAD_LINK}
)
_UNCONFIRMED_PRAISE = "not understood: noted as written, but no page has shown what it names"
_NO_NOTE = "not understood: the model does not say whether the console matched it"
_MARKED = re.compile(r"(?:\*\*|`)([^*`]+)(?:\*\*|`)")
"""Labels within the sentence that would be true."""
_MAX_REPORT_CHARS = 300
"""Characters of a model's words in a report."""


class NotebookUpdate(NamedTuple):
    """What one answer says about the text."""

    reports: tuple[StepReport, ...]
    divergences: tuple[Divergence, ...]
    withdrawn: tuple[StepReport | Divergence, ...] = ()
    """Earlier statements that this answer contradicts."""

    def merged_with(self, other: "NotebookUpdate") -> "NotebookUpdate":
        """The statements of both."""
        return NotebookUpdate(
            self.reports + other.reports,
            self.divergences + other.divergences,
            self.withdrawn + other.withdrawn,
        )


@dataclass(frozen=True, slots=True)
class _ActiveNote:
    """A note that still holds, with the report and divergence derived from it."""

    note: Note
    report: StepReport
    divergence: Divergence | None

    @property
    def statements(self) -> tuple[StepReport | Divergence, ...]:
        """The report and the divergence, if there is one."""
        return (self.report,) if self.divergence is None else (self.report, self.divergence)

    def says_same_as(self, other: "_ActiveNote") -> bool:
        """Whether both notes say the same; a new suggestion counts as news."""
        note, other_note = self.note, other.note
        adds_suggestion = bool(other_note.suggestion) and not note.suggestion
        return _note_key(note) == _note_key(other_note) and not adds_suggestion

    def is_superseded_by(self, newer: "_ActiveNote") -> bool:
        """Whether the newer note replaces this one: it is about the same words of the same step."""
        old_note, new_note = self.note, newer.note
        if old_note.step != new_note.step:
            return False
        if plain(old_note.quote) == plain(new_note.quote) or old_note.matched in _NOT_REACHED:
            return True
        old_divergence, new_divergence = self.divergence, newer.divergence
        if (
            old_divergence is None
            or new_divergence is None
            or not (old_note.quote and new_note.quote)
        ):
            return False
        return old_divergence.kind == new_divergence.kind and overlap(
            old_divergence.span, new_divergence.span
        )


def _note_key(note: Note) -> tuple[str, str, str, str]:
    return note.step, note.matched, plain(note.quote), note.kind


class Notebook:
    """What a model noted in an attempt, without repetitions."""

    def __init__(self, procedure: Procedure) -> None:
        self._procedure = procedure
        self._steps = {step.index: step for step in procedure.walk()}
        self._active_notes: list[_ActiveNote] = []
        self._witness = Witness()
        self._premature_praise: dict[str, str] = {}
        """Notes on steps said to match before any page showed their labels, by step."""
        self._questioned: set[str] = set()
        """Steps for which the model was already asked why they should match."""
        self._latest: dict[str, str] = {}
        """The latest `matched` of each step."""
        self._acted_steps: dict[str, None] = {}
        self._detours: dict[str, str] = {}

    @property
    def states(self) -> dict[str, str]:
        """What was noted of each step: where words of it fail, that; else the latest."""
        failing = {a.note.step: a.note.matched for a in self._active_notes if a.divergence}
        return self._latest | failing

    def see(self, view: Observation) -> None:
        """Take in a page: a label that no page has shown cannot have matched."""
        self._witness.see(view)

    def take(self, notes: Iterable[Note], view: Observation) -> NotebookUpdate:
        """Reports and divergences for whatever is new in these notes."""
        reports, new_notes = self._confirmed_reports(), list[_ActiveNote]()
        for note in notes:
            new_note = self._active_note(note, view)
            if any(active.says_same_as(new_note) for active in (*self._active_notes, *new_notes)):
                continue
            self._latest[note.step] = note.matched
            is_praise = note.matched == "as_written"
            if is_praise and not self._is_confirmed(note.step):
                self._premature_praise[note.step] = new_note.report.note
                continue
            if not is_praise:
                self._premature_praise.pop(note.step, None)
            new_notes.append(new_note)
        replaced = [
            active
            for active in self._active_notes
            if any(self._replaces(newer, active) for newer in new_notes)
        ]
        self._active_notes = [
            active for active in self._active_notes if active not in replaced
        ] + new_notes
        return NotebookUpdate(
            (*reports, *(new_note.report for new_note in new_notes)),
            tuple(new_note.divergence for new_note in new_notes if new_note.divergence is not None),
            tuple(statement for active in replaced for statement in active.statements),
        )

    def _replaces(self, newer: _ActiveNote, older: _ActiveNote) -> bool:
        """Whether the newer note replaces the older one.

        A label once called absent counts as present again only after a page has shown it.
        """
        if not older.is_superseded_by(newer):
            return False
        was_absent = older.divergence is not None and older.note.kind in _ABSENT
        is_praised = newer.note.matched == "as_written"
        return not (was_absent and is_praised) or self._witness.has_shown(older.note.quote)

    def _active_note(self, note: Note, view: Observation) -> _ActiveNote:
        status = StepStatus.AS_WRITTEN if _is_cosmetic(note) else _STATUS[note.matched]
        shown = " ".join(note.shown.split())[:_MAX_REPORT_CHARS]
        report = StepReport(step=note.step, status=status, note=shown)
        is_failure = note.matched in _DEFAULT_KINDS
        return _ActiveNote(
            note, report, self._divergence(note, shown, view) if is_failure else None
        )

    def record_action(self, step: str, action: str, *, is_detour: bool) -> None:
        """Record that an action served this step."""
        self._acted_steps[step] = None
        if is_detour:
            self._detours.setdefault(step, action)

    def is_incidental(self, step: str, action: Action, view: Observation) -> bool:
        """Whether the text need not mention the action."""
        return is_incidental(view, action, self._procedure, self._steps[step], self._witness)

    def missing_note(self, answer: AgentAnswer) -> str:
        """What an answer should have noted but did not, in words for the model; may be empty."""
        noted_steps = {note.step for note in answer.notes}
        failing_steps = {note.step for note in answer.notes if note.matched in _DEFAULT_KINDS}
        if answer.is_detour and not failing_steps and self._is_detour_unexplained(answer.step):
            return f"is_detour is set, but no note says which words of step {answer.step} fail"
        is_over = isinstance(answer.action, Complete)
        praised = {note.step for note in answer.notes if note.matched == "as_written"}
        for step in sorted(praised | set(self._premature_praise)):
            unseen_labels = self._witness.unseen(self._steps[step])
            is_finished = is_over or step != answer.step
            is_explained = (
                step in failing_steps or step in self._failing_steps() or step in self._questioned
            )
            if unseen_labels and is_finished and not is_explained:
                self._questioned.add(step)
                labels = ", ".join(f'"{label}"' for label in unseen_labels)
                return (
                    f"step {step} is noted as_written, but no page has shown {labels}:"
                    " note what the console shows instead"
                )
        without_note = self._steps_without_note(noted_steps)
        if is_over and without_note:
            listed_steps = ", ".join(without_note)
            return f"nothing was noted yet of step {listed_steps}: say in notes what matched"
        return ""

    def _is_confirmed(self, step: str) -> bool:
        """Whether a page has shown any label of the step, or the step names none."""
        labels = labels_of(self._steps[step])
        return not labels or len(self._witness.unseen(self._steps[step])) < len(labels)

    def _confirmed_reports(self) -> list[StepReport]:
        """Reports of steps that were praised too early and have been confirmed since."""
        steps = [step for step in self._premature_praise if self._is_confirmed(step)]
        return [
            StepReport(
                step=step, status=StepStatus.AS_WRITTEN, note=self._premature_praise.pop(step)
            )
            for step in steps
        ]

    def _steps_without_note(self, just_noted: Iterable[str] = ()) -> list[str]:
        """Steps that actions served, but on which (or whose parent steps) nothing was noted."""
        noted = {*self._latest, *just_noted}
        return [
            step
            for step in self._acted_steps
            if not any(f"{step}.".startswith(f"{index}.") for index in noted)
        ]

    def _is_detour_unexplained(self, step: str) -> bool:
        """Whether no note so far explains a detour at this step."""
        return not self._failing_steps() & self._neighbours(step)

    def _failing_steps(self) -> set[str]:
        """Steps whose text was noted to be untrue."""
        return {
            active.note.step
            for active in self._active_notes
            if active.note.matched in _DEFAULT_KINDS
        }

    def _neighbours(self, step: str) -> set[str]:
        """The step and those next to it: a failure there may force a detour here."""
        indexes = list(self._steps)
        position = indexes.index(step)
        return set(indexes[max(0, position - 1) : position + 2])

    def close(self) -> NotebookUpdate:
        """Reports at the end of the attempt on steps about which the model said nothing."""
        reports = self._confirmed_reports()
        notes = dict.fromkeys(self._steps_without_note(), _NO_NOTE) | dict.fromkeys(
            self._premature_praise, _UNCONFIRMED_PRAISE
        )
        reports += [
            StepReport(step=step, status=StepStatus.SKIPPED, note=note, is_open=True)
            for step, note in notes.items()
            if step not in self._failing_steps()
        ]
        divergences = []
        for step, action in self._detours.items():
            if self._is_detour_unexplained(step):
                note = Note(step=step, matched="differs", kind=DivergenceKind.MISSING_STEP)
                shown = f"something that the text does not say had to be done: {action}"
                reports.append(StepReport(step=step, status=StepStatus.DIVERGED, note=shown))
                place = locate_quote(self._procedure, self._steps[step], "")
                # whoever did it named no words that fail, also when asked: no finding by itself
                divergences.append(_divergence(note, place, shown, Basis.DOUBTFUL))
        return NotebookUpdate(tuple(reports), tuple(divergences))

    def _divergence(self, note: Note, shown: str, view: Observation) -> Divergence:
        step = self._steps[note.step]
        place = locate_quote(self._procedure, step, note.quote)
        unseen = self._witness.unseen(step) if note.kind in _ABSENT else ()
        labels = [label for label in labels_of(step) if plain(label) in plain(place.quote)]
        is_unseen = bool(labels) and all(label in unseen for label in labels)
        basis = _basis(note, place, view, is_unseen=is_unseen)
        return _divergence(note, place, shown, basis)


def _divergence(note: Note, place: QuoteLocation, shown: str, basis: Basis) -> Divergence:
    kind = note.kind if note.kind != "none" else _DEFAULT_KINDS[note.matched]
    severity = Severity.BREAKS if note.matched == "missing" else Severity.MISLEADS
    return Divergence(
        kind=kind,
        severity=Severity.COSMETIC if _is_cosmetic(note) else severity,
        basis=basis,
        span=place.span,
        quote=place.quote,
        shown=shown,
        suggestion=" ".join(note.suggestion.split())[:_MAX_REPORT_CHARS] or None,
        step=note.step,
    )


def _is_cosmetic(note: Note) -> bool:
    """Whether the suggestion differs from the quote only in spaces, case or hyphens."""
    quote, suggestion = squeezed(plain(note.quote)), squeezed(plain(note.suggestion))
    return note.matched == "differs" and bool(quote) and quote == suggestion


def _basis(note: Note, place: QuoteLocation, view: Observation, *, is_unseen: bool) -> Basis:
    """How far to believe the note.

    It is doubtful if the text lacks the quoted words, or if the label is on the page after all.

    Args:
        note: The note.
        place: The quoted words in the text.
        view: The page on which it was noted.
        is_unseen: Whether they have labels that it calls absent, and no page so far has shown one.
    """
    if not place.is_found:
        return Basis.DOUBTFUL
    is_called_absent = note.quote and note.kind in _ABSENT and not _is_cosmetic(note)
    if is_called_absent and _is_shown(view, place.quote):
        return Basis.DOUBTFUL
    if not note.suggestion:
        return Basis.TOLD_SEEN if is_unseen else Basis.TOLD
    labels = _MARKED.findall(note.suggestion) or [note.suggestion]
    is_seen = all(text_containing(view, label) is not None for label in labels)
    return Basis.TOLD_SEEN if is_seen else Basis.TOLD


def _is_shown(view: Observation, label: str) -> bool:
    """Whether a reader would find a control of exactly that name."""
    match = match_clickable(view, label) or match_field(view, label)
    return match is not None and match.how.is_strict


def action_in_words(view: Observation, action: Action) -> str:
    """The action for a report: `click "Save"`."""
    element = view.element(action.element) if action.element is not None else None
    object_text = f' "{element.name or element.text}"' if element else ""
    return f"{action.kind.value.replace('_', ' ')}{object_text}"
