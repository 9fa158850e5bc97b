"""`appliance account`: who may be logged in as, how they are, who is kept out and why."""

import asyncio
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from appliance.cli._activity_log import record_activity, user_name
from appliance.cli._app import CLEAN, FINDINGS, Invocation, Noun, pass_invocation
from appliance.cli._history import store_if_any
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._remote import RemoteServer, read_as, server_of
from appliance.cli._summary import counted
from appliance.cli._times import local_time
from appliance.config import AccountSettings, ConsoleSettings, Settings
from appliance.core.blocking import in_thread
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json
from appliance.core.resources import AccountHealth
from appliance.server.permissions import Permission
from appliance.store.accounts import AccountState
from appliance.store.store import Store

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.consoles import Account
    from appliance.environment.account_rows import AccountRow
    from appliance.environment.accounts import AccountPool

console_option = click.option(
    "--console", metavar="NAME", help="Of that console [default: the one of the settings]"
)
name_argument = click.argument("name", metavar="ACCOUNT")


@click.group("account", cls=Noun)
def command() -> None:
    """List the accounts of a console, check them, and say which may be used."""


@command.command("list")
@console_option
@json_option
@pass_invocation
def list_command(invocation: Invocation, console: str | None, as_json: bool) -> None:
    """List the accounts of the settings, and how it stands with each."""
    from appliance.environment.account_rows import Standing, in_words

    settings = invocation.settings()
    if server := server_of(settings):
        rows = parse_rows(server.get("/accounts", console=console)["items"])
    else:
        rows = _rows(settings, _ConfiguredAccounts.of(settings, console))
    if as_json:
        write_json(rows)
        return
    _print_accounts(rows)
    for row in rows:
        if row.standing is not Standing.FREE:
            talk(f"{in_words(row)}.")


@command.command("check")
@click.argument("names", metavar="[ACCOUNT]...", nargs=-1)
@console_option
@json_option
@pass_invocation
def check_command(
    invocation: Invocation, names: tuple[str, ...], console: str | None, as_json: bool
) -> int:
    """Try the log-in of all accounts, or of those named, and ask for their quotas.

    Whoever cannot log in goes into quarantine, and comes out at a later check that finds it well.
    """
    settings = invocation.settings()
    rows = checked(settings, console, names)
    if as_json:
        write_json(rows)
    else:
        accounts = settings.consoles[console or settings.console].accounts
        quota_kinds = {name: account.quota for name, account in accounts.items()}
        cells = [
            (row.name, *_health_words(row.health, quota_kinds.get(row.name, ()))) for row in rows
        ]
        print_table(("Account", "Log-in", "Used", "Balance"), cells)
    ill = [row for row in rows if row.health is not None and not row.health.can_log_in]
    talk(f"{counted(len(rows), 'account')} checked, {len(ill) or 'none'} of them unusable.")
    return FINDINGS if ill else CLEAN


def checked(
    settings: Settings, console: str | None, names: Sequence[str] = ()
) -> "tuple[AccountRow, ...]":
    """Those accounts, or all, once their log-in was tried: by the server, where one runs."""
    if server := server_of(settings):
        all_names = [row["name"] for row in server.get("/accounts", console=console)["items"]]
        return parse_rows(
            _post_action(server, name, "check", console) for name in names or all_names
        )
    source = _ConfiguredAccounts.of(settings, console)
    chosen = [source.account(name) for name in names or source.known]
    with Store.open(settings.data_dir) as store:
        return tuple(asyncio.run(_check(settings, store, source, chosen)))


@command.command("quarantine")
@name_argument
@click.option("--reason", required=True, metavar="WORDS", help="Why; whoever waits is told.")
@console_option
@json_option
@pass_invocation
def quarantine_command(
    invocation: Invocation, name: str, reason: str, console: str | None, as_json: bool
) -> None:
    """Keep ACCOUNT from being used until it is released."""
    settings = invocation.settings()
    if server := server_of(settings):
        (row,) = parse_rows([_post_action(server, name, "quarantine", console, {"reason": reason})])
    else:
        source = _ConfiguredAccounts.of(settings, console)
        account = source.account(name)
        with Store.open(settings.data_dir) as store:
            pool = _pool_in(store, settings, source)
            asyncio.run(pool.quarantine(name, reason, user_name()))
            record_activity(store, Permission.QUARANTINE_ACCOUNT, f"{source.name}/{name}", reason)
            row = pool.row(account)
    if as_json:
        write_json(row)
    else:
        talk(f"{name} is not used any more until `appliance account release {name}`.")


