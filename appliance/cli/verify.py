"""`appliance verify`: the main job."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from appliance.cli._app import CLEAN, FINDINGS, Invocation, pass_invocation
from appliance.cli._asking import people_at_terminal
from appliance.cli._local import verify_here
from appliance.cli._output import data_console, json_option, talk, write_json
from appliance.cli._private import as_the_user_wants
from appliance.cli._progress import progress
from appliance.cli._remote import server_of
from appliance.cli._selection import checks_option, read_documents
from appliance.cli._served_runs import about, verify_at
from appliance.cli._summary import counted, print_run
from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.core.result import RunResult
from appliance.core.result_json import result_document
from appliance.core.verdict import Verdict
from appliance.engine import RunKind, RunRequest, choose
from appliance.reports import FILE_NAMES, write_reports
from appliance.store import ArtifactStore
from appliance.verification import POLICIES, check_policy


def _formats(ctx: click.Context, param: click.Parameter, text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    unknown = [repr(name) for name in names if name not in FILE_NAMES]
    if unknown or not names:
        got = ", ".join(unknown) or "nothing"
        raise click.BadParameter(f"choose among {', '.join(FILE_NAMES)}; got {got}.", ctx, param)
    return names


def _values(ctx: click.Context, param: click.Parameter, pairs: Sequence[str]) -> dict[str, str]:
    values = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"expected name=value, got {pair!r}.", ctx, param)
        values[name.strip()] = value
    return values


values_option = click.option(
    "--set",
    "values",
    multiple=True,
    callback=_values,
    metavar="NAME=VALUE",
    help="A value for what the text leaves open. May be repeated.",
)
policy_option = click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="auto",
    show_default=True,
    help="What chooses the actions: an earlier verified attempt again, the text read word by word,"
    " or a model; `auto` takes the cheapest that can decide.",
)
out_option = click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder for the reports [default: reports/RUN in the data folder]",
)
formats_option = click.option(
    "--format",
    "formats",
    callback=_formats,
    default="html,json",
    show_default=True,
    metavar="LIST",
    help=f"Reports to write, separated by commas: {', '.join(FILE_NAMES)}.",
)


@click.command("verify")
@click.argument("docs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DOC...")
@click.option("--console", metavar="NAME", help="Console of the settings to verify against.")
@policy_option
@click.option(
    "--procedure",
    "patterns",
    multiple=True,
    metavar="GLOB",
    help="Only procedures whose id or title matches. May be repeated.",
)
@values_option
@checks_option
@out_option
@formats_option
@click.option("--strict", is_flag=True, help="Exit with 1 on blocked and undecided procedures too.")
@json_option
@pass_invocation
def command(
    invocation: Invocation,
    docs: tuple[Path, ...],
    console: str | None,
    policy: str,
    patterns: tuple[str, ...],
    values: dict[str, str],
    checks: tuple[Path, ...],
    out: Path | None,
    formats: tuple[str, ...],
    strict: bool,
    as_json: bool,
) -> int:
    """Carry out the procedures of DOC... in a console, and report which sentences are untrue.

    DOC is a Markdown, reStructuredText or HTML file, or a folder of them. Without settings, a
    practice cloud is started for the run.
    """
    settings = invocation.settings({"console": console} if console else {})
    if server := server_of(settings):
        if checks:
            raise SetupError("--checks is the server's own: see documentation.checks")
        run = verify_at(server, docs, about(console, patterns, values, policy))
        return _show(run, settings, out, formats, strict=strict, as_json=as_json)
    check_policy(policy, settings.model)
    procedures = choose(read_documents(docs, checks), patterns)
    request = RunRequest(
        kind=RunKind.VERIFICATION,
        console=settings.console,
        documents=docs,
        checks=checks,
        patterns=patterns,
        values=values,
        policy=policy,
    )
    talk(f"{counted(len(procedures), 'procedure')} against {request.console}.")
    with progress(procedures) as subscriber:
        run = verify_here(settings, request, subscriber, people=people_at_terminal(subscriber))
    return _show(run, settings, out, formats, strict=strict, as_json=as_json)


def _show(
    run: RunResult,
    settings: Settings,
    out: Path | None,
    formats: tuple[str, ...],
    *,
    strict: bool,
    as_json: bool,
) -> int:
    artifacts = ArtifactStore(settings.data_dir / "artifacts")
    folder = out or settings.data_dir / "reports" / run.id
    with as_the_user_wants() if out else nullcontext():
        written = write_reports(run, formats, folder, artifacts.get)
    _tell(run, written, as_json)
    return exit_code(run, strict=strict)


def exit_code(run: RunResult, *, strict: bool) -> int:
    """1 where the documentation is untrue; `strict`: or could not be judged."""
    summary = run.summary
    untrue = summary.findings + summary.drifted + summary.broken
    open_questions = summary.blocked + summary.undecided
    return FINDINGS if untrue or (strict and open_questions) else CLEAN


def _tell(run: RunResult, written: Sequence[Path], as_json: bool) -> None:
    if as_json:
        write_json(result_document(run))
    else:
        print_run(run, data_console())
    for file in written:
        talk(f"Written: {file}")
    waiting = [p.pending_until for p in run.procedures if p.pending_until]
    if waiting:
        until = f"{max(waiting).astimezone():%Y-%m-%d %H:%M}"
        talk(
            f"{counted(len(waiting), 'verdict')} may change until {until}: audit logs are late,"
            f" and `appliance run settle {run.id}` asks them again."
        )
    if all(result.verdict is Verdict.BLOCKED for result in run.procedures):
        talk("Warning: nothing was verified: every procedure is blocked.")
