"""What settings must be true of together, beyond what each value must be."""

from collections.abc import Iterator

from appliance.config._audit_rules import contradictions_of_audit
from appliance.config._network_rules import contradictions_of_network
from appliance.config._schema import Path
from appliance.config._words import did_you_mean
from appliance.config.execution_settings import contradictions_of_execution
from appliance.config.service_rules import contradictions_of_service
from appliance.config.settings import AccountSettings, ConsoleSettings, LeaseSettings, Settings
from appliance.core.window import Window, clock_time, zone_of

Contradiction = tuple[Path, str]

_ONLY_FOR = {
    "drift": "practice",
    "auth_url": "openstack",
    "log_in_steps": "generic",
}
"""Keys of a console that mean something for one kind only."""


def contradictions(settings: Settings) -> Iterator[Contradiction]:
    """Everything that does not fit together, with the path of the value to change."""
    if settings.console not in settings.consoles:
        names = ", ".join(settings.consoles) or "none"
        hint = did_you_mean(settings.console, settings.consoles)
        yield (
            ("console",),
            f"no console is named `{settings.console}`{hint} Under `consoles` stand: {names}.",
        )
    for name, console in settings.consoles.items():
        yield from _of_console(("consoles", name), console)
    yield from _of_leases(settings.environment.leases)
    yield from _of_sweep(settings)
    yield from contradictions_of_service(settings)
    yield from contradictions_of_network(settings)
    yield from contradictions_of_execution(settings.execution)
    if settings.model.weights and settings.model.endpoint:
        yield (
            ("model",),
            "`model` has `weights`, which are served here, and `endpoint`, elsewhere; keep one.",
        )


def _of_console(path: Path, console: ConsoleSettings) -> Iterator[Contradiction]:
    for key, kind in _ONLY_FOR.items():
        if getattr(console, key) and console.kind != kind:
            yield (
                (*path, key),
                f"`{key}` is for consoles of kind {kind}; this one is {console.kind}.",
            )
    for key in ("url", "auth_url"):
        address = getattr(console, key)
        if address and not address.startswith(("http://", "https://")):
            yield (
                (*path, key),
                f"`{key}`: expected an address that starts with http:// or https://.",
            )
    yield from contradictions_of_audit((*path, "audit"), console)
    yield from contradictions_of_log_in(path, console)
    for name, account in console.accounts.items():
        yield from _of_second_factor((*path, "accounts", name), account)
    if console.kind == "practice":
        return
    if not console.url:
        yield path, f"`{'.'.join(path)}.url` is required: the address of the log-in page."
    if not console.accounts and console.kind != "generic":
        yield path, f"`{'.'.join(path)}.accounts` needs at least one account to log in with."
    for name, account in console.accounts.items():
        yield from _of_account((*path, "accounts", name), account, console.log_in)


def _of_account(path: Path, account: AccountSettings, log_in: str) -> Iterator[Contradiction]:
    if log_in in PASSWORDLESS:
        return
    if not account.password_env and not account.password_file:
        yield path, f"`{'.'.join(path)}` needs `password_env` or `password_file`."
    if account.password_env and account.password_file:
        yield path, f"`{'.'.join(path)}` has `password_env` and `password_file`; keep one."


def _of_second_factor(path: Path, account: AccountSettings) -> Iterator[Contradiction]:
    if account.totp_env and account.totp_file:
        yield path, f"`{'.'.join(path)}` has `totp_env` and `totp_file`; keep one."


def _of_leases(leases: LeaseSettings) -> Iterator[Contradiction]:
    if leases.heartbeat_s * 2 > leases.minutes * 60:
        yield (
            ("environment", "leases", "heartbeat_s"),
            "`environment.leases.heartbeat_s` must be half of `minutes` at most: a lease of"
            f" {leases.minutes:g} minutes would end between two signs of life.",
        )


def _of_sweep(settings: Settings) -> Iterator[Contradiction]:
    sweep = settings.sweep
    try:
        zone = zone_of(sweep.time_zone)
    except ValueError as exc:
        yield ("sweep", "time_zone"), f"`sweep.time_zone`: {exc}."
        return
    try:
        window = Window.parse(sweep.window, zone) if sweep.window else None
    except ValueError as exc:
        yield ("sweep", "window"), f"`sweep.window`: {exc}."
        return
    if window and window.opens == window.closes:
        yield ("sweep", "window"), "`sweep.window` opens when it closes; leave it empty."
    yield from _of_deadline(sweep.deadline, window)
    console = settings.consoles.get(settings.console)
    if console:
        yield from _of_matrix(settings, settings.console, console)


def _of_deadline(deadline: str, window: Window | None) -> Iterator[Contradiction]:
    if not deadline:
        return
    try:
        at = clock_time(deadline)
    except ValueError as exc:
        yield ("sweep", "deadline"), f"`sweep.deadline`: {exc}."
        return
    if window and at != window.closes and not window.has(at):
        yield (
            ("sweep", "deadline"),
            f"`sweep.deadline`: at {deadline} no sweep runs; name a time within `sweep.window`.",
        )


def _of_matrix(settings: Settings, name: str, console: ConsoleSettings) -> Iterator[Contradiction]:
    """What sweeps multiply procedures by has to be there."""
    sweep = settings.sweep
    if sweep.locales and console.locale:
        yield (
            ("sweep", "locales"),
            f"`sweep.locales` and `consoles.{name}.locale` both say the language; keep one.",
        )
    known = {word for key, a in console.accounts.items() for word in (key, a.role) if word}
    for role in sweep.roles if console.accounts else ():
        if role not in known:
            hint = did_you_mean(role, sorted(known))
            yield (
                ("sweep", "roles"),
                f"`sweep.roles`: no account of `{name}` is named `{role}` or has that role{hint}",
            )
    regions = {account.region for account in console.accounts.values() if account.region}
    for region in sweep.regions if console.accounts else ():
        if region not in regions:
            hint = did_you_mean(region, sorted(regions))
            yield (
                ("sweep", "regions"),
                f"`sweep.regions`: no account of `{name}` has the region `{region}`{hint}",
            )


PASSWORDLESS = frozenset({"state", "certificate"})
"""Ways in for which an account needs no password."""


def contradictions_of_log_in(path: Path, console: ConsoleSettings) -> Iterator[tuple[Path, str]]:
    """Everything that does not fit together, with the path of the value to change."""
    if console.log_in != "form" and console.kind != "generic":
        yield (
            (*path, "log_in"),
            f"`log_in: {console.log_in}` is for consoles of kind generic; this one is"
            f" {console.kind}.",
        )
    elif console.log_in == "steps" and not console.log_in_steps.strip():
        yield (
            (*path, "log_in"),
            "`log_in: steps` needs `log_in_steps`: what to do, one step a line.",
        )
    elif console.log_in != "steps" and console.log_in_steps:
        yield (
            (*path, "log_in_steps"),
            f"`log_in_steps` is for `log_in: steps`; here it is {console.log_in}.",
        )
