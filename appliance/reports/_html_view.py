"""What the HTML page shows, worked out before the template sees it: templates only lay out."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from appliance.core.claims import Coverage
from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef, Finding, ProcedureResult, RunResult, StepResult
from appliance.core.verdict import StepStatus, Verdict
from appliance.documents import SourceText
from appliance.reports import _wording as wording
from appliance.reports._excerpt import Excerpt, excerpt
from appliance.reports._glance import Glance, glance
from appliance.reports._images import Album, Image
from appliance.reports.catalogue import Language, Words
from appliance.reports.sentences import spoken
from appliance.reports.suggestions import ReadDocument, planned_edits

_PREVIEW_CHARS = 6000
"""Of a DOM excerpt or a log: enough to recognise, little enough to scroll past."""
_SHOT_KINDS = ("before", "after")


@dataclass(frozen=True, slots=True)
class Shot:
    """A screenshot with its caption."""

    image: Image
    caption: str


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A piece of evidence as text."""

    title: str
    text: str
    reference: str
    """Where the artifact is, in the artifact folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """A finding, ready to lay out."""

    anchor: str
    finding: Finding
    title: str
    advice: str
    severity: str
    verdict: Verdict
    excerpt: Excerpt
    left_out: str
    """Why the suggestion is not in the patch; empty: it is, or there is none."""
    has_edit: bool
    """Whether the excerpt shows what it changes."""
    shots: tuple[Shot, ...]
    evidence: tuple[EvidenceView, ...]
    siblings: tuple[tuple[str, str], ...]
    """Anchor and place of findings with the same cause."""
    procedure: str
    procedure_anchor: str
    replay: str


@dataclass(frozen=True, slots=True)
class StepView:
    """A step, ready to lay out."""

    step: StepResult
    words: str
    is_confirmed: bool
    """Whether all that it says was seen."""
    shots: tuple[Shot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TierView:
    """What a tier of the cascade said, in words."""

    policy: str
    verdict: Verdict
    why: str
    attempts: int
    browser: str
    model: str
    """Seconds and questions; empty: none was asked."""
    tokens: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureView:
    """A procedure, ready to lay out."""

    anchor: str
    result: ProcedureResult
    goal: str
    took: str
    steps: tuple[StepView, ...]
    findings: tuple[FindingView, ...]
    reason: str
    to_do: str
    replay: str
    covered: str
    cost: str
    tiers: tuple[TierView, ...] = ()
    """Empty where the first decided, and asked no model."""

    @property
    def is_open(self) -> bool:
        """Whether a person has to decide."""
        return self.result.verdict in (Verdict.BLOCKED, Verdict.UNDECIDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The whole page."""

    run: RunResult
    headline: str
    second_line: str
    coverage: Coverage
    covered: str
    """The same in words; empty: nobody told the statements apart."""
    glance: Glance
    counts: tuple[tuple[Verdict, int], ...]
    facts: tuple[tuple[str, str], ...]
    documents: tuple[tuple[str, tuple[FindingView, ...]], ...]
    procedures: tuple[ProcedureView, ...]
    images: tuple[Image, ...]
    pictures_left_out: int
    patched: int
    """Findings whose suggested text is in the patch."""


def page(run: RunResult, read_document: ReadDocument, album: Album, words: Words) -> Page:
    """Build the view of the whole page."""
    return _Builder(run, read_document, album, words).page()


