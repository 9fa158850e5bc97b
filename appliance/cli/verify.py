"""`appliance verify`: the main job."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from appliance.cli._app import CLEAN, FINDINGS, Invocation, pass_invocation
from appliance.cli._local import verify_here
from appliance.cli._options import (
    ReportOptions,
    Selection,
    collect_options,
    read_documents,
    report_options,
    selection_options,
)
from appliance.cli._output import (
    as_the_user_wants,
    data_console,
    json_option,
    local_time,
    talk,
    write_json,
)
from appliance.cli._progress import progress
from appliance.cli._remote import server_of
from appliance.cli._served import verify_at
from appliance.cli._summary import counted, print_run
from appliance.cli._terminal import people_at_terminal
from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.core.result import RunResult
from appliance.core.result_json import result_document
from appliance.core.verdict import Verdict
from appliance.documents import outline_of
from appliance.engine.reading import choose, with_candidates
from appliance.engine.request import RunKind
from appliance.reports import write_reports
from appliance.store.artifacts import ArtifactStore
from appliance.verification import asks_model, check_policy


@click.command("verify")
@selection_options("Only procedures whose id or title matches. May be repeated.")
@report_options
@json_option
@pass_invocation
@collect_options(Selection, ReportOptions)
def command(invocation: Invocation, selection: Selection, options: ReportOptions) -> int:
    """Carry out the procedures of DOC... in a console, and report which sentences are untrue.

    DOC is a Markdown, reStructuredText, HTML, AsciiDoc, DocBook or DITA file, or a folder of them.
    Without settings, a practice cloud is started for the run.
    """
    settings = invocation.settings({"console": selection.console} if selection.console else {})
    if server := server_of(settings):
        if selection.checks:
            raise SetupError("--checks is the server's own: see documentation.checks")
        return _report(verify_at(server, selection), settings, options)
    check_policy(selection.policy, settings.model)
    has_model = asks_model(selection.policy, settings.model)
    whole = read_documents(selection.docs, selection.checks, may_be_empty=has_model)
    documents = tuple(map(outline_of, whole))
    if has_model:
        documents = with_candidates(documents, selection.patterns)
    procedures = choose(documents, selection.patterns)
    request = selection.request(RunKind.VERIFICATION, settings.console)
    talk(f"{counted(len(procedures), 'procedure')} against {request.console}.")
    with progress(len(procedures)) as subscriber:
        run = verify_here(settings, request, subscriber, people=people_at_terminal(subscriber))
    return _report(run, settings, options)


def _report(run: RunResult, settings: Settings, options: ReportOptions) -> int:
    files = write_run(run, settings, options)
    _tell(run, files, options.as_json)
    return exit_code(run, strict=options.strict)


def write_run(run: RunResult, settings: Settings, options: ReportOptions) -> tuple[Path, ...]:
    """Write the reports where the options say; the files' paths."""
    artifacts = ArtifactStore(settings.data_dir / "artifacts")
    folder = options.out or settings.data_dir / "reports" / run.id
    with as_the_user_wants() if options.out else nullcontext():
        return write_reports(run, options.formats, folder, artifacts.get, language=options.language)


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
