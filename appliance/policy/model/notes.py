"""From the notes of a model to reports and divergences, held to what the page shows."""

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
from appliance.policy.literal import clickable, field, text_containing
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
_USUAL = {
    "differs": DivergenceKind.AMBIGUOUS_TEXT,
    "missing": DivergenceKind.MISSING_CONTROL,
}
_NOT_THERE = frozenset({"not_applicable", "unreachable"})
"""Of a step that was not looked at: whatever is noted of it later, it was."""
# How sure: a model is right about what it sees more often than not, and surer where the page
# bears it out; below 0.5 it becomes no finding.
_ABSENT = frozenset(
    {DivergenceKind.RENAMED_LABEL, DivergenceKind.MISSING_CONTROL, DivergenceKind.DEAD_LINK}
)
_TOO_KIND = "not understood: noted as written, but no page has shown what it names"
_SILENT = "not understood: the model does not say whether the console matched it"
_LENGTH = 300
"""Characters of a model's words in a report."""


class Noted(NamedTuple):
    """What one answer says about the text."""

    reports: tuple[StepReport, ...]
    divergences: tuple[Divergence, ...]
    withdrawn: tuple[StepReport | Divergence, ...] = ()
    """What earlier answers said, and this one says otherwise."""

    def plus(self, other: "Noted") -> "Noted":
        """Both."""
        return Noted(
            self.reports + other.reports,
            self.divergences + other.divergences,
            self.withdrawn + other.withdrawn,
        )


@dataclass(frozen=True, slots=True)
class _Standing:
    """A note that holds, and what was made of it."""

    note: Note
    report: StepReport
    divergence: Divergence | None

    @property
    def told(self) -> tuple[StepReport | Divergence, ...]:
        """All that was made of it."""
        return (self.report,) if self.divergence is None else (self.report, self.divergence)

    def is_same(self, other: "_Standing") -> bool:
        """Whether it says the same, if in other words; a new suggestion is news."""
        one, two = self.note, other.note
        gains = bool(two.suggestion) and not one.suggestion
        return _about(one) == _about(two) and not gains

    def gives_way_to(self, newer: "_Standing") -> bool:
        """Whether the newer one takes its place: it is about the same words of the same step."""
        old, new = self.note, newer.note
        if old.step != new.step:
            return False
        if plain(old.quote) == plain(new.quote) or old.matched in _NOT_THERE:
            return True
        one, two = self.divergence, newer.divergence
        if one is None or two is None or not (old.quote and new.quote):
            return False
        return one.kind == two.kind and overlap(one.span, two.span)


def _about(note: Note) -> tuple[str, str, str, str]:
    return note.step, note.matched, plain(note.quote), note.kind


