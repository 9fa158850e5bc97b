"""`appliance run propose`: a pull or merge request with what a run suggests."""

from pathlib import Path

import click

from appliance.cli._app import Invocation, pass_invocation
from appliance.cli._history import records, run_id_of
from appliance.cli._output import json_option, talk, write_json
from appliance.cli._summary import counted
from appliance.config import RepositorySettings
from appliance.core.errors import SetupError


@click.command("propose")
@click.argument("run_id", metavar="[RUN]", required=False)
@click.option(
    "--untried",
    is_flag=True,
    help="Also suggestions with which no procedure was carried out once more (`--try-patches`).",
)
@click.option("--dry-run", is_flag=True, help="Say what would be proposed, and change nothing.")
@json_option
@pass_invocation
def command(
    invocation: Invocation, run_id: str | None, untried: bool, dry_run: bool, as_json: bool
) -> None:
    """Open a pull or merge request with the corrections of a run, where `repository` says.

    Of the latest run, or the one whose id begins with RUN. The same again gives the request its
    text anew.
    """
    from appliance.proposals.choose import code_host
    from appliance.proposals.proposal import proposal_of, propose

    settings = invocation.settings()
    host = code_host(settings.repository, settings.outward)
    with records(settings) as history:
        run = history.load_run(run_id_of(history, run_id))
    proposal = proposal_of(
        run,
        host,
        settings.repository,
        lambda document: _path(document, settings.repository),
        with_untried=untried,
    )
    for line in proposal.left_out:
        talk(f"Left out: {line}.")
    if not proposal.files:
        raise SetupError(f"run {run.id} has no correction that can be proposed")
    request = None if dry_run else propose(proposal, host)
    if as_json:
        files = {path: content.decode() for path, content in proposal.files.items()}
        outcome = {"branch": proposal.branch, "base": proposal.base, "files": files}
        outcome |= {"title": proposal.words.title, "text": proposal.words.body}
        write_json(outcome | {"url": request.url if request else None})
        return
    number = counted(proposal.edits, "correction")
    talk(f"{number} on branch {proposal.branch}, for {proposal.base}:")
    click.echo(request.url if request else proposal.words.body)


def _path(document: str, settings: RepositorySettings) -> str:
    """Its path in the repository."""
    from appliance.reports import repository_path

    root = settings.root
    if root is not None and Path(document).is_relative_to(root):
        return Path(document).relative_to(root).as_posix()
    return repository_path(document)
