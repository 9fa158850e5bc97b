"""What `appliance doctor` looks at for `appliance serve`: address, keys, schedules, who is told."""

from collections.abc import Iterator
from contextlib import ExitStack

from appliance.cli._check import CheckResult, failure, fine, warning
from appliance.cli._listening import listen
from appliance.config import Settings, WebhookSettings
from appliance.core.errors import ApplianceError, SetupError
from appliance.engine.address import Address
from appliance.engine.webhooks.posting import webhook_secret
from appliance.environment.sessions import session_key
from appliance.notifications.sending import notification_address, service_name
from appliance.server.hosts import is_for_this_machine
from appliance.store.encryption import check_recipients
from appliance.store.store import FILE_NAME, Store

_LOCAL = (
    "none needed from this machine, nor by who comes through a proxy on it that adds no header:"
    " name such a one in server.proxies; nobody else gets in"
)


def service_checks(settings: Settings, server: Address | None) -> Iterator[CheckResult]:
    """All of them, one after the other."""
    yield _port(settings, server)
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


def _keys(settings: Settings, server: Address | None) -> CheckResult:
    if is_for_this_machine(settings.server):
        return fine("keys", _LOCAL)
    if server is not None or not (settings.data_dir / FILE_NAME).exists():
        return fine("keys", "needed; `appliance serve` makes the first one")
    try:
        with Store.open(settings.data_dir) as store:
            good = sum(key.revoked_at is None for key in store.keys.all())
    except ApplianceError as exc:
        return warning("keys", str(exc))
    if good:
        return fine("keys", f"needed; {good} there")
    return fine("keys", "needed, and none there: `appliance serve` makes the first one")


def _documentation(settings: Settings) -> CheckResult:
    of = settings.documentation
    missing = [str(path) for path in (*of.paths, *of.checks) if not path.exists()]
    if missing:
        remedy = "Correct documentation.paths and documentation.checks."
        return warning("documentation", f"not there: {', '.join(missing)}", remedy)
    if of.paths:
        return fine("documentation", ", ".join(map(str, of.paths)))
    kind = settings.consoles[settings.console].kind
    if kind == "practice":
        return fine("documentation", "the one that comes with the practice cloud")
    remedy = "Name files or folders, or `appliance serve` has nothing to sweep."
    return warning("documentation", "documentation.paths is empty", remedy)


def _schedules(settings: Settings) -> CheckResult:
    """Their times were checked with the settings."""
    on = [name for name, one in settings.schedules.items() if one.is_enabled]
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
    for name, one in settings.notifications.items():
        what = f"notification {name}"
        try:
            by = service_name(notification_address(name, one))
        except ApplianceError as exc:
            yield failure(what, str(exc), f"See notifications.{name}.")
        else:
            yield fine(what, f"{by}, address in {one.url_file or one.url_env}")


def _place(hook: WebhookSettings) -> str:
    return str(hook.secret_file or hook.secret_env)
