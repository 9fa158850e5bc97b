"""`appliance resource`: what was made in the clouds, by hand or for attempts, and its end."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from appliance.cli import resource_coder
from appliance.cli._activity_log import MAKE_RESOURCES, REMOVE_RESOURCES, record_activity
from appliance.cli._app import CLEAN, FINDINGS, Invocation, Noun, pass_invocation
from appliance.cli._options import read_documents
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._remote import RemoteServer, read_as, server_of
from appliance.cli._summary import counted, tell_reaped, what_for
from appliance.cli._times import local_time
from appliance.config import Settings
from appliance.core.blocking import in_thread
from appliance.core.checks import Need
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.events import Event, Events, ResourceProgressed
from appliance.core.jsonable import Json, json_object
from appliance.core.resources import Lifetime, Receipt, ReceiptKind, Thing
from appliance.server.permissions import Permission
from appliance.store.activity import Outcome
from appliance.store.attempts import LEFT_SHOWN
from appliance.store.store import Store

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.environment.janitor import Reaped
    from appliance.environment.lifecycle import OpenConsole

console_option = click.option(
    "--console", metavar="NAME", help="In that console [default: the one of the settings]"
)


@click.group("resource", cls=Noun)
def command() -> None:
    """List what was made in a cloud, make something by hand, and clean up."""


command.add_command(resource_coder.command)


@command.command("list")
@click.option("--all", "is_all", is_flag=True, help="Also what is long gone.")
@click.option("--left", "is_left", is_flag=True, help="What a person has to remove, one a line.")
@json_option
@pass_invocation
def list_command(invocation: Invocation, is_all: bool, is_left: bool, as_json: bool) -> None:
    """List what attempts, or you, have made and nobody has destroyed yet."""
    settings = invocation.settings()
    if server := server_of(settings):
        rows = left_over_from(server, is_all=is_all)
    else:
        with Store.open(settings.data_dir) as store:
            since = SystemClock().now() - LEFT_SHOWN
            lifetimes = store.attempts.latest(1000) if is_all else store.attempts.standing(since)
            rows = [(lifetime, store.attempts.receipts(lifetime.id)) for lifetime in lifetimes]
    if is_left:
        _list_left(rows, as_json=as_json)
        return
    if as_json:
        write_json([{**_as_json(life), "receipts": receipts} for life, receipts in rows])
        return
    cells = []
    for life, receipts in rows:
        made_names, left_names = (
            _names_of(receipts, kind) for kind in (ReceiptKind.MADE, ReceiptKind.LEFT)
        )
        purpose, until = life.procedure_id or "by hand", local_time(life.expires_at)
        cells.append((life.id, life.account, purpose, life.phase, made_names, left_names, until))
    print_table(("id", "account", "for", "phase", "made", "left", "until"), cells)
    talk(f"{counted(len(rows), 'attempt')}.")


def _list_left(rows: Iterable[tuple[Lifetime, Sequence[Receipt]]], *, as_json: bool) -> None:
    """Each thing once, with where it is; what was deleted after all is not listed."""
    left_over: dict[tuple[str, str, str, str], tuple[Lifetime, Receipt]] = {}
    for life, receipts in rows:
        for receipt in receipts:
            key = (life.console, receipt.kind, receipt.id, receipt.name)
            if receipt.deed is ReceiptKind.LEFT:
                left_over[key] = life, receipt
            elif receipt.deed is not ReceiptKind.MADE:
                left_over.pop(key, None)
    if as_json:
        write_json(
            [
                {
                    "console": life.console,
                    "account": life.account,
                    "procedure": life.procedure_id,
                    "since": life.started_at,
                    **json_object(receipt),
                }
                for life, receipt in left_over.values()
            ]
        )
        return
    cells = [
        (
            life.console,
            life.account,
            receipt.name,
            receipt.kind,
            receipt.id,
            local_time(life.started_at),
            receipt.why,
        )
        for life, receipt in left_over.values()
    ]
    print_table(("console", "account", "name", "of", "where", "since", "why"), cells)
    talk(f"{counted(len(left_over), 'thing')} left.")


@command.command("modules")
@click.option("--check", "is_checked", is_flag=True, help="Look into their files as well.")
@console_option
@json_option
@pass_invocation
def modules_command(
    invocation: Invocation, is_checked: bool, console: str | None, as_json: bool
) -> int:
    """List the resource modules: what can be made for procedures."""
    from appliance.environment.modules import Catalogue, module_folders

    settings = invocation.settings()
    catalogue = Catalogue.load(module_folders(settings))
    kind = settings.consoles[settings.console_name(console)].kind
    modules = catalogue.of(kind)
    problems = catalogue.check(kind) if is_checked else ()
    if as_json:
        write_json({"modules": list(modules.values()), "problems": list(map(str, problems))})
        return FINDINGS if problems else CLEAN
    cells = []
    for module in modules.values():
        applied = "not here" if module.not_applied else "yes"
        takes = f"{module.takes_s:g} s" if module.takes_s else "not known"
        cells.append((module.name, module.provides["en"], takes, applied))
    print_table(("module", "provides", "takes", "applied"), cells)
    for problem in problems:
        talk(str(problem))
    return FINDINGS if problems else CLEAN


@command.command("apply")
@click.argument("kind")
@click.argument("values", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--account", metavar="NAME", help="As that account, or one of that role.")
@click.option("--minutes", type=float, help="Destroyed after this long [default: the settings'].")
@console_option
@json_option
@pass_invocation
def apply_command(
    invocation: Invocation,
    kind: str,
    values: tuple[str, ...],
    account: str | None,
    minutes: float | None,
    console: str | None,
    as_json: bool,
) -> None:
    """Make a KIND with what it needs, as would be done for a procedure."""
    need = Need(kind=kind, values=_pairs(values))

    async def make() -> None:
        async with (
            _open_console(invocation.settings(), console) as opened,
            opened.pool.lease(account, "appliance resource apply") as lease,
        ):
            lifetime, supplied = await opened.environment_of("").apply(lease, [need], minutes)
            await in_thread(record_activity, opened.store, MAKE_RESOURCES, lifetime.id, kind)
        if as_json:
            bindings = supplied.bindings
            write_json({"id": lifetime.id, "account": lifetime.account, "bindings": bindings})
            return
        for placeholder, name in supplied.bindings.items():
            click.echo(f"{placeholder}: {name}")
        talk(f"It stays until {local_time(lifetime.expires_at)}, or until")
        talk(f"  appliance resource destroy {lifetime.id}")

    asyncio.run(make())


@command.command("prepare")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DOC...")
@click.option("--account", metavar="NAME", help="As that account, or one of that role.")
@console_option
@json_option
@pass_invocation
def prepare_command(
    invocation: Invocation,
    paths: tuple[Path, ...],
    account: str | None,
    console: str | None,
    as_json: bool,
) -> None:
    """Make ahead what the procedures of DOC... will share (modules that say so)."""
    procedures = [p for document in read_documents(paths, ()) for p in document.procedures]

    async def prepare() -> int:
        async with (
            _open_console(invocation.settings(), console) as opened,
            opened.pool.lease(account, "appliance resource prepare") as lease,
        ):
            return await opened.environment_of("").prepare(lease, procedures)

    count = asyncio.run(prepare())
    if as_json:
        write_json({"shared": count})
    else:
        talk(f"{counted(count, 'shared resource')} ready.")


@command.command("destroy")
@click.argument("attempt_id", metavar="ID")
@json_option
@pass_invocation
def destroy_command(invocation: Invocation, attempt_id: str, as_json: bool) -> int:
    """Destroy what was made under ID (see `resource list`)."""
    settings = invocation.settings()
    with Store.open(settings.data_dir) as store:
        lifetime = store.attempts.get(attempt_id)
    if lifetime is None:
        raise SetupError(f"there is no {attempt_id}: `appliance resource list` shows which are")

    async def destroy() -> int:
        async with _open_console(settings, lifetime.console) as opened:
            async with opened.pool.lease(lifetime.account, "appliance resource destroy"):
                problem = await opened.environment_of("").destroy(lifetime)
                outcome = Outcome.FAILED if problem else Outcome.DONE
                await in_thread(
                    record_activity, opened.store, REMOVE_RESOURCES, lifetime.id, problem, outcome
                )
            receipts = await in_thread(opened.store.attempts.receipts, lifetime.id)
        if as_json:
            write_json({"id": lifetime.id, "problem": problem, "receipts": receipts})
        else:
            _print_receipts(receipts)
            talk(f"Left: {problem}" if problem else "Nothing of it is left.")
        return FINDINGS if problem else CLEAN

    return asyncio.run(destroy())


@command.command("reap")
@click.option("--dry-run", is_flag=True, help="Only say what would be destroyed.")
@console_option
@json_option
@pass_invocation
def reap_command(invocation: Invocation, dry_run: bool, console: str | None, as_json: bool) -> int:
    """Destroy what a crash left and what is past its time."""
    settings = invocation.settings()
    if server := server_of(settings):
        return _have_reaped(server, console, dry_run, as_json)

    async def reap() -> int:
        async with _open_console(settings, console) as opened:
            if dry_run:
                due, strays = await in_thread(opened.janitor.due), await opened.janitor.strays()
                if as_json:
                    things = [{"account": a.name, **_as_json(stray)} for a, stray in strays]
                    write_json(
                        {"attempts": [_as_json(lifetime) for lifetime in due], "strays": things}
                    )
                else:
                    _say_due(due, [(owner.name, stray) for owner, stray in strays])
                return CLEAN
            reaped = [*await opened.janitor.reap(), *await opened.janitor.reap_strays()]
            name = console or settings.console
            await in_thread(record_activity, opened.store, Permission.REMOVE_LEFTOVERS, name)
        return _tell_of(reaped, as_json)

    return asyncio.run(reap())


def _tell_of(reaped: "Sequence[Reaped]", as_json: bool) -> int:
    if as_json:
        write_json(reaped)
    else:
        tell_reaped(reaped)
        talk(f"{counted(len(reaped), 'attempt')} finished.")
    return FINDINGS if any(result.problem for result in reaped) else CLEAN


def _have_reaped(server: RemoteServer, console: str | None, dry_run: bool, as_json: bool) -> int:
    reaped = have_server_reap(server, console, dry_run=dry_run)
    if not dry_run:
        return _tell_of(reaped, as_json)
    due = [result.attempt for result in reaped if result.attempt is not None]
    strays = [
        (result.account, receipt)
        for result in reaped
        if result.attempt is None
        for receipt in result.receipts
    ]
    if as_json:
        things = [
            {"account": owner, "kind": it.kind, "id": it.id, "name": it.name}
            for owner, it in strays
        ]
        write_json({"attempts": [_as_json(result) for result in due], "strays": things})
        return CLEAN
    _say_due(due, [(owner, f"{it.kind} {it.name or it.id}") for owner, it in strays])
    return CLEAN


def _say_due(due: Iterable[Lifetime], strays: Iterable[tuple[str, object]]) -> None:
    for lifetime in due:
        click.echo(
            f"{lifetime.account}: {lifetime.id}, {what_for(lifetime)}, {lifetime.phase.value}"
        )
    for owner, stray in strays:
        click.echo(f"{owner}: {stray}, which nobody remembers")


def _names_of(receipts: Iterable[Receipt], outcome: ReceiptKind) -> str:
    names = (f"{r.kind} {r.name or r.id}" for r in receipts if r.deed is outcome)
    return ", ".join(dict.fromkeys(names))


def _print_receipts(receipts: Iterable[Receipt]) -> None:
    for receipt in receipts:
        if receipt.deed is not ReceiptKind.MADE:
            click.echo(f"{receipt.deed.value} {receipt}")


def _as_json(value: Lifetime | Thing) -> dict[str, Json]:
    """Without what the account held before, which is long."""
    plain = json_object(value)
    plain.pop("baseline", None)
    return plain


def _pairs(values: Iterable[str]) -> dict[str, str]:
    pairs = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{value!r} is not NAME=VALUE", param_hint="VALUES")
        pairs[name] = text
    return pairs


@asynccontextmanager
async def _open_console(
    settings: Settings, console_name: str | None
) -> "AsyncIterator[OpenConsole]":
    from appliance.consoles import configured_console
    from appliance.environment.opening import open_environment

    name = settings.console_name(console_name)
    if not settings.consoles[name].url:
        raise SetupError(
            f"consoles.{name}.url is empty: a practice cloud that is started for a run is gone"
            " after it, with all that is in it; start one with `appliance practice serve`, and"
            " name its address and an account in the settings"
        )
    async with AsyncExitStack() as stack:
        console = await asyncio.to_thread(configured_console, settings, name)
        stack.push_async_callback(console.close)
        await console.check()
        store = await in_thread(Store.open, settings.data_dir)
        stack.push_async_callback(in_thread, store.close)
        opened = open_environment(console, settings, store, events=Events(_tell))
        yield await stack.enter_async_context(opened)


def _tell(event: Event) -> None:
    if isinstance(event, ResourceProgressed):
        talk(f"  {event.what}: {event.doing}")


def left_over_from(
    server: RemoteServer, *, is_all: bool
) -> list[tuple[Lifetime, tuple[Receipt, ...]]]:
    """Attempts whose clean-up is not known to be complete, with what they made and removed."""
    if is_all:
        talk("What is long gone is not listed while the server runs.")
    return [
        (_lifetime(row), tuple(read_as(Receipt, receipt) for receipt in row["receipts"]))
        for row in server.get("/resources")["items"]
    ]


def have_server_reap(
    server: RemoteServer, console: str | None, *, dry_run: bool
) -> "tuple[Reaped, ...]":
    """What the server's janitor has removed, or would remove."""
    answer = server.post("/resources/reap", console=console, dry_run=str(dry_run).lower())
    return tuple(_parse_reaped(entry) for entry in answer["items"])


def _parse_reaped(entry: Mapping[str, Any]) -> "Reaped":  # Any: JSON
    from appliance.environment.janitor import Reaped

    attempt = entry["attempt"]
    return read_as(Reaped, dict(entry) | {"attempt": _lifetime(attempt) if attempt else None})


def _lifetime(entry: Mapping[str, Any]) -> Lifetime:  # Any: JSON
    """What the account held before is not told: it is long."""
    return read_as(Lifetime, {"baseline": None, **entry})
