"""`appliance finding replay`: carries out the procedure of a finding again."""

import shlex
from pathlib import Path

import click

from appliance.cli._app import Invocation, app, pass_invocation
from appliance.cli._history import RemoteRecords, finding_of, records
from appliance.cli._options import Selection
from appliance.cli._output import data_console, json_option, talk, write_json
from appliance.cli._summary import print_run, replay_command
from appliance.core.result import procedure_of
from appliance.core.result_json import result_document


@click.command("replay")
@click.argument("finding_id", metavar="FINDING")
@json_option
@pass_invocation
def command(invocation: Invocation, finding_id: str, as_json: bool) -> int:
    """Carry out the procedure in which FINDING was seen, and say whether it is still there."""
    from appliance.cli._reporting import exit_code
    from appliance.cli._served import begin_by_path, end_of

    with records(invocation.settings()) as history:
        finding = finding_of(history, finding_id)
        server = history.server if isinstance(history, RemoteRecords) else None
    if server is None:
        words = replay_command(finding.finding.document, finding.procedure_id, finding.console)
        talk(words)
        more = ["--json"] if as_json else []
        ended = app.main(
            [*shlex.split(words)[1:], *more], "appliance", standalone_mode=False, obj=invocation
        )
        return int(ended or 0)
    selection = Selection(
        docs=(Path(finding.finding.document),),
        console=finding.console,
        patterns=(procedure_of(finding.procedure_id),),
    )
    run = end_of(server, begin_by_path(server, selection))
    if as_json:
        write_json(result_document(run))
    else:
        print_run(run, data_console())
    return exit_code(run, strict=False)
