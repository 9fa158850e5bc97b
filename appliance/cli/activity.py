"""`appliance activity`: who did what, who was refused, and who came with a wrong key."""

import click

from appliance.cli._activity_log import record_activity
from appliance.cli._app import CLEAN, FINDINGS, Invocation, Noun, pass_invocation
from appliance.cli._history import history
from appliance.cli._options import collect_options, options
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._remote import read_as, server_of
from appliance.cli._times import Moment, local_time
from appliance.core.jsonable import json_object
from appliance.server.permissions import Permission
from appliance.store.activity import ActivityFilter, Chain, Entry, Outcome
from appliance.store.activity_export import ActivityFormat, exported
from appliance.store.paging import Paging


@click.group("activity", cls=Noun)
def command() -> None:
    """List who did what with the server and the store, and export it.

    Entries are added only; each has a hash over itself and the one before.
    """


def _query_parameters(filters: ActivityFilter) -> dict[str, str | int | None]:
    """Return the filters as query parameters of the REST API."""
    return {
        name: value if value is None else str(value) for name, value in json_object(filters).items()
    }


_filtered = options(
    click.option("--who", metavar="NAME", help="Only of that key, person or user."),
    click.option("--deed", metavar="DEED", help="Only that, such as `create-key` or `log-in`."),
    click.option(
        "--outcome",
        type=click.Choice([outcome.value for outcome in Outcome]),
        callback=lambda _context, _option, name: Outcome(name) if name else None,
        help="Only these.",
    ),
    click.option("--address", metavar="ADDRESS", help="Only from that client."),
    click.option("--since", type=Moment(), metavar="30d|DATE", help="Not before then."),
    click.option("--until", type=Moment(), metavar="30d|DATE", help="Before then."),
)
"""The options that say which entries."""


@command.command("list")
@_filtered
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1), help="At most.")
@json_option
@pass_invocation
@collect_options(ActivityFilter)
def list_command(
    invocation: Invocation, filters: ActivityFilter, limit: int, as_json: bool
) -> None:
    """List what people did, newest first."""
    rows = _entries(invocation, filters, limit)
    if as_json:
        write_json(rows)
        return
    if not rows:
        talk("There is nothing of that kind.")
        return
    cells = []
    for entry in rows:
        when = local_time(entry.happened_at)
        person = f"{entry.who} ({entry.role})" if entry.role else entry.who
        origin = entry.address or entry.way
        cells.append((when, person, origin, entry.deed, entry.object, entry.outcome, entry.detail))
    headings = ("When", "Who", "From", "Deed", "With", "Outcome", "Detail")
    print_table(headings, cells, whole=("When", "Deed", "Outcome"))


@command.command("export")
@click.option(
    "--format",
    "format",
    type=click.Choice([format.value for format in ActivityFormat]),
    default=ActivityFormat.JSONL.value,
    show_default=True,
    help="JSON Lines, exactly as kept, or CSV for spreadsheets.",
)
@_filtered
@json_option
@pass_invocation
@collect_options(ActivityFilter)
def export_command(
    invocation: Invocation, filters: ActivityFilter, format: str, as_json: bool
) -> None:
    """Print all entries, oldest first, for another program to keep. --json: JSON Lines."""
    settings, kind = invocation.settings(), ActivityFormat.JSONL if as_json else format
    if server := server_of(settings):
        for text in server.stream(
            "/activity/export", format=str(kind), **_query_parameters(filters)
        ):
            click.echo(text, nl=False)
        return
    with history(settings) as store:
        record_activity(store, Permission.EXPORT_ACTIVITY, str(kind))
        for line in exported(store.activity.each(filters), ActivityFormat(kind)):
            click.echo(line, nl=False)


@command.command("check")
@click.option("--seen", default="", metavar="HASH", help="A hash that was noted elsewhere.")
@json_option
@pass_invocation
def check(invocation: Invocation, seen: str, as_json: bool) -> int:
    """Check that no entry was changed, removed or put in.

    Whoever may write to the store could make all hashes anew, or cut the last entries off. So note
    the last hash elsewhere (the program's log has it with every entry), and give it as HASH.
    """
    settings = invocation.settings()
    if server := server_of(settings):
        chain = read_as(Chain, server.get("/activity/chain", seen=seen))
    else:
        with history(settings) as store:
            chain = store.activity.check(seen)
    if as_json:
        write_json({"is_whole": chain.is_whole, **json_object(chain)})
    elif chain.broken_at is not None:
        talk(f"Entry {chain.broken_at} is not as it was written, or one before it was removed.")
    elif not chain.has_seen:
        talk(f"No entry has the hash {seen}: these are others, or the last were removed.")
    else:
        click.echo(chain.last_hash)
        talk(f"{chain.entries} of {chain.entries} entries are as they were written.")
    return CLEAN if chain.is_whole else FINDINGS


def _entries(invocation: Invocation, filters: ActivityFilter, limit: int) -> list[Entry]:
    settings = invocation.settings()
    if server := server_of(settings):
        rows = server.items("/activity", limit, **_query_parameters(filters))
        return [read_as(Entry, row) for row in rows]
    with history(settings) as store:
        return list(store.activity.page(Paging(limit=limit), filters).items)
