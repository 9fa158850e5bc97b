"""`appliance verify`: the main job."""

import click

from appliance.cli._app import CLEAN, Invocation, pass_invocation
from appliance.cli._narrowing import narrowed
from appliance.cli._options import (
    NarrowingOptions,
    ReportOptions,
    Selection,
    ServerOptions,
    collect_options,
    narrowing_options,
    report_options,
    selection_options,
    server_options,
)
from appliance.cli._output import json_option, talk
from appliance.cli._remote import named_server, server_of
from appliance.cli._summary import counted
from appliance.cli._verification import Verification
from appliance.cli._watching import watch
from appliance.core.errors import SetupError
from appliance.verification import check_policy


@click.command("verify")
@selection_options("Only procedures whose id or title matches. May be repeated.")
@narrowing_options
@server_options
@report_options
@json_option
@pass_invocation
@collect_options(Selection, NarrowingOptions, ServerOptions, ReportOptions)
def command(
    invocation: Invocation,
    selection: Selection,
    narrowing: NarrowingOptions,
    where: ServerOptions,
    options: ReportOptions,
) -> int:
    """Carry out the procedures of DOC... in a console, and report which sentences are untrue.

    DOC is a Markdown, reStructuredText, HTML, AsciiDoc, DocBook or DITA file, or a folder of them.
    Without settings, a practice cloud is started for the run.
    """
    is_ours = selection.console and not named_server(where.server)
    settings = invocation.settings({"console": selection.console} if is_ours else {})
    server = server_of(settings, where.server, where.key_file)
    if narrowing.watches and not where.waits:
        raise SetupError("--watch waits for each result: leave --no-wait out.")
    if server is None:
        check_policy(selection.policy, settings.model)
    whole = Verification(settings, selection, options, server)
    documents = whole.read()
    procedures = whole.choose(documents)
    chosen = narrowed(documents, procedures, whole, narrowing)
    left_out = len(procedures) - len(chosen)
    if left_out:
        talk(f"Left out: {counted(left_out, 'procedure')} of {len(procedures)}.")
    job = whole.of(chosen) if left_out else whole
    if not where.waits:
        return job.begin(documents, chosen) if chosen else job.tell_nothing()
    code = job.carry_out(documents, chosen) if chosen else job.tell_nothing()
    if narrowing.watches:
        watch(whole, documents)
        return CLEAN
    return code
