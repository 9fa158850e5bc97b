"""Does the work of training phases with the benchmark, trainer and model of this machine."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, ValidationError

from appliance.benchmark.suite import Task
from appliance.benchmark.trials import BenchmarkPolicy, BenchmarkResult, all_results
from appliance.cli._bench_run import RESULTS, Bench, Chosen
from appliance.cli._collecting import AttemptSelection, collect_attempts
from appliance.cli._exploring import explore_here
from appliance.cli._output import talk
from appliance.cli._summary import counted
from appliance.cli._train_promotion import serve_adapter
from appliance.cli._train_runs import until_stopped
from appliance.config import PhaseSettings, Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.inference.client import ModelClient
from appliance.inference.server import policy_server
from appliance.store.store import Store
from appliance.training.collect import write_collection
from appliance.training.enough import why_not_enough
from appliance.training.errors import TrainingError
from appliance.training.kinds import PromptForm
from appliance.training.options import (
    CommonOptions,
    GrpoOptions,
    LiveOptions,
    RehearsalOptions,
    SftOptions,
)
from appliance.training.phases.candidates import Candidate
from appliance.training.phases.from_documents import Library
from appliance.training.phases.from_model import from_model
from appliance.training.phases.labels import labelled_trial
from appliance.training.phases.learnt import learnt_from
from appliance.training.phases.operations import AttemptsRequest, UpdateRequest
from appliance.training.phases.record import Series
from appliance.training.promotion import Decision
from appliance.training.rollouts import Rollouts
from appliance.training.runs import check_form, check_samples, facts_of, find_run, new_run
from appliance.training.update_options import DpoOptions, KlOptions, UpdateOptions

_OPTIONS: dict[str, type[BaseModel]] = {
    "sft": SftOptions,
    "grpo": GrpoOptions,
    "live": LiveOptions,
    "kl": KlOptions,
    "dpo": DpoOptions,
    "rehearsal": RehearsalOptions,
}
"""The options of each kind of training."""
_CONSOLE = "practice"
"""Name of the console in the benchmark's runs."""


def options_of_update(
    settings: PhaseSettings,
    adapter: str,
    phase_options: Mapping[str, object] = MappingProxyType({"rollouts": "those of the phase"}),
) -> BaseModel:
    """Return the options of a phase's training, as the settings have them.

    Args:
        settings: Settings of the phases.
        adapter: Folder of the adapter that the phase begins with; empty: the base itself.
        phase_options: Further options that the phase itself determines.

    Raises:
        SetupError: The training has no such option, or needs an adapter to begin with.
    """
    kind = _OPTIONS[settings.update]
    ours = {**phase_options, **({"begin_with": adapter} if adapter else {})}
    values = settings.options | {
        name: ours[name] for name in ours.keys() & kind.model_fields.keys()
    }
    if issubclass(kind, UpdateOptions) and not adapter:
        raise SetupError(
            f"training.phases.update: {settings.update} holds the new policy against the one that"
            " made the attempts: name the adapter of that with --begin-with"
        )
    try:
        return kind.model_validate(values)
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"]))
        names = ", ".join(kind.model_fields)
        raise SetupError(
            f"training.phases.options.{name}: {first['msg']}; there are {names}"
        ) from None


def check_form_of_update(options: BaseModel, settings: Settings) -> None:
    """Check that a phase learns in the form of prompt that the agent uses.

    Raises:
        SetupError: It learns in another form.
    """
    if isinstance(options, UpdateOptions):
        check_form(options, settings.agent.form, "training.phases.options.form: ")


