"""The loop through phases, stage after stage; each is written down: a crash costs no other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

from appliance.benchmark.finding import load_suite
from appliance.benchmark.runner import sample
from appliance.benchmark.suite import Suite, Task, read_suite
from appliance.benchmark.trials import BenchmarkPolicy, BenchmarkResult, Split, Trial
from appliance.core.clock import Clock
from appliance.core.errors import SetupError
from appliance.documents import load_documents
from appliance.training.errors import TrainingError
from appliance.training.phases.candidates import (
    FILE,
    FROM_SUITE,
    Candidate,
    as_candidate,
    only,
    write_candidates,
)
from appliance.training.phases.decision import judged
from appliance.training.phases.filtering import (
    by_success,
    only_feasible,
    out_of_band,
    without_held_out,
    without_repeats,
)
from appliance.training.phases.from_documents import Library, from_documents
from appliance.training.phases.from_drift import from_drift, from_releases
from appliance.training.phases.hands import Attempts, Hands, Update
from appliance.training.phases.labels import estimates
from appliance.training.phases.record import MadeTask, PhaseRecord, Series, Stage
from appliance.training.promotion import LEAST_RUNS, decide

_MADE, _KEPT = "made", "kept"
"""Folders of a phase: all that was made, and what is learnt from."""

Tell = Callable[[int, Stage], None]


@dataclass(frozen=True)
class PhaseRunner:
    """Carries phases on to their end."""

    series: Series
    hands: Hands
    clock: Clock
    tell: Tell = field(default=lambda _number, _stage: None)

    def run(self) -> None:
        """All that is left, from the stage that was not ended.

        Raises:
            ApplianceError: It cannot go on; the same command does once the reason is away.
        """
        with self.series.held():
            while not self.series.is_over:
                self._carry_on(self._current())

    def _current(self) -> PhaseRecord:
        """The phase that is under way, or the next."""
        known = self.series.phases()
        if known and known[-1].stage is not None:
            return known[-1]
        adapter = known[-1].trained if known else self.series.file.adapter
        return PhaseRecord(number=len(known) + 1, adapter=adapter)

    def _carry_on(self, record: PhaseRecord) -> None:
        does: Mapping[Stage, Callable[[PhaseRecord], dict[str, Any]]] = {  # Any: record's fields
            Stage.PLAN: self._plan,
            Stage.ROLL_OUT: self._roll_out,
            Stage.LABEL: self._label,
            Stage.GENERATE: self._generate,
            Stage.FILTER: self._filter,
            Stage.TRAIN: self._train,
            Stage.VALIDATE: self._validate,
            Stage.DECIDE: self._decide,
        }
        while (stage := record.stage) is not None:
            self.tell(record.number, stage)
            changes = does[stage](record)
            ended = record.ended | {stage: self.clock.now()}
            record = record.model_copy(update={**changes, "ended": ended})
            self.series.keep(record)

    def _plan(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        """What is tried first: tasks of the suite, and what the last phase made."""
        settings = self.series.file.settings
        drawn = sample(self._to_learn, settings.tasks, settings.seed + record.number)
        return {"seeds": tuple(one.id for one in (*drawn, *self._made_before(record)))}

    def _roll_out(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        self._rolled_out(record)
        return {}

    def _label(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        return {"estimates": dict(estimates(self._rolled_out(record).trials))}

    def _generate(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        folder = self.series.folder_of(record.number)
        if not self.series.file.settings.curriculum:
            return {}
        candidates = self._candidates(record, folder)
        Random(f"{self.series.file.settings.seed}/{record.number}").shuffle(candidates)  # noqa: S311
        chosen = candidates[: self.series.file.settings.made]
        written = write_candidates(chosen, folder / _MADE, f"p{record.number}-")
        return {"made": written.made}

    def _filter(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        """Repeats and held-out first, for these cost nothing; then the oracle, then the policy."""
        settings, made = self.series.file.settings, record.made
        if made:
            suite = self._suite_of(record, _MADE)
            tasks = {one.id: one for one in suite.tasks}
            seeds = self._seeds(record)
            sources = {one.id: one.draft.name for one in (*self._base.tasks, *seeds)}
            made = without_held_out(made, sources, {one.draft.name for one in self._held_out})
            if settings.novelty:
                made = without_repeats(made, tasks, seeds, settings.most_alike)
            made = only_feasible(made, self._trials(_left(suite, made), record, "oracle"))
            tried = self._trials(_left(suite, made), record, "estimate")
            made = by_success(made, estimates(tried), settings)
        old = [one for one in record.seeds if not out_of_band(record.estimates.get(one), settings)]
        kept = (*old, *(one.id for one in made if not one.left_out))
        if settings.at_random:
            kept = self._at_random(record, made, len(kept))
        self._keep(record, kept)
        return {"made": made, "kept": tuple(kept)}

    def _train(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        if not record.kept:
            of = len(record.seeds) + len(record.made)
            raise TrainingError(
                f"phase {record.number} has nothing to learn from: none of {of} tasks is within the"
                " band (training.phases.least_success to most_success; success_band: false)"
            )
        training = record.training
        if not training:
            update = Update(
                suite=self._file_of(record, _KEPT),
                adapter=record.adapter,
                roll_outs=self._attempted(record),
                kept=record.kept,
                replay=self._replay(record),
                folder=self.series.folder_of(record.number),
            )
            training = self.hands.begin(update)
            # before it begins: killed, it goes on, and no second one is begun
            self.series.keep(record.model_copy(update={"training": training}))
        return {"training": training, "trained": self.hands.carry_on(training)}

    def _validate(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        self._measured(record.adapter)
        self._measured(record.trained)
        return {}

    def _decide(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        before, after = self._measured(record.adapter), self._measured(record.trained)
        untrue = {one.id for one in self._held_out if one.is_untrue}
        decision = decide(before, after, untrue)
        found = judged(decision, before, after, self.series.file.settings)
        if found.is_promoted:
            self.hands.promote(record.training, decision)
        return {"decision": found}

    @cached_property
    def _base(self) -> Suite:
        suite = load_suite(self.series.file.settings.suite, ())
        if not isinstance(suite, Suite):
            raise SetupError(f"suite {self.series.file.settings.suite} has no tasks to carry out")
        return suite

    @cached_property
    def library(self) -> Library:
        """The documents that may be learnt from: never one that is held out, or validates."""
        folder = self._base.documentation
        names = sorted({one.draft.name for one in self._base.tasks if one.split == Split.TRAIN})
        files = [folder / name for name in names if (folder / name).is_file()] if folder else []
        return Library(load_documents(files))

    @cached_property
    def _to_learn(self) -> list[Task]:
        language = self.series.file.settings.language
        return [
            one
            for one in self._base.tasks
            if one.split == Split.TRAIN and language in ("all", one.language)
        ]

    @cached_property
    def _held_out(self) -> tuple[Task, ...]:
        settings = self.series.file.settings
        found = [one for one in self._base.tasks if one.split == Split.HELD_OUT]
        found = [one for one in found if settings.language in ("all", one.language)]
        return sample(found, settings.held_out or None, settings.seed)

    def _made_before(self, record: PhaseRecord) -> tuple[Task, ...]:
        """What the phase before made, and learnt from."""
        file = self.series.folder_of(record.number - 1) / _KEPT / FILE
        kept = read_suite(file).tasks if file.exists() else ()
        return tuple(one for one in kept if not one.draft.name.startswith(f"{FROM_SUITE}-"))

    def _seeds(self, record: PhaseRecord) -> tuple[Task, ...]:
        known = {one.id: one for one in (*self._to_learn, *self._made_before(record))}
        return tuple(known[one] for one in record.seeds)

    def _rolled_out(self, record: PhaseRecord) -> BenchmarkResult:
        suite = replace(self._base, tasks=self._seeds(record))
        return self._attempt(suite, record, "roll-out")

    def _attempted(self, record: PhaseRecord) -> tuple[BenchmarkResult, ...]:
        """All that its policy has tried, at what it made as well."""
        tried = [one.id for one in record.made if one.estimate is not None]
        if not tried:
            return (self._rolled_out(record),)
        suite = only(self._suite_of(record, _MADE), tried)
        return self._rolled_out(record), self._attempt(suite, record, "estimate")

    def _replay(self, record: PhaseRecord) -> tuple[Path, ...]:
        if not self.series.file.settings.replay:
            return ()
        return tuple(map(self.series.folder_of, range(1, record.number)))

    def _trials(self, suite: Suite, record: PhaseRecord, what: str) -> tuple[Trial, ...]:
        return self._attempt(suite, record, what).trials if suite.tasks else ()

    def _attempt(self, suite: Suite, record: PhaseRecord, what: str) -> BenchmarkResult:
        is_oracle = what == "oracle"
        return self.hands.attempt(
            Attempts(
                suite=suite,
                runs=1 if is_oracle else self.series.file.settings.roll_outs,
                seed=_seed(self.series.file.id, record.number, what),
                policy=BenchmarkPolicy.ORACLE if is_oracle else BenchmarkPolicy.MODEL,
                adapter="" if is_oracle else record.adapter,
                temperature=self.series.file.settings.temperature,
            )
        )

    def _measured(self, adapter: str) -> BenchmarkResult:
        """On held-out tasks: each policy once, be it after one phase or before the next."""
        suite = replace(self._base, tasks=self._held_out)
        seed = _seed(self.series.file.id, "held-out")
        asked = Attempts(suite=suite, runs=LEAST_RUNS, seed=seed, adapter=adapter)
        return self.hands.attempt(asked)

    def _candidates(self, record: PhaseRecord, folder: Path) -> list[Candidate]:
        settings = self.series.file.settings
        failed = self._failed(record)
        found = list[Candidate]()
        if "documents" in settings.sources:
            found += [one for task in failed for one in from_documents(task, self.library)]
        if "drift" in settings.sources:
            found += [one for task in failed for one in from_releases(task, self.library)]
            first = settings.seed + settings.drifts * (record.number - 1)
            seeds = range(first, first + settings.drifts)
            found += from_drift(failed, self.library, folder / "drift", seeds)
        if "model" in settings.sources:
            found += self.hands.think(failed, self.library, settings.made)
        if "exploration" in settings.sources and record.number == 1:
            found += self.hands.explore(folder / "exploration", settings.explored_pages)
        return found

    def _failed(self, record: PhaseRecord) -> list[Task]:
        """Tasks that failed at least once, or those that they were made from; else all."""
        origin = {one.id: one.made_from for p in self.series.phases() for one in p.made}
        known = {one.id: one for one in self._to_learn}

        def of(ids: Sequence[str]) -> list[Task]:
            found = dict.fromkeys(first for one in ids for first in origin.get(one, (one,)))
            return [known[one] for one in found if one in known]

        failed = [name for name, of in record.estimates.items() if of.share not in (None, 1.0)]
        return of(failed) or of(record.seeds)

    def _at_random(
        self, record: PhaseRecord, made: Sequence[MadeTask], count: int
    ) -> tuple[str, ...]:
        """As many of all that can be done: what choosing them is held against."""
        measured = [one.id for one in made if one.estimate is not None]
        return sample((*record.seeds, *measured), max(count, 1), record.number)

    def _keep(self, record: PhaseRecord, kept: Sequence[str]) -> None:
        tasks = {one.id: one for one in self._seeds(record)}
        if record.made:
            tasks |= {one.id: one for one in self._suite_of(record, _MADE).tasks}
        how = {one.id: one.how for p in self.series.phases() for one in p.made}
        candidates = [as_candidate(tasks[one], how.get(one, FROM_SUITE)) for one in kept]
        write_candidates(candidates, self.series.folder_of(record.number) / _KEPT)

    def _file_of(self, record: PhaseRecord, which: str) -> Path:
        return self.series.folder_of(record.number) / which / FILE

    def _suite_of(self, record: PhaseRecord, which: str) -> Suite:
        return read_suite(self._file_of(record, which))


def _left(suite: Suite, made: Sequence[MadeTask]) -> Suite:
    return only(suite, (one.id for one in made if not one.left_out))


def _seed(*parts: object) -> int:
    return crc32("/".join(map(str, parts)).encode())