class _Builder:
    def __init__(
        self, run: RunResult, read_document: ReadDocument, album: Album, words: Words
    ) -> None:
        self._run = run
        self._words = words
        self._album = album
        self._sources = {
            document: SourceText.of(text) if (text := read_document(document)) is not None else None
            for document in {f.document for p in run.procedures for f in p.findings}
        }
        self._edits = {edits.document: edits for edits in planned_edits(run, read_document)}
        self._anchors: dict[int, str] = {}
        self._places: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for procedure in run.procedures:
            for finding in procedure.findings:
                anchor = f"finding-{len(self._anchors) + 1}"
                self._anchors[id(finding)] = anchor
                location = f"{finding.document}:{finding.line}"
                self._places[finding.fingerprint].append((anchor, location))

    def page(self) -> Page:
        self._fill_album()
        procedures = tuple(
            self._procedure(number, result) for number, result in enumerate(self._run.procedures, 1)
        )
        summary = self._run.summary
        return Page(
            run=self._run,
            headline=wording.headline(self._run, self._words),
            second_line=wording.second_line(self._run, self._words),
            coverage=self._run.coverage,
            covered=wording.coverage(self._run.coverage, self._words),
            glance=glance(self._run, self._anchors, self._words),
            counts=tuple((verdict, getattr(summary, verdict.value)) for verdict in Verdict),
            facts=_facts(self._run, self._words),
            documents=_by_document(finding for p in procedures for finding in p.findings),
            procedures=procedures,
            images=self._album.all_images(),
            pictures_left_out=len(self._album.left_out),
            patched=sum(len(edits.edits) for edits in self._edits.values()),
        )

    def _fill_album(self) -> None:
        """Ask for the pictures in the order of their use to the reader: the budget may run out."""
        steps = [step for p in self._run.procedures for step in p.steps]
        references: list[ArtifactRef | None] = [
            piece.artifact
            for p in self._run.procedures
            for finding in p.findings
            for piece in finding.evidence
            if piece.kind in _SHOT_KINDS
        ]
        notable = [step for step in steps if step.status is not StepStatus.AS_WRITTEN]
        as_written = [step for step in steps if step.status is StepStatus.AS_WRITTEN]
        for step in (*notable, *as_written):
            references += _shots_of_step(step)
        for ref in references:
            self._album.image(ref)

    def _procedure(self, number: int, result: ProcedureResult) -> ProcedureView:
        anchor = f"procedure-{number}"
        return ProcedureView(
            anchor=anchor,
            result=result,
            goal=wording.goal_sentence(result, self._words),
            took=wording.duration(result.cost.wall_s, self._words),
            steps=tuple(
                self._step(step, result.coverage_of_step(step.index)) for step in result.steps
            ),
            findings=tuple(self._finding(result, finding, anchor) for finding in result.findings),
            reason=wording.reason(result, self._words),
            to_do=wording.what_to_do(result, self._words),
            replay=wording.replay_command(result, self._run.console),
            covered=wording.coverage(result.coverage, self._words),
            cost=wording.cost(result, self._words),
            tiers=_tiers(result, self._words),
        )

    def _step(self, step: StepResult, covered: Coverage) -> StepView:
        shots = [
            Shot(image, f"{self._words(when, step=step.index)}: {wording.folded(step.text)}")
            for ref, when in zip(
                _shots_of_step(step), ("report.before", "report.after"), strict=True
            )
            if (image := self._album.image(ref)) is not None
        ]
        return StepView(step, self._words(f"step.{step.status}"), covered.is_full, tuple(shots))

    def _finding(self, result: ProcedureResult, finding: Finding, procedure: str) -> FindingView:
        anchor = self._anchors[id(finding)]
        edits = self._edits.get(finding.document)
        omission = (
            next((o for o in edits.left_out if o.finding is finding), None) if edits else None
        )
        return FindingView(
            anchor=anchor,
            finding=finding,
            title=self._words(f"kind.{finding.kind}"),
            advice=self._words(wording.kind_advice_key(finding.kind, result)),
            severity=self._words(f"severity.{finding.severity}"),
            verdict=result.verdict,
            excerpt=excerpt(
                self._sources[finding.document], finding, edits.edit_of(finding) if edits else None
            ),
            has_edit=edits is not None and edits.edit_of(finding) is not None,
            left_out=self._left_out(omission.why) if omission else "",
            shots=self._shots(result, finding),
            evidence=self._evidence(finding),
            siblings=tuple(s for s in self._places[finding.fingerprint] if s[0] != anchor),
            procedure=result.title,
            procedure_anchor=procedure,
            replay=wording.replay_command(result, self._run.console),
        )

    def _left_out(self, why: str) -> str:
        text = self._words("report.not_in_patch", why=spoken(why, self._words.language))
        return wording.sentence(text)

    def _shots(self, result: ProcedureResult, finding: Finding) -> tuple[Shot, ...]:
        pictures = [(e.artifact, e.caption) for e in finding.evidence if e.kind in _SHOT_KINDS]
        if not pictures:
            steps = [step for step in result.steps if step.index == finding.step]
            before, after = (self._words(f"report.{w}.finding") for w in ("before", "after"))
            pictures = [pair for s in steps for pair in ((s.before, before), (s.after, after))]
        shots: dict[str, Shot] = {}
        for ref, caption in pictures:
            if (image := self._album.image(ref)) is not None:
                shots.setdefault(image.id, Shot(image, spoken(caption, self._words.language)))
        return tuple(shots.values())

    def _evidence(self, finding: Finding) -> tuple[EvidenceView, ...]:
        return tuple(
            EvidenceView(
                piece.caption or piece.kind,
                self._preview(piece.text or self._text_of(piece.artifact)),
                f"{piece.artifact.sha256[:2]}/{piece.artifact.sha256}" if piece.artifact else "",
            )
            for piece in finding.evidence
            if piece.kind not in _SHOT_KINDS or self._album.image(piece.artifact) is None
        )

    def _preview(self, text: str) -> str:
        more = len(text) - _PREVIEW_CHARS
        if more <= 0:
            return text
        return f"{text[:_PREVIEW_CHARS]}\n{self._words('report.more', more)}"

    def _text_of(self, ref: ArtifactRef | None) -> str:
        readable = ("text/", "application/json", "application/x-ndjson")
        if ref is None or not ref.media_type.startswith(readable):
            return ""
        try:
            return self._album.read(ref).decode("utf-8", "replace")
        except StoreError as error:
            return str(error)


