"""What benchmarks on the practice cloud share: options, settings, and how results are shown."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from appliance.cli._output import print_table, talk
from appliance.cli._progress import counting_bar
from appliance.config import ConsoleSettings, Settings

Command = TypeVar("Command", bound=Callable[..., object])
Case = TypeVar("Case")


class _Timed(Protocol):
    @property
    def wall_s(self) -> float: ...


Result = TypeVar("Result", bound=_Timed)
SETTLE_S = 0.1
"""A state that settles is seen on its way, and a benchmark does not wait for it much."""
jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 32), help="Procedures under way at the same time."
)


def out_option(name: str) -> Callable[[Command], Command]:
    """Return the option that names the output folder of a benchmark."""
    return click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help=f"Where files and results are kept [default: bench/{name} in the data folder]",
    )


def write_results(folder: Path, markdown: str, document: object) -> None:
    """Write `report.md` and `report.json`."""
    (folder / "report.md").write_text(markdown, encoding="utf-8")
    text = json.dumps(document, ensure_ascii=False, indent=1)
    (folder / "report.json").write_text(text, encoding="utf-8")


def kept_or_run(
    label: str,
    cases: Sequence[Case],
    find_kept: Callable[[Case], Result | None],
    run: Callable[[Case], Result],
    describe: Callable[[Case, Result], str],
) -> list[Result]:
    """Return the result of each case, reusing those that an earlier run has kept.

    Args:
        label: What is counted, for the progress bar.
        cases: Carried out one after another.
        find_kept: Returns the result that an earlier run has kept, or None.
        run: Carries out a case.
        describe: Returns the line about a result, where no bar is shown.
    """
    results = []
    with counting_bar() as bar:
        task = bar.add_task(label, total=len(cases))
        for case in cases:
            kept = find_kept(case)
            results.append(result := kept or run(case))
            bar.advance(task)
            if bar.disable:
                talk(f"{describe(case, result)} ({'kept' if kept else f'{result.wall_s:.0f} s'})")
    return results


def print_scores(
    tables: Iterable[tuple[str, Sequence[Any]]],  # Any: each benchmark has its own rows
    columns: Sequence[str],
    cells: Callable[[Any], Sequence[str]],
) -> None:
    """Print a table of figures for each heading, one row per name."""
    for name, rows in tables:
        print_table((name, *columns), ((row.name, *cells(row)) for row in rows), right=columns)


def practice_console(release: str, drifts: Mapping[str, Path]) -> ConsoleSettings:
    """Return the console of a suite's release, with its drift file if it has one."""
    base = release.partition("+")[0]
    drift = drifts.get(release)
    return ConsoleSettings(kind="practice", release=base, drift=drift, settle_s=SETTLE_S)


def on_practice(
    settings: Settings, folder: Path, jobs: int | None, console: ConsoleSettings
) -> Settings:
    """Settings of a run on a practice cloud of its own, with its data in the folder.

    Args:
        settings: The user's.
        folder: Of the benchmark.
        jobs: Procedures under way at the same time; None: as the settings say.
        console: The practice cloud.
    """
    # the practice cloud's log has all that happened once it answers: nothing comes late
    verification = settings.verification.model_copy(update={"audit_wait_s": 0.0})
    changed = {"consoles": {"practice": console}, "verification": verification}
    return on_console(settings.model_copy(update=changed), folder, jobs, "practice")


def on_console(settings: Settings, folder: Path, jobs: int | None, console: str) -> Settings:
    """Settings of a run on a console of the user's own."""
    verification, browser = settings.verification, settings.browser
    if jobs:
        verification = verification.model_copy(update={"parallel": jobs})
        browser = browser.model_copy(update={"pool_size": jobs})
    return settings.model_copy(
        update={
            "data_dir": folder / "data",
            "console": console or settings.console,
            "verification": verification,
            "browser": browser,
        }
    )