class Notebook:
    """What was noted in an attempt, each thing once."""

    def __init__(self, procedure: Procedure) -> None:
        self._procedure = procedure
        self._steps = {step.index: step for step in procedure.walk()}
        self._standing: list[_Standing] = []
        self._witness = Witness()
        self._early: dict[str, str] = {}
        """Steps said to match before any page showed what they name."""
        self._asked: set[str] = set()
        """Of which it was asked once why they should match."""
        self.states: dict[str, str] = {}
        """What was noted last of each step."""
        self._served: dict[str, None] = {}
        self._detours: dict[str, str] = {}

    def see(self, view: Observation) -> None:
        """Take in a page: labels that none has shown cannot have been as written."""
        self._witness.see(view)

    def take(self, notes: Iterable[Note], view: Observation) -> Noted:
        """Reports and divergences of what is new in these notes."""
        reports, made = self._borne_out(), list[_Standing]()
        for note in notes:
            one = self._made(note, view)
            if any(known.is_same(one) for known in (*self._standing, *made)):
                continue
            self.states[note.step] = note.matched
            is_praise = note.matched == "as_written"
            if is_praise and not self._is_borne_out(note.step):
                self._early[note.step] = one.report.note
                continue
            if not is_praise:
                self._early.pop(note.step, None)
            made.append(one)
        old = [known for known in self._standing if any(self._replaces(n, known) for n in made)]
        self._standing = [known for known in self._standing if known not in old] + made
        return Noted(
            (*reports, *(one.report for one in made)),
            tuple(one.divergence for one in made if one.divergence is not None),
            tuple(told for known in old for told in known.told),
        )

    def _replaces(self, newer: _Standing, known: _Standing) -> bool:
        """A label that was not there is there after all only where a page has shown it since."""
        if not known.gives_way_to(newer):
            return False
        is_gone = known.divergence is not None and known.note.kind in _ABSENT
        is_praised = newer.note.matched == "as_written"
        return not (is_gone and is_praised) or self._witness.has_shown(known.note.quote)

    def _made(self, note: Note, view: Observation) -> _Standing:
        status = StepStatus.AS_WRITTEN if _is_cosmetic(note) else _STATUS[note.matched]
        shown = " ".join(note.shown.split())[:_LENGTH]
        report = StepReport(step=note.step, status=status, note=shown)
        fails = note.matched in _USUAL
        return _Standing(note, report, self._divergence(note, shown, view) if fails else None)

    def serve(self, step: str, action: str, *, is_detour: bool) -> None:
        """An action served this step."""
        self._served[step] = None
        if is_detour:
            self._detours.setdefault(step, action)

    def is_incidental(self, step: str, action: Action, view: Observation) -> bool:
        """Whether the text need not say to do this."""
        return is_incidental(view, action, self._procedure, self._steps[step], self._witness)

    def owed(self, answer: AgentAnswer) -> str:
        """What an answer should have noted and has not; empty: nothing."""
        told = {note.step for note in answer.notes}
        failing = {note.step for note in answer.notes if note.matched in _USUAL}
        if answer.is_detour and not failing and self._unexplained(answer.step):
            return f"is_detour is set, but no note says which words of step {answer.step} fail"
        is_over = isinstance(answer.action, Complete)
        praised = {note.step for note in answer.notes if note.matched == "as_written"}
        for step in sorted(praised | set(self._early)):
            unseen = self._witness.unseen(self._steps[step])
            has_left = is_over or step != answer.step
            is_told = step in failing or step in self._failing() or step in self._asked
            if unseen and has_left and not is_told:
                self._asked.add(step)
                labels = ", ".join(f'"{label}"' for label in unseen)
                return (
                    f"step {step} is noted as_written, but no page has shown {labels}:"
                    " note what the console shows instead"
                )
        silent = self._silent(told)
        if is_over and silent:
            return f"nothing was noted yet of step {', '.join(silent)}: say in notes what matched"
        return ""

    def _is_borne_out(self, step: str) -> bool:
        """Whether a page has shown anything that the step names; it may name nothing."""
        labels = labels_of(self._steps[step])
        return not labels or len(self._witness.unseen(self._steps[step])) < len(labels)

    def _borne_out(self) -> list[StepReport]:
        """What was said too early to be believed, and has shown itself since."""
        steps = [step for step in self._early if self._is_borne_out(step)]
        return [
            StepReport(step=step, status=StepStatus.AS_WRITTEN, note=self._early.pop(step))
            for step in steps
        ]

    def _silent(self, told: Iterable[str] = ()) -> list[str]:
        """Steps that actions served, and of which nothing was noted: nor of what is around them."""
        noted = {*self.states, *told}
        return [
            step
            for step in self._served
            if not any(f"{step}.".startswith(f"{index}.") for index in noted)
        ]

    def _unexplained(self, step: str) -> bool:
        """Whether nothing was noted yet that explains a way round for this step."""
        return not self._failing() & self._around(step)

    def _failing(self) -> set[str]:
        """Steps of which it was noted that the text is not true."""
        return {known.note.step for known in self._standing if known.note.matched in _USUAL}

    def _around(self, step: str) -> set[str]:
        """It and the steps next to it: what failed there may have to be got round here."""
        order = list(self._steps)
        at = order.index(step)
        return set(order[max(0, at - 1) : at + 2])

    def close(self) -> Noted:
        """What must be said at the end of steps on which the model was silent."""
        reports = self._borne_out()
        notes = dict.fromkeys(self._silent(), _SILENT) | dict.fromkeys(self._early, _TOO_KIND)
        reports += [
            StepReport(step=step, status=StepStatus.SKIPPED, note=note, is_open=True)
            for step, note in notes.items()
            if step not in self._failing()
        ]
        divergences = []
        for step, action in self._detours.items():
            if self._unexplained(step):
                note = Note(step=step, matched="differs", kind=DivergenceKind.MISSING_STEP)
                shown = f"something that the text does not say had to be done: {action}"
                reports.append(StepReport(step=step, status=StepStatus.DIVERGED, note=shown))
                place = locate_quote(self._procedure, self._steps[step], "")
                divergences.append(_divergence(note, place, shown, Basis.TOLD))
        return Noted(tuple(reports), tuple(divergences))

    def _divergence(self, note: Note, shown: str, view: Observation) -> Divergence:
        place = locate_quote(self._procedure, self._steps[note.step], note.quote)
        return _divergence(note, place, shown, _basis(note, place, view))


def _divergence(note: Note, place: QuoteLocation, shown: str, basis: Basis) -> Divergence:
    kind = note.kind if note.kind != "none" else _USUAL[note.matched]
    severity = Severity.BREAKS if note.matched == "missing" else Severity.MISLEADS
    return Divergence(
        kind=kind,
        severity=Severity.COSMETIC if _is_cosmetic(note) else severity,
        basis=basis,
        span=place.span,
        quote=place.quote,
        shown=shown,
        suggestion=" ".join(note.suggestion.split())[:_LENGTH] or None,
        step=note.step,
    )


def _is_cosmetic(note: Note) -> bool:
    """Whether what would be true differs in spaces, case or strokes only."""
    quote, suggestion = squeezed(plain(note.quote)), squeezed(plain(note.suggestion))
    return note.matched == "differs" and bool(quote) and quote == suggestion


def _basis(note: Note, place: QuoteLocation, view: Observation) -> Basis:
    """Words that the text does not have, or a label that is there after all, are not believed."""
    if not place.is_found:
        return Basis.DOUBTFUL
    is_gone = note.quote and note.kind in _ABSENT and not _is_cosmetic(note)
    if is_gone and _is_shown(view, place.quote):
        return Basis.DOUBTFUL
    is_seen = bool(note.suggestion) and text_containing(view, note.suggestion) is not None
    return Basis.TOLD_SEEN if is_seen else Basis.TOLD


def _is_shown(view: Observation, label: str) -> bool:
    """Whether a reader would find a control of exactly that name."""
    hit = clickable(view, label) or field(view, label)
    return hit is not None and hit.how.is_strict


def action_in_words(view: Observation, action: Action) -> str:
    """For a report: `click "Save"`."""
    element = view.element(action.element) if action.element is not None else None
    on = f' "{element.name or element.text}"' if element else ""
    return f"{action.kind.value.replace('_', ' ')}{on}"
