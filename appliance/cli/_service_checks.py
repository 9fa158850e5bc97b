"""What `appliance doctor` looks at for `appliance serve`: address, keys, schedules, who is told."""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack

from appliance.cli._check import CheckResult, failure, fine, warning
from appliance.cli._listening import listen
from appliance.config import Settings, WebhookSettings
from appliance.consoles import session_key
from appliance.core.clock import SystemClock
from appliance.core.errors import ApplianceError, SetupError
from appliance.engine.address import Address
from appliance.engine.webhooks.posting import webhook_secret
from appliance.server.certificate import TlsFiles, examine, tls_files
from appliance.server.hosts import is_for_this_machine
from appliance.server.identity import IdentityProvider, NotLetIn
from appliance.store.encryption import check_recipients
from appliance.store.store import FILE_NAME, Store

_LOCAL = (
    "none needed from this machine, nor by who comes through a proxy on it that adds no header:"
    " name such a one in server.proxies; nobody else gets in"
)


def service_checks(settings: Settings, server: Address | None) -> Iterator[CheckResult]:
    """All of them, one after the other."""
    yield _port(settings, server)
    if files := tls_files(settings.server.tls):
        yield _certificate(files)
    yield _keys(settings, server)
    yield _documentation(settings)
    yield _schedules(settings)
    yield _sessions(settings)
    yield _backups(settings)
    yield from _webhooks(settings)
    yield from _notifications(settings)
    if settings.telemetry.otlp_endpoint:
        yield fine("traces", "sent to telemetry.otlp_endpoint")


def _port(settings: Settings, server: Address | None) -> CheckResult:
    if server is not None:
        return fine("server", f"runs at {server.url} (PID {server.pid})")
    try:
        with ExitStack() as stack:
            stack.enter_context(listen(settings.server))
    except SetupError as exc:
        return warning("server", str(exc), "`appliance serve` would not start.")
    host, port = settings.server.host, settings.server.port
    return fine("server", f"does not run; {host}:{port or 'any port'} is free")


def _certificate(files: TlsFiles) -> CheckResult:
    try:
        state = examine(files, SystemClock().now())
    except SetupError as exc:
        return failure("certificate", str(exc), "`appliance serve` would not start.")
    if state.warnings:
        return warning("certificate", "; ".join(state.warnings))
    return fine("certificate", f"good until {state.expires_at:%Y-%m-%d}")


async def identity_checks(settings: Settings) -> AsyncIterator[CheckResult]:
    """Whether people could log in at the identity provider; nothing where there is none."""
    oidc, what = settings.server.oidc, "identity provider"
    if not oidc.issuer:
        return
    try:
        await IdentityProvider(oidc, SystemClock(), settings.outward).check()
    except SetupError as exc:
        yield failure(what, str(exc), "`appliance serve` would not start.")
    except NotLetIn as exc:
        yield warning(what, str(exc), "See server.oidc; people can log in with keys only.")
    else:
        yield fine(what, f"{oidc.issuer} answers")


def _keys(settings: Settings, server: Address | None) -> CheckResult:
    if is_for_this_machine(settings.server):
        return fine("keys", _LOCAL)
    if server is not None or not (settings.data_dir / FILE_NAME).exists():
        return fine("keys", "needed; `appliance serve` makes the first one")
    try:
        with Store.open(settings.data_dir) as store:
            keys, now = store.keys.all(), SystemClock().now()
    except ApplianceError as exc:
        return warning("keys", str(exc))
    good = sum(key.is_good(now) for key in keys)
    if soon := [f"{key.name!r} on {key.expires_at:%Y-%m-%d}" for key in keys if key.ends_soon(now)]:
        remedy = "`appliance key rotate NAME` makes the next one."
        return warning("keys", f"needed; {good} there; expires soon: {', '.join(soon)}", remedy)
    if good:
        return fine("keys", f"needed; {good} there")
    return fine("keys", "needed, and none there: `appliance serve` makes the first one")


def _documentation(settings: Settings) -> CheckResult:
    section = settings.documentation
    missing = [str(path) for path in (*section.paths, *section.checks) if not path.exists()]
    if missing:
        remedy = "Correct documentation.paths and documentation.checks."
        return warning("documentation", f"not there: {', '.join(missing)}", remedy)
    if section.paths:
        return fine("documentation", ", ".join(map(str, section.paths)))
    kind = settings.consoles[settings.console].kind
    if kind == "practice":
        return fine("documentation", "the one that comes with the practice cloud")
    remedy = "Name files or folders, or `appliance serve` has nothing to sweep."
    return warning("documentation", "documentation.paths is empty", remedy)


def _schedules(settings: Settings) -> CheckResult:
    """Their times were checked with the settings."""
    on = [name for name, schedule in settings.schedules.items() if schedule.is_enabled]
    sweeps = [name for name in on if settings.schedules[name].job == "sweep"]
    if not sweeps:
        remedy = "Enable one of job `sweep`, unless sweeps are asked for over REST only."
        return warning("schedules", "none verifies anything", remedy)
    return fine("schedules", ", ".join(on))


def _sessions(settings: Settings) -> CheckResult:
    try:
        key = session_key(settings.storage, settings.data_dir)
    except SetupError as exc:
        return failure("kept log-ins", str(exc), "See storage.key_file and key_env.")
    if key is None:
        says = "in memory only: storage.key_file and key_env name no key to encrypt them with"
        return fine("kept log-ins", says)
    return fine("kept log-ins", "encrypted in the data folder")


def _backups(settings: Settings) -> CheckResult:
    recipients = settings.storage.backup_recipients
    try:
        check_recipients(recipients)
    except SetupError as exc:
        return failure("backups", str(exc), "See storage.backup_recipients.")
    if not recipients:
        says = "not encrypted: storage.backup_recipients names no public key"
        return fine("backups", says)
    keys = "one public key" if len(recipients) == 1 else f"{len(recipients)} public keys"
    return fine("backups", f"encrypted to {keys}")


def _webhooks(settings: Settings) -> Iterator[CheckResult]:
    for name, hook in settings.webhooks.items():
        try:
            webhook_secret(name, hook)
        except ApplianceError as exc:
            yield failure(f"webhook {name}", str(exc), f"See webhooks.{name}.")
        else:
            yield fine(f"webhook {name}", f"secret in {_place(hook)}")


def _notifications(settings: Settings) -> Iterator[CheckResult]:
    for name, notification in settings.notifications.items():
        from appliance.notifications.sending import notification_address, service_name

        what = f"notification {name}"
        try:
            by = service_name(notification_address(name, notification))
        except ApplianceError as exc:
            yield failure(what, str(exc), f"See notifications.{name}.")
        else:
            yield fine(what, f"{by}, address in {notification.url_file or notification.url_env}")


def _place(hook: WebhookSettings) -> str:
    return str(hook.secret_file or hook.secret_env)
