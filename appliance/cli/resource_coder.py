"""`appliance resource coder`: what a model wrote, and whether it becomes a resource module."""

import click

from appliance.cli._activity_log import ACCEPT_MODULE, REJECT_MODULE, record_activity, user_name
from appliance.cli._app import Invocation, Noun, pass_invocation
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._remote import id_that_begins
from appliance.cli._summary import counted
from appliance.cli._times import local_time
from appliance.core.jsonable import json_object
from appliance.store.candidates import Candidate, CandidateState, CandidateTable
from appliance.store.store import Store

_SHORT = 60
"""Characters of a request in the table."""


@click.group("coder", cls=Noun)
def command() -> None:
    """Look at the modules that a model wrote, and accept or reject them."""


@command.command("list")
@click.option("--all", "is_all", is_flag=True, help="Also those that were decided.")
@json_option
@pass_invocation
def list_command(invocation: Invocation, is_all: bool, as_json: bool) -> None:
    """List what worked and waits for somebody to decide."""
    with Store.open(invocation.settings().data_dir) as store:
        candidates = store.candidates.all(None if is_all else CandidateState.PROPOSED)
    if as_json:
        write_json(candidates)
        return
    cells = []
    for each in candidates:
        request = " ".join(each.request.split())
        short = request if len(request) <= _SHORT else f"{request[:_SHORT]}…"
        made = local_time(each.made_at)
        cells.append((each.id, each.state, each.console, short, made, each.note))
    print_table(("id", "state", "console", "request", "made", "note"), cells)
    talk(f"{counted(len(candidates), 'module')}.")


@command.command("show")
@click.argument("candidate_id", metavar="ID")
@json_option
@pass_invocation
def show_command(invocation: Invocation, candidate_id: str, as_json: bool) -> None:
    """Show the configuration whose id begins with ID."""
    with Store.open(invocation.settings().data_dir) as store:
        candidate = _one(store.candidates, candidate_id)
    if as_json:
        write_json(candidate)
        return
    click.echo(f"# {' '.join(candidate.request.split())}\n\n{candidate.hcl}")


@command.command("accept")
@click.argument("candidate_id", metavar="ID")
@click.option("--name", default="", help="What the module is called [default: after what it makes]")
@click.option("--note", default="", help="Why, for whoever comes later.")
@json_option
@pass_invocation
def accept_command(
    invocation: Invocation, candidate_id: str, name: str, note: str, as_json: bool
) -> None:
    """Make a resource module of it: from the next run on, it is used without a model."""
    from appliance.environment.coder import accept

    settings = invocation.settings()
    with Store.open(settings.data_dir) as store:
        candidate = _one(store.candidates, candidate_id)
        folder = accept(store.candidates, candidate, settings, name=name, by=user_name(), note=note)
        record_activity(store, ACCEPT_MODULE, candidate.id, note)
    if as_json:
        write_json({"id": candidate.id, "state": "accepted", "folder": str(folder)})
        return
    click.echo(str(folder))
    talk("Read its module.yaml: what it provides, in both languages, is yours to say.")


@command.command("reject")
@click.argument("candidate_id", metavar="ID")
@click.option("--note", required=True, help="Why, for whoever comes later.")
@json_option
@pass_invocation
def reject_command(invocation: Invocation, candidate_id: str, note: str, as_json: bool) -> None:
    """Keep it from becoming a module; it stays in the list of all."""
    with Store.open(invocation.settings().data_dir) as store:
        candidate = _one(store.candidates, candidate_id)
        decided = store.candidates.decide(
            candidate.id, CandidateState.REJECTED, by=user_name(), note=note
        )
        record_activity(store, REJECT_MODULE, candidate.id, note)
    if as_json:
        write_json(json_object(decided))
        return
    talk(f"{decided.id} is rejected.")


def _one(candidates: CandidateTable, beginning: str) -> Candidate:
    """The one whose id begins so."""
    by_id = {candidate.id: candidate for candidate in candidates.all()}
    return by_id[id_that_begins(beginning, by_id, "module", "resource coder list --all")]
