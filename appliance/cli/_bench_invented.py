"""`appliance bench invented`: whether an untrue sentence is ever shown as verified."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Literal

import click

from appliance.benchmark.drift.truth import read_all
from appliance.benchmark.invented.choose import chosen_untruths
from appliance.benchmark.invented.editions import editions_of
from appliance.benchmark.invented.run import EditionResult, Suite, Verify, true_result
from appliance.benchmark.invented.score import (
    COLUMNS,
    cells,
    invented_document,
    invented_score,
    report,
    summed_up,
)
from appliance.cli._app import CLEAN, Invocation, pass_invocation
from appliance.cli._bench_runs import (
    jobs_option,
    kept_or_run,
    on_practice,
    out_option,
    print_scores,
    write_results,
)
from appliance.cli._local import verification_of, verify_here
from appliance.cli._options import collect_options
from appliance.cli._output import as_the_user_wants, json_option, talk, write_json
from appliance.cli._progress import counting_bar
from appliance.config import ConsoleSettings
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ProcedureResult, RunResult
from appliance.core.source import Span
from appliance.documents import load_documents
from appliance.practice.releases import DOCUMENTATION, catalogue, releases

_TRUE_AT_ONCE = 40
"""Procedures of the true documentation in one run: so many are done when the bar moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """Which untruths are verified."""

    part: Literal["seen", "held-out", "all"]
    size: int | None
    seed: int
    true: int


@click.command("invented")
@click.option(
    "--part",
    type=click.Choice(["seen", "held-out", "all"]),
    default="seen",
    show_default=True,
    help="Those that everybody may look at, those that are held out, or both.",
)
@click.option("--size", type=click.IntRange(1), help="So many of them, spread over the kinds [all]")
@click.option(
    "--seed",
    default=1,
    show_default=True,
    help="The same number writes the same sentences by rule.",
)
@click.option(
    "--true",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    metavar="N",
    help="Verify N procedures of the untouched documentation too: nothing may be found there.",
)
@jobs_option
@out_option("invented")
@json_option
@pass_invocation
@collect_options(_Choice)
def invented_command(
    invocation: Invocation, choice: _Choice, jobs: int | None, out: Path | None, as_json: bool
) -> int:
    """Write false sentences into the bundled documentation, and see what is shown of them.

    They are of every kind of claim, written by hand and by rules, a few in each copy, and verified
    against the practice cloud without a model. None may be shown as confirmed; the table says how
    many were contradicted, and how many nobody looked at. A run that was interrupted goes on where
    it was: the result of each copy is kept.
    """
    settings = invocation.settings()
    folder = out or settings.data_dir / "bench" / "invented"
    documents = load_documents([DOCUMENTATION])
    console = ConsoleSettings(kind="practice", release=releases()[0])
    practice_settings = on_practice(settings, folder, jobs, console)

    def verify(copies: Sequence[Document], procedures: Sequence[Procedure]) -> RunResult:
        return verify_here(
            practice_settings, verification_of(practice_settings, copies, procedures)
        )

    reads = read_all(documents, catalogue(releases()[0]), DOCUMENTATION)
    untruths = chosen_untruths(choice.part, choice.size, choice.seed, reads)
    with as_the_user_wants() if out else nullcontext():
        folder.mkdir(parents=True, exist_ok=True)
    suite = Suite(folder, shown_green)
    results = kept_or_run(
        "Copies",
        editions_of(untruths, documents),
        suite.known,
        lambda edition: suite.run(edition, verify),
        lambda edition, result: f"copy {edition.name}: {summed_up(invented_score([result]))}",
    )
    true_ones = _run_true(documents, choice.true, verify)
    with as_the_user_wants() if out else nullcontext():
        document = invented_document(results, true_ones)
        write_results(folder, report(results, true_ones), document)
    if as_json:
        write_json(document)
    else:
        score = invented_score(results, true_ones)
        by_kind = [*score.by_kind, score.total]
        print_scores((("Kind", by_kind), ("Part", score.by_other)), COLUMNS, cells)
        click.echo(summed_up(score))
    talk(f"Written: {folder / 'report.md'}")
    return CLEAN


def shown_green(
    document: Document, procedure: Procedure, result: ProcedureResult
) -> tuple[Span, ...]:
    """What the report of a procedure marks as verified."""
    # here, because it brings the whole dashboard with it
    from appliance.server.dashboard import CurrentProcedure, Mark, marked_lines

    judged = CurrentProcedure(procedure=procedure, result=result)
    green = []
    for line in marked_lines(document.lines, [judged]):
        column = 1
        for piece in line.pieces:
            end = column + len(piece.text)
            if piece.mark is Mark.VERIFIED:
                green.append(Span(document.path, line.number, column, line.number, end))
            column = end
    return tuple(green)


def _run_true(documents: Sequence[Document], number: int, verify: Verify) -> list[EditionResult]:
    """The untouched documentation, round after round."""
    results = []
    with counting_bar() as bar:
        task = bar.add_task("True procedures", total=number)
        for count, procedures in enumerate(_rounds(documents, number), 1):
            results.append(true_result(f"true-{count}", verify(documents, procedures)))
            bar.advance(task, len(procedures))
            if bar.disable:
                counts = (
                    f"{len(results[-1].false_findings)} findings in {len(procedures)} procedures"
                )
                talk(f"true {count}: {counts} ({results[-1].wall_s:.0f} s)")
    return results


def _rounds(documents: Sequence[Document], number: int) -> Iterator[tuple[Procedure, ...]]:
    """So many procedures, none twice in a run."""
    every = [procedure for document in documents for procedure in document.procedures]
    indices = list(islice(cycle(range(len(every))), number))
    while indices:
        size = min(_TRUE_AT_ONCE, len(every) - indices[0])
        yield tuple(every[index] for index in indices[:size])
        indices = indices[size:]
