"""`appliance bench`: how much of a known drift is found, and what a known start is worth."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path
from random import Random

import click

from appliance.benchmark.determinism import Repeats, repeats
from appliance.benchmark.drift.draw import Drawer
from appliance.benchmark.drift.run import Benchmark
from appliance.benchmark.drift.score import COLUMNS, cells, report, score, score_document, summed_up
from appliance.benchmark.measured import (
    Measured,
    determinism_figures,
    determinism_trials,
    drift_figures,
    drift_trials,
    keep,
    provisioning_trials,
)
from appliance.benchmark.provisioning import Comparison, compare
from appliance.benchmark.statistics import Rate
from appliance.benchmark.trials import Trial
from appliance.cli._app import CLEAN, Invocation, Noun, pass_invocation
from appliance.cli._bench_invented import invented_command
from appliance.cli._bench_run import RESULTS
from appliance.cli._bench_runs import (
    jobs_option,
    kept_or_run,
    on_practice,
    out_option,
    print_scores,
    write_results,
)
from appliance.cli._bench_suites import COMMANDS
from appliance.cli._local import verification_of, verify_here
from appliance.cli._options import collect_options, read_documents
from appliance.cli._output import as_the_user_wants, json_option, print_table, talk, write_json
from appliance.cli._progress import progress
from appliance.cli._summary import counted
from appliance.config import ConsoleSettings, Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import json_object
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ProcedureResult, RunResult
from appliance.practice.releases import DOCUMENTATION, releases
from appliance.store.artifacts import ArtifactStore


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draw:
    """Which drift is drawn, and what is verified with it."""

    seed: int
    files: int
    size: int
    release: str
    pattern: str
    controls: int
    is_all: bool


@click.group("bench", cls=Noun)
def command() -> None:
    """Measure policies on tasks, and how well and steadily untrue sentences are found."""


command.add_command(invented_command)
for subcommand in COMMANDS:
    command.add_command(subcommand)


@command.command("drift")
@click.option("--seed", default=1, show_default=True, help="Seed of the first file.")
@click.option("--files", default=50, show_default=True, type=click.IntRange(1), help="How many.")
@click.option(
    "--size", default=4, show_default=True, type=click.IntRange(1), help="Changes in a file."
)
@click.option("--release", default="", metavar="R", help="Release to lay it over [the first]")
@click.option("--documents", "pattern", default="*", metavar="GLOB", help="Only these documents.")
@click.option(
    "--controls",
    default=4,
    show_default=True,
    type=click.IntRange(0),
    help="Procedures of each file that are verified though nothing in them is untrue.",
)
@click.option("--all", "is_all", is_flag=True, help="Verify every procedure with every file.")
@jobs_option
@out_option("drift")
@json_option
@pass_invocation
@collect_options(_Draw)
def drift_command(
    invocation: Invocation,
    draw: _Draw,
    jobs: int | None,
    out: Path | None,
    as_json: bool,
) -> int:
    """Verify the bundled documentation against random drift of which the truth is known.

    Every file of drift is drawn from its seed, served by a practice cloud of its own and verified
    without a model. What is reported is held against the sentences that the drift makes untrue.
    A run that was interrupted goes on where it was: the result of each file is kept.
    """
    settings = invocation.settings()
    folder = out or settings.data_dir / "bench" / "drift"
    documents = _documents(draw.pattern)
    drawer = Drawer(documents, draw.release)
    benchmark = Benchmark(drawer, folder, draw.size, None if draw.is_all else draw.controls)

    def verify(drift: Path, procedures: Sequence[Procedure]) -> RunResult:
        console = ConsoleSettings(kind="practice", release=drawer.release, drift=drift)
        practice_settings = on_practice(settings, folder, jobs, console)
        return verify_here(
            practice_settings, verification_of(practice_settings, documents, procedures)
        )

    began = SystemClock().now()
    results = kept_or_run(
        "Files",
        range(draw.seed, draw.seed + draw.files),
        benchmark.known,
        lambda seed: benchmark.run(seed, verify),
        lambda seed, result: f"seed {seed}: {summed_up(score([result]), 1)}",
    )
    trials, figures = [*drift_trials(results)], drift_figures(results)
    note = _keep(settings, Measured.DRIFT, trials, figures, began, draw.seed)
    with as_the_user_wants() if out else nullcontext():
        write_results(folder, report(results), score_document(results))
    if as_json:
        write_json(score_document(results))
    else:
        total_score = score(results)
        by_change, by_language = (
            [*total_score.by_change, total_score.total],
            total_score.by_language,
        )
        print_scores((("Change", by_change), ("Language", by_language)), COLUMNS, cells)
        click.echo(summed_up(total_score, len(results)))
    talk(f"Written: {folder / 'report.md'}; {note}")
    return CLEAN


def _documents(pattern: str) -> tuple[Document, ...]:
    paths = [p for p in sorted(DOCUMENTATION.iterdir()) if fnmatch(p.name, pattern)]
    readable = [p for p in paths if p.suffix in (".md", ".rst", ".html")]
    if not readable:
        raise SetupError(f"no bundled document is called {pattern!r}; they are in {DOCUMENTATION}")
    return read_documents(readable, ())


_AT_ONCE = 2
_SEED = 1
at_once_option = click.option(
    "--jobs", default=_AT_ONCE, show_default=True, type=click.IntRange(1, 32), help="At once."
)


class _Bundled:
    """The bundled documentation, on the release that it is true of."""

    def __init__(self, settings: Settings, folder: Path, jobs: int) -> None:
        self.documents: tuple[Document, ...] = read_documents([DOCUMENTATION], ())
        self.artifacts = ArtifactStore(folder / "data" / "artifacts")
        console = ConsoleSettings(kind="practice", release=releases()[0])
        self._settings = on_practice(settings, folder, jobs, console)

    @property
    def procedures(self) -> tuple[Procedure, ...]:
        return tuple(p for d in self.documents for p in d.procedures)

    def verify(self, procedures: Sequence[Procedure], provision: str = "auto") -> RunResult:
        """Verify them with or without provisioning, in a practice cloud of their own."""
        environment = self._settings.environment.model_copy(update={"provision": provision})
        settings = self._settings.model_copy(update={"environment": environment})
        request = verification_of(settings, self.documents, procedures)
        with progress(len(procedures)) as subscriber:
            return verify_here(settings, request, subscriber)


@command.command("provisioning")
@at_once_option
@click.option("--limit", type=click.IntRange(1), help="Only so many procedures, drawn at random.")
@json_option
@pass_invocation
def provisioning_command(
    invocation: Invocation, jobs: int, limit: int | None, as_json: bool
) -> None:
    """Verify the bundled documentation without and with what it needs, and compare.

    The release is the one that the documentation is true of: whatever is not verified then is a
    failure of ours.
    """
    settings = invocation.settings()
    bundled = _Bundled(settings, settings.data_dir / "bench" / "provisioning", jobs)
    chosen = _draw(bundled.procedures, limit)
    needing = frozenset(p.id for p in chosen if p.checks.needs)
    talk(f"{counted(len(chosen), 'procedure')}, {len(needing)} of them need something.")
    began = SystemClock().now()
    talk("Without provisioning:")
    off = bundled.verify(chosen, "off")
    talk("With provisioning:")
    on = bundled.verify(chosen)
    comparison = compare(off, on, needing)
    trials, figures = [*provisioning_trials(off, on)], {"points": comparison.points}
    talk(_keep(settings, Measured.PROVISIONING, trials, figures, began))
    if as_json:
        write_json(json_object(comparison) | {"points": comparison.points})
    else:
        _show_comparison(comparison)


def _show_comparison(comparison: Comparison) -> None:
    needing = ("those in need", comparison.off_needing, comparison.on_needing)
    print_table(("", "without", "with"), [("all", comparison.off, comparison.on), needing])
    click.echo(f"Gained: {comparison.points:+.2f} percentage points.")
    for name in comparison.lost:
        click.echo(f"Succeeds only without: {name}")
    for name in comparison.failed:
        click.echo(f"Does not succeed with it: {name}")


@command.command("determinism")
@click.option("--tasks", default=20, show_default=True, type=click.IntRange(1), help="How many.")
@click.option(
    "--repeats", "times", default=100, show_default=True, type=click.IntRange(2), help="Of each."
)
@at_once_option
@json_option
@pass_invocation
def determinism_command(
    invocation: Invocation, tasks: int, times: int, jobs: int, as_json: bool
) -> None:
    """Verify the same tasks again and again, and count how many go the same way."""
    settings = invocation.settings()
    bundled = _Bundled(settings, settings.data_dir / "bench" / "determinism", jobs)
    chosen = _draw(bundled.procedures, tasks)
    began = SystemClock().now()
    results: list[ProcedureResult] = []
    for number in range(times):
        talk(f"Repeat {number + 1} of {times}:")
        results += bundled.verify(chosen).procedures
    repetition = repeats(results, bundled.artifacts.get)
    trials, figures = [*determinism_trials(repetition)], determinism_figures(repetition)
    talk(_keep(settings, Measured.DETERMINISM, trials, figures, began))
    if as_json:
        write_json(repetition)
    else:
        _show_repeats(repetition)


def _show_repeats(repeats: Sequence[Repeats]) -> None:
    cells = []
    for task in repeats:
        shares = (task.same_way, task.same_way_but_waits, task.same_verdict)
        verdicts = ", ".join(f"{name} {count}" for name, count in task.verdicts)
        cells.append((task.procedure, *(f"{n}/{task.times}" for n in shares), verdicts))
    print_table(("task", "same way", "waits aside", "same verdict", "verdicts"), cells)
    total = sum(task.times for task in repeats)
    for what, name in (
        ("identical trajectories", "same_way"),
        ("identical but for waiting", "same_way_but_waits"),
        ("identical verdicts", "same_verdict"),
    ):
        click.echo(f"{what}: {Rate.counted(sum(getattr(task, name) for task in repeats), total)}")


def _keep(
    settings: Settings,
    suite: Measured,
    trials: Sequence[Trial],
    figures: dict[str, float],
    began: datetime,
    seed: int = _SEED,
) -> str:
    """Keep it among the results; the sentence that says how it is shown."""
    folder, ended_at = settings.data_dir / RESULTS, SystemClock().now()
    result = keep(suite, trials, figures, folder, seed=seed, began=began, ended=ended_at)
    return f"`appliance bench show {result.id}` shows it, too."


def _draw(procedures: Sequence[Procedure], limit: int | None) -> tuple[Procedure, ...]:
    """So many of those that can be verified at all, always the same ones."""
    possible = [p for p in procedures if not p.checks.skip]
    if limit is None or limit >= len(possible):
        return tuple(possible)
    numbers = Random(_SEED).sample(range(len(possible)), limit)  # noqa: S311 - repeatable, no secret
    return tuple(possible[number] for number in sorted(numbers))
