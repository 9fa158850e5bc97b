"""Verifies documentation against drawn drift, file by file; each result is kept."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.benchmark.drift.draw import Drawer, DriftDraw, write_drawn
from appliance.benchmark.labels import labels_of
from appliance.benchmark.truth import Assessment, Match, Untruth, match, without_verdict
from appliance.core.build import commit
from appliance.core.procedure import Procedure
from appliance.core.result import ProcedureResult, RunResult
from appliance.core.verdict import AfterChange, DivergenceKind
from appliance.system.files import write_whole
from appliance.verification import Label, LabelSource

Verify = Callable[[Path, Sequence[Procedure]], RunResult]
"""Serves the practice cloud with a drift file and verifies procedures against it."""


_RIGHT = (Assessment.FOUND, Assessment.TWICE)


class MatchRecord(BaseModel):
    """What became of one finding or untruth."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    said: Assessment
    place: str
    language: str
    change: str
    """Kind of the change that caused it; empty for false alarms."""
    kind: DivergenceKind | None
    """What it should be called; None for false alarms."""
    reported: DivergenceKind | None
    """What it was called; None where it was missed."""
    quote: str
    shown: str = ""
    is_optional: bool = False
    becomes: str = ""
    """What the console calls it now, where it has only got another name."""
    suggestion: str | None = None
    after_change: AfterChange = AfterChange.UNTRIED


class FileResult(BaseModel):
    """What was found in one drift file."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    schema_version: Literal[1] = 1
    seed: int
    release: str
    changes: tuple[str, ...]
    """Their kinds, in order."""
    untrue: dict[str, int]
    """How many sentences must be found, by the kind of change."""
    procedures: tuple[str, ...]
    basis: str
    """Hash of what it was worked out from: the drift, its truth, the procedures' text."""
    commit: str
    notes: tuple[MatchRecord, ...]
    """Of the findings that count."""
    labels: tuple[Label, ...] = ()
    """Of all findings."""
    open: tuple[str, ...]
    """Procedures without findings that were not verified either."""
    wall_s: float


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What one file is verified with."""

    drawn: DriftDraw
    procedures: tuple[Procedure, ...]


class Benchmark:
    """Draws files, verifies them, and keeps each result so that a second run goes on."""

    def __init__(self, drawer: Drawer, folder: Path, size: int, controls: int | None) -> None:
        """Make one.

        Args:
            drawer: Draws the drift.
            folder: Where files and results are kept.
            size: Changes in a file.
            controls: How many procedures to verify in which nothing is untrue; None: all.
        """
        self._drawer, self._folder, self._size, self._controls = drawer, folder, size, controls
        self._plans: dict[int, FilePlan] = {}
        self._language = {read.procedure.id: read.procedure.language for read in drawer.reads}

    def known(self, seed: int) -> FileResult | None:
        """The result of an earlier run with the same drift and procedures; None: there is none."""
        file = self._folder / f"result-{seed}.json"
        if not file.is_file():
            return None
        try:
            result = FileResult.model_validate_json(file.read_text(encoding="utf-8"))
        except ValidationError:
            return None
        return result if result.basis == _basis(self._plan(seed)) else None

    def run(self, seed: int, verify: Verify) -> FileResult:
        """Draw, verify, compare and keep one file."""
        plan = self._plan(seed)
        files = write_drawn(plan.drawn, self._folder)
        run = verify(files.drift, plan.procedures)
        result = self._result(plan, run)
        text = json.dumps(result.model_dump(mode="json"), ensure_ascii=False, indent=1)
        write_whole(self._folder / f"result-{seed}.json", text)
        return result

    def _plan(self, seed: int) -> FilePlan:
        if seed not in self._plans:
            self._plans[seed] = self._make_plan(seed)
        return self._plans[seed]

    def _make_plan(self, seed: int) -> FilePlan:
        drawn = self._drawer.draw(seed, self._size)
        affected = {untruth.procedure for untruth in drawn.untruths}
        others = [r.procedure for r in self._drawer.reads if r.procedure.id not in affected]
        if self._controls is not None:
            random = Random(f"controls/{seed}")  # noqa: S311 - repeatable, no secret
            chosen = random.sample(range(len(others)), min(self._controls, len(others)))
            others = [others[number] for number in sorted(chosen)]
        wanted_ids = affected | {procedure.id for procedure in others}
        procedures = (read.procedure for read in self._drawer.reads)
        return FilePlan(drawn, tuple(p for p in procedures if p.id in wanted_ids))

    def _result(self, plan: FilePlan, run: RunResult) -> FileResult:
        drawn = plan.drawn
        kinds = tuple(str(change["kind"]) for change in drawn.changes)
        all_findings = [finding for result in run.procedures for finding in result.findings]
        findings = [f for f in all_findings if f.is_alarming]
        right_ids = {
            m.finding.id
            for m in match(all_findings, drawn.untruths)
            if m.finding and m.assessment in _RIGHT
        }
        by_finding = {
            finding.id: result for result in run.procedures for finding in result.findings
        }
        required_untruths = [untruth for untruth in drawn.untruths if not untruth.is_optional]
        return FileResult(
            seed=drawn.seed,
            release=drawn.release,
            changes=kinds,
            untrue=dict(Counter(_cause(untruth, kinds) for untruth in required_untruths)),
            procedures=tuple(p.id for p in plan.procedures),
            basis=_basis(plan),
            commit=commit(),
            notes=tuple(
                self._note(match_, kinds, by_finding) for match_ in match(findings, drawn.untruths)
            ),
            labels=labels_of(run, LabelSource.DRIFT, lambda f: f.id in right_ids),
            open=tuple(str(difference) for difference in without_verdict(run)),
            wall_s=(run.ended_at - run.started_at).total_seconds(),
        )

    def _note(
        self, match_: Match, kinds: Sequence[str], by_finding: Mapping[str, ProcedureResult]
    ) -> MatchRecord:
        finding, untruth = match_.finding, match_.untruth
        place = f"{Path(finding.document).name}:{finding.line}" if finding else ""
        result = by_finding[finding.id] if finding else None
        return MatchRecord(
            said=match_.assessment,
            place=untruth.place if untruth else place,
            language=self._language[untruth.procedure if untruth else result.id if result else ""],
            change=_cause(untruth, kinds) if untruth else "",
            kind=untruth.kind if untruth else None,
            reported=finding.kind if finding else None,
            quote=untruth.quote if untruth else finding.quote if finding else "",
            shown=finding.shown if finding else "",
            is_optional=bool(untruth and untruth.is_optional),
            becomes=untruth.becomes if untruth else "",
            suggestion=finding.suggestion if finding else None,
            after_change=finding.after_change if finding else AfterChange.UNTRIED,
        )


def _cause(untruth: Untruth, kinds: Sequence[str]) -> str:
    return kinds[untruth.change - 1] if untruth.change else "release"


def _basis(plan: FilePlan) -> str:
    steps = [(p.id, [step.text for step in p.walk()]) for p in plan.procedures]
    untruths = [
        untruth.model_dump_json(exclude={"acceptable_kinds"}) for untruth in plan.drawn.untruths
    ]
    basis = json.dumps([plan.drawn.changes, untruths, steps], default=str, sort_keys=True)
    return hashlib.sha256(basis.encode()).hexdigest()
