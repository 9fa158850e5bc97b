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
    restrict_suite,
    write_candidates,
)
from appliance.training.phases.decision import judge_phase
from appliance.training.phases.filtering import (
    drop_by_success,
    drop_held_out,
    drop_infeasible,
    drop_repeats,
    out_of_band,
)
from appliance.training.phases.from_documents import Library, from_documents
from appliance.training.phases.from_drift import from_drift, from_releases
from appliance.training.phases.labels import estimates
from appliance.training.phases.operations import AttemptsRequest, PhaseOperations, UpdateRequest
from appliance.training.phases.record import MadeTask, PhaseRecord, Series, Stage
from appliance.training.promotion import MIN_RUNS, decide

_MADE, _KEPT = "made", "kept"
"""Folders of a phase: all that was made, and what is learnt from."""

Tell = Callable[[int, Stage], None]


@dataclass(frozen=True)
class PhaseRunner:
    """Carries phases on to their end."""

    series: Series
    operations: PhaseOperations
    clock: Clock
    tell: Tell = field(default=lambda _number, _stage: None)

    def run(self) -> None:
        """All that is left, from the stage that was not ended.

        Raises:
            ApplianceError: It cannot go on; the same command does once the reason is away.
        """
        with self.series.locked():
            while not self.series.is_over:
                self._carry_on(self._current())

    def _current(self) -> PhaseRecord:
        """The phase that is under way, or the next."""
        phases = self.series.phases()
        if phases and phases[-1].stage is not None:
            return phases[-1]
        adapter = phases[-1].trained if phases else self.series.file.adapter
        return PhaseRecord(number=len(phases) + 1, adapter=adapter)

    def _carry_on(self, record: PhaseRecord) -> None:
        stage_actions: Mapping[
            Stage, Callable[[PhaseRecord], dict[str, Any]]
        ] = {  # Any: record's fields
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
            changes = stage_actions[stage](record)
            ended = record.ended | {stage: self.clock.now()}
            record = record.model_copy(update={**changes, "ended": ended})
            self.series.keep(record)

    def _plan(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        """What is tried first: tasks of the suite, and what the last phase made."""
        settings = self.series.file.settings
        drawn_tasks = sample(self._learnable, settings.tasks, settings.seed + record.number)
        return {
            "seeds": tuple(task.id for task in (*drawn_tasks, *self._tasks_from_last_phase(record)))
        }

    def _roll_out(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        self._roll_out_result(record)
        return {}

    def _label(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        return {"estimates": dict(estimates(self._roll_out_result(record).trials))}

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
        settings, tasks_made = self.series.file.settings, record.made
        if tasks_made:
            suite = self._suite_of(record, _MADE)
            tasks = {task.id: task for task in suite.tasks}
            seeds = self._seeds(record)
            sources = {task.id: task.draft.name for task in (*self._suite.tasks, *seeds)}
            tasks_made = drop_held_out(
                tasks_made, sources, {task.draft.name for task in self._held_out}
            )
            if settings.novelty:
                tasks_made = drop_repeats(tasks_made, tasks, seeds, settings.most_alike)
            tasks_made = drop_infeasible(
                tasks_made, self._trials(_remaining(suite, tasks_made), record, "oracle")
            )
            tried = self._trials(_remaining(suite, tasks_made), record, "estimate")
            tasks_made = drop_by_success(tasks_made, estimates(tried), settings)
        kept_seeds = [
            seed_id
            for seed_id in record.seeds
            if not out_of_band(record.estimates.get(seed_id), settings)
        ]
        kept_ids = (
            *kept_seeds,
            *(made_task.id for made_task in tasks_made if not made_task.left_out),
        )
        if settings.at_random:
            kept_ids = self._at_random(record, tasks_made, len(kept_ids))
        self._keep(record, kept_ids)
        return {"made": tasks_made, "kept": tuple(kept_ids)}

    def _train(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        if not record.kept:
            task_count = len(record.seeds) + len(record.made)
            raise TrainingError(
                f"phase {record.number} has nothing to learn from: none of {task_count} tasks is"
                " within the band (training.phases.least_success to most_success; success_band:"
                " false)"
            )
        training = record.training
        if not training:
            update = UpdateRequest(
                suite=self._file_of(record, _KEPT),
                adapter=record.adapter,
                roll_outs=self._results_of_phase(record),
                kept=record.kept,
                replay=self._replay(record),
                folder=self.series.folder_of(record.number),
            )
            training = self.operations.begin(update)
            # before it begins: killed, it goes on, and no second one is begun
            self.series.keep(record.model_copy(update={"training": training}))
        return {"training": training, "trained": self.operations.carry_on(training)}

    def _validate(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        self._measure(record.adapter)
        self._measure(record.trained)
        return {}

    def _decide(self, record: PhaseRecord) -> dict[str, Any]:  # Any: fields of the record
        before, after = self._measure(record.adapter), self._measure(record.trained)
        untrue = {task.id for task in self._held_out if task.is_untrue}
        decision = decide(before, after, untrue)
        phase_decision = judge_phase(decision, before, after, self.series.file.settings)
        if phase_decision.is_promoted:
            self.operations.promote(record.training, decision)
        return {"decision": phase_decision}

    @cached_property
    def _suite(self) -> Suite:
        suite = load_suite(self.series.file.settings.suite, ())
        if not isinstance(suite, Suite):
            raise SetupError(f"suite {self.series.file.settings.suite} has no tasks to carry out")
        return suite

    @cached_property
    def library(self) -> Library:
        """The documents that may be learnt from: never one that is held out, or validates."""
        folder = self._suite.documentation
        names = sorted({task.draft.name for task in self._suite.tasks if task.split == Split.TRAIN})
        files = [folder / name for name in names if (folder / name).is_file()] if folder else []
        return Library(load_documents(files))

    @cached_property
    def _learnable(self) -> list[Task]:
        language = self.series.file.settings.language
        return [
            task
            for task in self._suite.tasks
            if task.split == Split.TRAIN and language in ("all", task.language)
        ]

    @cached_property
    def _held_out(self) -> tuple[Task, ...]:
        settings = self.series.file.settings
        tasks = [task for task in self._suite.tasks if task.split == Split.HELD_OUT]
        tasks = [task for task in tasks if settings.language in ("all", task.language)]
        return sample(tasks, settings.held_out or None, settings.seed)

    def _tasks_from_last_phase(self, record: PhaseRecord) -> tuple[Task, ...]:
        """What the phase before made, and learnt from."""
        file = self.series.folder_of(record.number - 1) / _KEPT / FILE
        last_tasks = read_suite(file).tasks if file.exists() else ()
        return tuple(
            task for task in last_tasks if not task.draft.name.startswith(f"{FROM_SUITE}-")
        )

    def _seeds(self, record: PhaseRecord) -> tuple[Task, ...]:
        tasks_by_id = {
            task.id: task for task in (*self._learnable, *self._tasks_from_last_phase(record))
        }
        return tuple(tasks_by_id[seed_id] for seed_id in record.seeds)

    def _roll_out_result(self, record: PhaseRecord) -> BenchmarkResult:
        suite = replace(self._suite, tasks=self._seeds(record))
        return self._attempt(suite, record, "roll-out")

    def _results_of_phase(self, record: PhaseRecord) -> tuple[BenchmarkResult, ...]:
        """All that its policy has tried, at what it made as well."""
        estimated = [made_task.id for made_task in record.made if made_task.estimate is not None]
        if not estimated:
            return (self._roll_out_result(record),)
        suite = restrict_suite(self._suite_of(record, _MADE), estimated)
        return self._roll_out_result(record), self._attempt(suite, record, "estimate")

    def _replay(self, record: PhaseRecord) -> tuple[Path, ...]:
        if not self.series.file.settings.replay:
            return ()
        return tuple(map(self.series.folder_of, range(1, record.number)))

    def _trials(self, suite: Suite, record: PhaseRecord, what: str) -> tuple[Trial, ...]:
        return self._attempt(suite, record, what).trials if suite.tasks else ()

    def _attempt(self, suite: Suite, record: PhaseRecord, what: str) -> BenchmarkResult:
        is_oracle = what == "oracle"
        return self.operations.attempt(
            AttemptsRequest(
                suite=suite,
                runs=1 if is_oracle else self.series.file.settings.roll_outs,
                seed=_seed(self.series.file.id, record.number, what),
                policy=BenchmarkPolicy.ORACLE if is_oracle else BenchmarkPolicy.MODEL,
                adapter="" if is_oracle else record.adapter,
                temperature=self.series.file.settings.temperature,
            )
        )

    def _measure(self, adapter: str) -> BenchmarkResult:
        """On held-out tasks: each policy once, be it after one phase or before the next."""
        suite = replace(self._suite, tasks=self._held_out)
        seed = _seed(self.series.file.id, "held-out")
        request = AttemptsRequest(suite=suite, runs=MIN_RUNS, seed=seed, adapter=adapter)
        return self.operations.attempt(request)

    def _candidates(self, record: PhaseRecord, folder: Path) -> list[Candidate]:
        settings = self.series.file.settings
        failed = self._failed(record)
        candidates = list[Candidate]()
        if "documents" in settings.sources:
            candidates += [
                candidate for task in failed for candidate in from_documents(task, self.library)
            ]
        if "drift" in settings.sources:
            candidates += [
                candidate for task in failed for candidate in from_releases(task, self.library)
            ]
            first = settings.seed + settings.drifts * (record.number - 1)
            seeds = range(first, first + settings.drifts)
            candidates += from_drift(failed, self.library, folder / "drift", seeds)
        if "model" in settings.sources:
            candidates += self.operations.think(failed, self.library, settings.made)
        if "exploration" in settings.sources and record.number == 1:
            candidates += self.operations.explore(folder / "exploration", settings.explored_pages)
        return candidates

    def _failed(self, record: PhaseRecord) -> list[Task]:
        """Tasks that failed at least once, or those that they were made from; else all."""
        origin = {
            made_task.id: made_task.made_from
            for phase in self.series.phases()
            for made_task in phase.made
        }
        learnable = {task.id: task for task in self._learnable}

        def sources_of(ids: Sequence[str]) -> list[Task]:
            origins = dict.fromkeys(
                task_id for failed_id in ids for task_id in origin.get(failed_id, (failed_id,))
            )
            return [learnable[failed_id] for failed_id in origins if failed_id in learnable]

        failed = [
            name for name, estimate in record.estimates.items() if estimate.share not in (None, 1.0)
        ]
        return sources_of(failed) or sources_of(record.seeds)

    def _at_random(
        self, record: PhaseRecord, tasks_made: Sequence[MadeTask], count: int
    ) -> tuple[str, ...]:
        """As many of all that can be done: what choosing them is held against."""
        estimated_ids = [made_task.id for made_task in tasks_made if made_task.estimate is not None]
        return sample((*record.seeds, *estimated_ids), max(count, 1), record.number)

    def _keep(self, record: PhaseRecord, task_ids: Sequence[str]) -> None:
        tasks = {task.id: task for task in self._seeds(record)}
        if record.made:
            tasks |= {task.id: task for task in self._suite_of(record, _MADE).tasks}
        rule_by_id = {
            made_task.id: made_task.how
            for phase in self.series.phases()
            for made_task in phase.made
        }
        candidates = [
            as_candidate(tasks[task_id], rule_by_id.get(task_id, FROM_SUITE))
            for task_id in task_ids
        ]
        write_candidates(candidates, self.series.folder_of(record.number) / _KEPT)

    def _file_of(self, record: PhaseRecord, which: str) -> Path:
        return self.series.folder_of(record.number) / which / FILE

    def _suite_of(self, record: PhaseRecord, which: str) -> Suite:
        return read_suite(self._file_of(record, which))


def _remaining(suite: Suite, tasks_made: Sequence[MadeTask]) -> Suite:
    return restrict_suite(
        suite, (made_task.id for made_task in tasks_made if not made_task.left_out)
    )


def _seed(*parts: object) -> int:
    return crc32("/".join(map(str, parts)).encode())