@command.command("release")
@name_argument
@console_option
@json_option
@pass_invocation
def release_command(invocation: Invocation, name: str, console: str | None, as_json: bool) -> None:
    """Let ACCOUNT out of quarantine: what was wrong with it has been put right."""
    from appliance.environment.account_rows import Standing, in_words

    settings = invocation.settings()
    if server := server_of(settings):
        before = parse_rows(server.get("/accounts", console=console)["items"])
        was_kept = any(row.name == name and row.quarantined_at is not None for row in before)
        (row,) = parse_rows([_post_action(server, name, "release", console)])
    else:
        source = _ConfiguredAccounts.of(settings, console)
        account = source.account(name)
        with Store.open(settings.data_dir) as store:
            pool = _pool_in(store, settings, source)
            was_kept = asyncio.run(pool.release(name))
            record_activity(store, Permission.RELEASE_ACCOUNT, f"{source.name}/{name}")
            row = pool.row(account)
    if as_json:
        write_json(row)
    else:
        talk(f"{name} may be used again." if was_kept else f"{name} was not in quarantine.")
        if row.standing is Standing.LEFT_OVER:
            talk(f"{in_words(row)}.")


def parse_rows(rows: Iterable[object]) -> "tuple[AccountRow, ...]":
    """Parse the accounts in a server's answer."""
    from appliance.environment.account_rows import AccountRow

    return tuple(read_as(AccountRow, row) for row in rows)


def _post_action(
    server: RemoteServer,
    name: str,
    action: str,
    console: str | None,
    data: Mapping[str, Json] | None = None,
) -> object:
    return server.post(f"/accounts/{quote(name, safe='')}/{action}", data, console=console)


@dataclass(frozen=True, slots=True)
class _ConfiguredAccounts:
    """The accounts of the settings, without a console: looking at them needs none."""

    name: str
    settings: ConsoleSettings

    @classmethod
    def of(cls, settings: Settings, console: str | None) -> "_ConfiguredAccounts":
        name = settings.console_name(console)
        source = cls(name, settings.consoles[name])
        if not source.known:
            raise SetupError(
                f"consoles.{name}.accounts is empty: a practice cloud that is started for a run"
                " has accounts of its own, which are new each time"
            )
        return source

    @property
    def known(self) -> Mapping[str, AccountSettings]:
        return MappingProxyType(self.settings.identities)

    def accounts(self, selector: str | None) -> "Sequence[Account]":
        from appliance.consoles import matching_accounts

        return matching_accounts(self.name, self.known, selector)

    def account(self, name: str) -> "Account":
        from appliance.consoles import Account

        if name not in self.known:
            names = ", ".join(self.known)
            raise SetupError(f"consoles.{self.name} has no account {name}; there are {names}")
        return Account(name=name, settings=self.known[name])


def _rows(settings: Settings, source: _ConfiguredAccounts) -> "tuple[AccountRow, ...]":
    from appliance.environment.account_rows import account_row

    with store_if_any(settings) as store:
        if store is not None:
            return _pool_in(store, settings, source).list()
    return tuple(
        account_row(source.name, name, account, AccountState(account=name), (), ())
        for name, account in source.known.items()
    )


def _pool_in(store: Store, settings: Settings, source: _ConfiguredAccounts) -> "AccountPool":
    from appliance.environment.accounts import AccountPool

    times = settings.environment.leases
    return AccountPool(source, store.accounts, times, SystemClock(), source.known)


async def _check(
    settings: Settings, store: Store, source: _ConfiguredAccounts, accounts: "Iterable[Account]"
) -> "list[AccountRow]":
    from appliance.consoles import configured_console
    from appliance.environment.health import HealthChecks

    console = await asyncio.to_thread(configured_console, settings, source.name)
    try:
        await console.check()
        checks = HealthChecks(console, await in_thread(_pool_in, store, settings, source))
        rows = []
        for account in accounts:
            rows.append(await checks.check(account))
            name = f"{source.name}/{account.name}"
            await in_thread(record_activity, store, Permission.CHECK_ACCOUNT, name)
        return rows
    finally:
        await console.close()


def _print_accounts(rows: "Iterable[AccountRow]") -> None:
    headings = ("Account", "User", "Role", "Region", "Standing", "Last used", "Last check")
    cells = []
    for row in rows:
        standing = row.standing.value + (" (shareable)" if row.is_shareable else "")
        times = local_time(row.last_leased_at), local_time(row.checked_at)
        cells.append((row.name, row.username, row.role, row.region, standing, *times))
    print_table(headings, cells, whole=headings)


def _health_words(health: AccountHealth | None, own: Container[str]) -> tuple[str, str, str]:
    if health is None:
        return "", "", ""
    used = [
        f"{kind} {quota.used}" + (f"/{quota.limit}" if quota.limit is not None else "")
        for kind, quota in health.quota.items()
        if quota.used or kind in own
    ]
    log_in = "ok" if health.can_log_in else health.problem
    return log_in, ", ".join(used), health.balance
