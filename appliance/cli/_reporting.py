"""What becomes of a run's result: files, words, and the exit code."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.cli._app import CLEAN, FINDINGS
from appliance.cli._options import ReportOptions
from appliance.cli._output import as_the_user_wants, data_console, talk, write_json
from appliance.cli._summary import counted, print_run
from appliance.cli._times import local_time
from appliance.config import Settings
from appliance.core.result import RunResult
from appliance.core.result_json import result_document
from appliance.core.verdict import Verdict
from appliance.store.artifacts import ArtifactStore

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.reports import ReadArtifact


def report(
    run: RunResult,
    settings: Settings,
    options: ReportOptions,
    read_artifact: "ReadArtifact | None" = None,
) -> int:
    """Write the reports and say what came of it; the exit code. See `write_run`."""
    files = write_run(run, settings, options, read_artifact)
    _tell(run, files, options.as_json)
    return exit_code(run, strict=options.strict)


def write_run(
    run: RunResult,
    settings: Settings,
    options: ReportOptions,
    read_artifact: "ReadArtifact | None" = None,
) -> tuple[Path, ...]:
    """Write the reports where the options say; the files' paths.

    Args:
        run: The run.
        settings: With the data folder.
        options: Formats and folder.
        read_artifact: Gives evidence; None: it is in the data folder.
    """
    from appliance.reports import write_reports

    read = read_artifact or ArtifactStore(settings.data_dir / "artifacts").get
    folder = options.out or settings.data_dir / "reports" / run.id
    with as_the_user_wants() if options.out else nullcontext():
        return write_reports(run, options.formats, folder, read, language=options.language)


def exit_code(run: RunResult, *, strict: bool) -> int:
    """1 where the documentation is untrue; `strict`: or could not be judged."""
    summary = run.summary
    untrue = summary.findings + summary.drifted + summary.broken
    open_questions = summary.blocked + summary.undecided
    return FINDINGS if untrue or (strict and open_questions) else CLEAN


def _tell(run: RunResult, files: Sequence[Path], as_json: bool) -> None:
    if as_json:
        write_json(result_document(run))
    else:
        print_run(run, data_console())
    for file in files:
        talk(f"Written: {file}")
    waiting = [p.pending_until for p in run.procedures if p.pending_until]
    if waiting:
        talk(
            f"{counted(len(waiting), 'verdict')} may change until {local_time(max(waiting))}:"
            " audit logs are late,"
            f" and `appliance run settle {run.id}` asks them again."
        )
    if all(result.verdict is Verdict.BLOCKED for result in run.procedures):
        talk("Warning: nothing was verified: every procedure is blocked.")
