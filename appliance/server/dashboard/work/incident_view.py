"""What the page of an incident shows, worked out before the template sees it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import NamedTuple

from appliance.core.errors import StoreError
from appliance.core.result import Evidence, Finding, ProcedureResult, StepResult
from appliance.documents import SourceText
from appliance.reports import Excerpt, excerpt, kind_advice_key
from appliance.server.sources import Sources
from appliance.store.incident import Incident, Location, TriageEntry
from appliance.store.store import Store
from appliance.verification import document_edits

# A word, a run of white space, or one character of anything else (an ideograph, a sign).
_TOKENS = re.compile(r"[A-Za-z0-9À-ɏ_]+|\s+|.", re.DOTALL)
_ALIKE = 0.4
"""Share of tokens in common below which one text in place of the other reads better."""


class WordChange(StrEnum):
    """Whether a stretch is kept, removed or added."""

    SAME = "same"
    OLD = "old"  # goes
    NEW = "new"  # comes


class Stretch(NamedTuple):
    """Consecutive words with the same change."""

    change: WordChange
    text: str


def word_diff(old: str, new: str) -> tuple[Stretch, ...]:
    """The stretches in reading order: what goes stands before what comes in its place."""
    return tuple(_join_spaces(_stretches(old, new)))


def _stretches(old: str, new: str) -> Iterator[Stretch]:
    a, b = _TOKENS.findall(old), _TOKENS.findall(new)
    matcher = SequenceMatcher(lambda token: token.isspace(), a, b, autojunk=False)
    if matcher.ratio() < _ALIKE:
        yield Stretch(WordChange.OLD, old)
        yield Stretch(WordChange.NEW, new)
        return
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            yield Stretch(WordChange.SAME, "".join(a[i:j]))
        else:
            yield Stretch(WordChange.OLD, "".join(a[i:j]))
            yield Stretch(WordChange.NEW, "".join(b[k:m]))


def _join_spaces(stretches: Iterator[Stretch]) -> Iterator[Stretch]:
    """Single spaces between two changes belong to them: `a b` is one change, not two."""
    old = new = ""
    spaces = ""
    for change, text in stretches:
        if change is WordChange.SAME and text.isspace() and (old or new):
            spaces += text
        elif change is WordChange.SAME:
            yield from _flush(old, new)
            if spaces:
                yield Stretch(WordChange.SAME, spaces)
            old = new = spaces = ""
            yield Stretch(change, text)
        else:
            if text:
                old, new, spaces = old + spaces, new + spaces, ""
            if change is WordChange.OLD:
                old += text
            else:
                new += text
    yield from _flush(old, new)
    if spaces:
        yield Stretch(WordChange.SAME, spaces)


def _flush(old: str, new: str) -> Iterator[Stretch]:
    if old:
        yield Stretch(WordChange.OLD, old)
    if new:
        yield Stretch(WordChange.NEW, new)


_SHOTS = ("before", "after")
_PREVIEW_CHARS = 6000
"""Of a DOM excerpt or a log: enough to recognise, little enough to scroll past."""


class SourceState(StrEnum):
    """Whether the document still has the quoted text at its place."""

    READ = "read"
    MOVED = "moved"  # not at this place any more
    UNREAD = "unread"  # it cannot be read


@dataclass(frozen=True, slots=True)
class Shot:
    """A screenshot."""

    kind: str
    """`before` or `after`."""
    sha256: str
    caption: str


@dataclass(frozen=True, slots=True)
class TextEvidence:
    """Evidence that is text."""

    kind: str
    caption: str
    text: str
    sha256: str
    """Of the whole of it; empty where this is all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentView:
    """One root cause with all that is known of it."""

    incident: Incident
    finding: Finding | None
    """As it was seen last; None where its run is not kept any more."""
    result: ProcedureResult | None
    step: StepResult | None
    excerpt: Excerpt
    source: SourceState
    advice: str
    """Key of the text that says what to do."""
    left_out: str
    """Why what is suggested is in no patch; empty: it is, or nothing is suggested."""
    words: tuple[Stretch, ...]
    """From the quote to what is suggested; empty where nothing is."""
    shots: tuple[Shot, ...]
    witnesses: tuple[TextEvidence, ...]
    places: tuple[Location, ...]
    log: tuple[TriageEntry, ...]


def incident_view(store: Store, sources: Sources, incident: Incident) -> IncidentView:
    """Everything about an incident. Blocks."""
    result = store.listings.result(incident.run_id, incident.procedure_id)
    finding, step = _finding_and_step(result, incident)
    text = sources.read(incident.document)
    source = SourceText.of(text) if text is not None else None
    changes: tuple[Stretch, ...] = ()
    if incident.suggestion is not None and incident.suggestion != incident.quote:
        changes = word_diff(incident.quote, incident.suggestion)
    current = finding or incident.as_finding()
    plan = document_edits(
        incident.document, text, [current] if current.suggestion is not None else []
    )
    source_excerpt = excerpt(source, current, plan.edit_of(current))
    state = SourceState.MOVED if source_excerpt.note else SourceState.READ
    return IncidentView(
        incident=incident,
        finding=finding,
        result=result,
        step=step,
        excerpt=source_excerpt,
        source=state if source else SourceState.UNREAD,
        advice=kind_advice_key(incident.kind, result),
        left_out=plan.left_out[0].why if plan.left_out else "",
        words=changes,
        shots=_shots(finding, step),
        witnesses=tuple(_witness(store, e) for e in _texts(finding)),
        places=store.incidents.places(incident.id),
        log=store.incidents.log(incident.id),
    )


def _finding_and_step(
    result: ProcedureResult | None, incident: Incident
) -> tuple[Finding | None, StepResult | None]:
    if result is None:
        return None, None
    finding = next((f for f in result.findings if f.id == incident.finding_id), None)
    step_index = finding.step if finding else ""
    return finding, next((s for s in result.steps if s.index == step_index), None)


def _shots(finding: Finding | None, step: StepResult | None) -> tuple[Shot, ...]:
    """The pictures of the finding, else those of its step; each once."""
    shots = [
        Shot(e.kind, e.artifact.sha256, e.caption)
        for e in (finding.evidence if finding else ())
        if e.kind in _SHOTS and e.artifact is not None
    ]
    if not shots and step is not None:
        pairs = zip(_SHOTS, (step.before, step.after), strict=True)
        shots = [Shot(kind, ref.sha256, "") for kind, ref in pairs if ref is not None]
    return tuple({shot.sha256: shot for shot in reversed(shots)}.values())[::-1]


def _texts(finding: Finding | None) -> Sequence[Evidence]:
    return [e for e in finding.evidence if e.kind not in _SHOTS] if finding else []


def _witness(store: Store, evidence: Evidence) -> TextEvidence:
    text, sha256 = evidence.text, ""
    if evidence.artifact is not None:
        try:
            text = store.artifacts.get(evidence.artifact).decode("utf-8", "replace")
            sha256 = evidence.artifact.sha256
        except StoreError:
            text = ""
    return TextEvidence(evidence.kind, evidence.caption, text[:_PREVIEW_CHARS], sha256)