def _tiers(result: ProcedureResult, words: Words) -> tuple[TierView, ...]:
    if len(result.tiers) < 2 and not result.cost.model_calls:
        return ()
    return tuple(
        TierView(
            policy=tier.policy,
            verdict=tier.verdict,
            why=wording.without_boundary(spoken(tier.why, words.language)),
            attempts=tier.attempts,
            browser=wording.duration(tier.cost.browser_s, words),
            model=wording.model_time(tier.cost, words),
            tokens=f"{tier.cost.tokens:,}" if tier.cost.tokens else "",
        )
        for tier in result.tiers
    )


def _shots_of_step(step: StepResult) -> tuple[ArtifactRef | None, ArtifactRef | None]:
    """Before and after, where both say something; else the one that does."""
    if step.status in (StepStatus.SKIPPED, StepStatus.UNREACHED):
        return None, None
    if step.status is StepStatus.AS_WRITTEN or step.before == step.after:
        return (None, step.after) if step.after else (step.before, None)
    return step.before, step.after


def _by_document(
    findings: Iterable[FindingView],
) -> tuple[tuple[str, tuple[FindingView, ...]], ...]:
    groups: defaultdict[str, list[FindingView]] = defaultdict(list)
    for view in findings:
        groups[view.finding.document].append(view)
    return tuple(
        (document, tuple(sorted(views, key=lambda v: (v.finding.line, v.finding.column))))
        for document, views in sorted(groups.items())
    )


def _facts(run: RunResult, words: Words) -> tuple[tuple[str, str], ...]:
    release = _release(run.config, run.console)
    facts = {
        "console": words("report.fact.release", console=run.console, release=release)
        if release
        else run.console,
        "policy": run.policy,
        "started": _moment(wording.began(run), words.language),
        "took": wording.duration((run.ended_at - run.started_at).total_seconds(), words),
        "documents": str(len({p.document for p in run.procedures})),
        "appliance": words(
            "report.fact.version", version=run.appliance_version, commit=run.commit[:12]
        ),
    }
    return tuple((words(f"report.fact.{name}"), fact) for name, fact in facts.items())


def _moment(at: datetime, language: Language) -> str:
    zone = at.tzname() or ""
    if language == "zh":
        return f"{at.year}年{at.month}月{at.day}日 {at:%H:%M} {zone}".strip()
    return f"{at:%A, %d %B %Y, %H:%M} {zone}".strip()


def _release(config: Mapping[str, object], console: str) -> str:
    consoles = config.get("consoles")
    section = consoles.get(console) if isinstance(consoles, Mapping) else None
    release = section.get("release") if isinstance(section, Mapping) else None
    return release if isinstance(release, str) else ""
