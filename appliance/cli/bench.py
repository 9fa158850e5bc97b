"""`appliance bench`: how much of a known drift is found, and what a known start is worth."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import click

from appliance.benchmark.drift.draw import Drawer
from appliance.benchmark.drift.run import Benchmark, FileResult
from appliance.benchmark.drift.score import COLUMNS, cells, report, score, score_document, summed_up
from appliance.benchmark.measured import Measured, drift_figures, drift_trials, keep
from appliance.cli._app import CLEAN, Invocation, Noun, pass_invocation
from appliance.cli._bench_environment import determinism_command, provisioning_command
from appliance.cli._bench_invented import invented_command
from appliance.cli._bench_run import RESULTS
from appliance.cli._bench_runs import (
    jobs_option,
    on_practice,
    out_option,
    print_scores,
    write_results,
)
from appliance.cli._bench_suites import COMMANDS
from appliance.cli._local import verification_of, verify_here
from appliance.cli._options import collect_options, read_documents
from appliance.cli._output import as_the_user_wants, json_option, talk, write_json
from appliance.cli._progress import counting_bar
from appliance.config import ConsoleSettings, Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.procedure import Document, Procedure
from appliance.core.result import RunResult
from appliance.practice.releases import DOCUMENTATION


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


command.add_command(provisioning_command)
command.add_command(determinism_command)
command.add_command(invented_command)
for one in COMMANDS:
    command.add_command(one)


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
    verify = _Verify(settings, documents, drawer.release, folder, jobs)
    began = SystemClock().now()
    results = _run(benchmark, range(draw.seed, draw.seed + draw.files), verify)
    kept = keep(
        Measured.DRIFT,
        [*drift_trials(results)],
        drift_figures(results),
        settings.data_dir / RESULTS,
        seed=draw.seed,
        began=began,
        ended=SystemClock().now(),
    )
    with as_the_user_wants() if out else nullcontext():
        write_results(folder, report(results), score_document(results))
    if as_json:
        write_json(score_document(results))
    else:
        whole = score(results)
        by_change, by_language = [*whole.by_change, whole.total], whole.by_language
        print_scores((("Change", by_change), ("Language", by_language)), COLUMNS, cells)
        click.echo(summed_up(whole, len(results)))
    talk(f"Written: {folder / 'report.md'}; `appliance bench show {kept.id}` shows it, too.")
    return CLEAN


def _documents(pattern: str) -> tuple[Document, ...]:
    paths = [p for p in sorted(DOCUMENTATION.iterdir()) if fnmatch(p.name, pattern)]
    readable = [p for p in paths if p.suffix in (".md", ".rst", ".html")]
    if not readable:
        raise SetupError(f"no bundled document is called {pattern!r}; they are in {DOCUMENTATION}")
    return read_documents(readable, ())


class _Verify:
    """Verifies procedures against a practice cloud with a drift file."""

    def __init__(
        self,
        settings: Settings,
        documents: Sequence[Document],
        release: str,
        folder: Path,
        jobs: int | None,
    ) -> None:
        self._documents = tuple(documents)
        self._settings, self._folder, self._jobs = settings, folder, jobs
        self._release = release

    def __call__(self, drift: Path, procedures: Sequence[Procedure]) -> RunResult:
        """Verify."""
        console = ConsoleSettings(kind="practice", release=self._release, drift=drift)
        settings = on_practice(self._settings, self._folder, self._jobs, console)
        return verify_here(settings, verification_of(settings, self._documents, procedures))


def _run(benchmark: Benchmark, seeds: Sequence[int], verify: _Verify) -> list[FileResult]:
    """All files; what is there already is taken as it is."""
    results = []
    with counting_bar() as bar:
        task = bar.add_task("Files", total=len(seeds))
        for seed in seeds:
            known = benchmark.known(seed)
            result = known or benchmark.run(seed, verify)
            results.append(result)
            bar.advance(task)
            if bar.disable:
                how = "kept" if known else f"{result.wall_s:.0f} s"
                talk(f"seed {seed}: {summed_up(score([result]), 1)} ({how})")
    return results
