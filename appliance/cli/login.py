"""`appliance login`: whether an account gets in, and log-ins that a person does."""

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from appliance.cli._app import CLEAN, FINDINGS, Invocation, pass_invocation
from appliance.cli._output import json_option, talk, write_json
from appliance.cli._remote import server_of
from appliance.cli.account import checked, parse_rows
from appliance.config import Settings
from appliance.core.errors import ConsoleError, SetupError

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.consoles import Account, RecordedLogIns
    from appliance.environment.account_rows import AccountRow


@click.command("login")
@click.argument("console", required=False, metavar="[CONSOLE]")
@click.option("--account", metavar="NAME", help="As that account [default: the first]")
@click.option("--record", is_flag=True, help="A person logs in, and that is kept, encrypted.")
@click.option(
    "--from",
    "file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Keep a log-in that was made elsewhere: a storage state of Playwright's.",
)
@json_option
@pass_invocation
def command(
    invocation: Invocation,
    console: str | None,
    account: str | None,
    record: bool,
    file: Path | None,
    as_json: bool,
) -> int:
    """Try the log-in to CONSOLE, or record the one that a person does (`log_in: state`).

    With --record a browser opens where there is a display; where there is none, the running server
    asks a question in its dashboard, and whoever answers logs in by the page's picture.
    """
    from appliance.consoles import matching_accounts, parse_state

    settings = invocation.settings()
    name = settings.console_name(console)
    identities = settings.consoles[name].identities
    identity = matching_accounts(name, identities, account)[0]
    if (record or file) and settings.consoles[name].log_in != "state":
        raise SetupError(f"only the log-in of a console with `log_in: state` is recorded: {name}")
    if file is not None:
        state = parse_state(file.read_text("utf-8"), file)
        _log_in_records(settings).keep(name, identity.name, state)
    elif record and _has_display():
        asyncio.run(_record_here(settings, name, identity))
    elif record:
        return _tell(_record_there(settings, name, identity), name, as_json)
    (row,) = checked(settings, name, [identity.name])
    return _tell(row, name, as_json)


def _tell(row: "AccountRow", console: str, as_json: bool) -> int:
    can = row.health is not None and row.health.can_log_in
    if as_json:
        write_json(row)
    elif can:
        talk(f"{row.name} can log in to {console}.")
    else:
        talk(f"{row.name} cannot log in to {console}: {row.health.problem if row.health else ''}")
    return CLEAN if can else FINDINGS


def _log_in_records(settings: Settings) -> "RecordedLogIns":
    from appliance.consoles import RecordedLogIns

    records = RecordedLogIns.of(settings)
    if records is None:
        raise SetupError(
            "a recorded log-in is kept encrypted, and there is no key for it: set storage.key_file"
            " or storage.key_env (`openssl rand -base64 32` makes one)"
        )
    return records


def _has_display() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


async def _record_here(settings: Settings, name: str, account: "Account") -> None:
    """In a browser of its own that the person sees."""
    from appliance.browser import BrowserPool
    from appliance.consoles import RecordedLogIn, configured_console, open_start

    if not sys.stdin.isatty():
        raise SetupError("start this in a terminal: you say there when you have logged in")
    console_settings = settings.consoles[name]
    recorded = RecordedLogIn(
        name, console_settings.url, await asyncio.to_thread(_log_in_records, settings)
    )
    console = await asyncio.to_thread(configured_console, settings, name)
    visible_browser = {"headless": False, "pool_size": 1, "spare_pages": 0}
    async with (
        BrowserPool(
            settings.browser.model_copy(update=visible_browser), (console.network,)
        ) as pool,
        pool.page(console.hosts, console_settings.locale or "en", console.network) as page,
    ):
        await open_start(page, console_settings.url)
        talk("Log in in the browser that has opened, then press Enter here.")
        await asyncio.to_thread(sys.stdin.readline)
        if not await recorded.renew(page, account):
            raise ConsoleError(f"{name} asks for a log-in still: nothing was recorded")


def _record_there(settings: Settings, name: str, account: "Account") -> "AccountRow":
    """By a question of the server's."""
    server = server_of(settings)
    if server is None:
        raise SetupError(
            "there is no display here, and no server runs: start `appliance serve`, whose dashboard"
            " then asks for the log-in; or record it elsewhere and bring it here by --from FILE"
        )
    talk(f"Log in at {server.url}/questions, by the picture of the page; this waits for you.")
    path = f"/accounts/{quote(account.name, safe='')}/log-in"
    (row,) = parse_rows([server.post(path, console=name)])
    return row