@dataclass(frozen=True, slots=True)
class LocalOperations:
    """Does the work in this process and its child processes."""

    series: Series
    settings: Settings

    def attempt(self, request: AttemptsRequest) -> BenchmarkResult:
        """Make the attempts as a benchmark, which keeps its trials and resumes where it stopped."""
        bench = Bench(
            self._agent_settings(request),
            request.policy,
            _chosen(request),
            self._jobs,
            labelled_trial,
        )
        setup = bench.setup(request.suite, request.suite.tasks)
        results = all_results(self.settings.data_dir / RESULTS)
        finished = next(
            (result for result in results if result.setup == setup and result.is_over), None
        )
        return finished or bench.run(request.suite)

    def begin(self, update: UpdateRequest) -> str:
        """Create a training as `appliance train KIND` does, and return its id."""
        settings, file = self.series.file.settings, self.series.file
        dataset = Path(file.dataset)
        options = options_of_update(settings, update.adapter, self._phase_options(update))
        check_form_of_update(options, self.settings)
        if isinstance(options, SftOptions):
            dataset = self._collect_dataset(update, options)
        if isinstance(options, CommonOptions):
            check_samples(facts_of(dataset), options.form, options.role)
        run = new_run(
            self.settings.data_dir,
            kind=settings.update,
            base=Path(file.base),
            dataset=dataset,
            settings=options,
            threads=self.settings.training.threads,
            now=SystemClock().now(),
        )
        return run.file.id

    def carry_on(self, training: str) -> str:
        """Run a training to its end and return its adapter; a rehearsal keeps the previous one."""
        run = find_run(self.settings.data_dir, training)
        if run.status.state != "done":
            talk(f"Training {training}; its folder is {run.folder}")
            asyncio.run(until_stopped(run, self.settings))
        if run.status.state != "done":
            raise TrainingError(f"{training} was stopped; `train phases resume` goes on with it")
        if run.file.kind == "rehearsal":
            return self.series.phases()[-1].adapter
        return str(run.adapter)

    def think(self, tasks: Sequence[Task], library: Library, count: int) -> list[Candidate]:
        """Ask the configured model for tasks, starting it where necessary."""
        return asyncio.run(self._ask_model(tasks, library, count))

    def explore(self, folder: Path, pages: int) -> list[Candidate]:
        """Explore a practice cloud that is started for this purpose."""
        return explore_here(self.settings, folder, pages, self._jobs)

    def promote(self, training: str, decision: Decision) -> None:
        """Have the adapter served from the next run on."""
        serve_adapter(self.settings.data_dir, find_run(self.settings.data_dir, training), decision)

    @property
    def _jobs(self) -> int:
        return self.series.file.settings.jobs

    def _agent_settings(self, request: AttemptsRequest) -> Settings:
        settings = self.settings
        folder = Path(request.adapter)
        name = folder.parent.name if request.adapter else ""
        acts: dict[str, object] = {"adapter": name}
        tokens = False
        if request.temperature is not None:  # it is learnt from
            tokens = self.series.file.settings.update in ("kl", "dpo")
            acts["temperature"] = request.temperature
            acts |= {"screenshots": False} if tokens else {}  # what is trained on is text
        agent = settings.agent.model_copy(update=acts)
        adapters = {name: folder} if name and settings.model.weights else settings.model.adapters
        weights = Path(self.series.file.base) if settings.model.weights else None
        changed = {"adapters": adapters, "weights": weights}
        training = {"keep_attempts": True, "keep_tokens": tokens}
        if request.policy is BenchmarkPolicy.ORACLE:
            changed = {"weights": None}  # it asks none
        return settings.model_copy(
            update={
                "agent": agent,
                "model": settings.model.model_copy(update=changed),
                "training": settings.training.model_copy(update=training),
            }
        )

    def _phase_options(self, update: UpdateRequest) -> dict[str, object]:
        """Return the options that name what the phase has produced."""
        settings, kind = self.series.file.settings, self.series.file.settings.update
        if kind != "kl" and kind != "dpo":
            return {"suite": str(update.suite.resolve())}
        with Store.open(self._store_settings.data_dir) as store:
            judged = store.demonstrations.judged(_CONSOLE, _runs(update))
            attempts = learnt_from(update.roll_outs, update.kept, judged, store.artifacts.get)
        if why := why_not_enough(kind, attempts):
            raise TrainingError(
                f"{update.folder}: {kind} cannot learn from {counted(len(attempts), 'attempt')}:"
                f" {why}. training.phases.roll_outs are the attempts at each task; only a model"
                " that vLLM serves tells the tokens that are learnt from"
            )
        Rollouts(step=0, digest="", attempts=attempts).write(update.folder)
        replay_range = (
            {} if settings.perplexity_band else {"replay_above": 0.0, "replay_up_to": 1.0}
        )
        return {
            "rollouts": (str(update.folder.resolve()),),
            "replay": tuple(str(path.resolve()) for path in update.replay),
            **replay_range,
        }

    @property
    def _store_settings(self) -> Settings:
        """Settings that point at the store in which benchmarks keep attempts."""
        store = self.settings.data_dir / "bench" / "suites" / "data"
        return self.settings.model_copy(update={"data_dir": store})

    def _collect_dataset(self, update: UpdateRequest, options: SftOptions) -> Path:
        """Write the successful attempts of the phase as a dataset, once; return its folder."""
        dataset = update.folder / "dataset"
        if dataset.exists():
            return dataset
        forms = (PromptForm(options.form).value,)
        attempts = collect_attempts(
            self._store_settings, _CONSOLE, AttemptSelection(runs=_runs(update), forms=forms)
        )
        write_collection(attempts, dataset, console=_CONSOLE, held_out=(), now=SystemClock().now())
        return dataset

    async def _ask_model(
        self, tasks: Sequence[Task], library: Library, count: int
    ) -> list[Candidate]:
        model = self.settings.model
        if not model.is_configured:
            raise SetupError("training.phases.sources has `model`, and no model is configured")
        if model.weights is None:
            async with ModelClient(model, network=self.settings.outward) as client:
                return await from_model(client, tasks, library, count)
        async with policy_server(model, log_dir=self.series.folder / "logs") as server:
            await server.ready()
            async with ModelClient(server.settings) as client:
                return await from_model(client, tasks, library, count)


def _runs(update: UpdateRequest) -> tuple[str, ...]:
    return tuple(
        part.run_id for roll_out in update.roll_outs for part in roll_out.parts if part.run_id
    )


def _chosen(request: AttemptsRequest) -> Chosen:
    return Chosen(
        suite=request.suite.name,
        suites=(),
        policy=request.policy.value,
        runs=request.runs,
        seed=request.seed,
        tasks=None,
        task="*",
        split=None,
        provision="auto",
        documents=(),
        checks=(),
        agent_python=None,
    )
