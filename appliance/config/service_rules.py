"""What settings of the service must be true of together: who logs in, what is due, who is told."""

import ipaddress
import re
from collections.abc import Iterator
from datetime import UTC
from urllib.parse import urlsplit

from appliance.config._schema import Path
from appliance.config._words import did_you_mean
from appliance.config.access_settings import OidcSettings
from appliance.config.service_settings import (
    NotificationSettings,
    ScheduleSettings,
    WebhookSettings,
    default_schedules,
)
from appliance.config.settings import Settings
from appliance.core.timetable import LEAST_MINUTES, LONGEST_MINUTES, Cron
from appliance.core.window import Window, clock_time, zone_of

_TLS = ("server", "tls")
_OIDC = ("server", "oidc")
_LOCAL = ("127.0.0.1", "::1", "localhost")


def contradictions_of_access(settings: Settings) -> Iterator[tuple[Path, str]]:
    """Everything that does not fit together, with the path of the value to change."""
    tls, oidc = settings.server.tls, settings.server.oidc
    if tls.key and not tls.certificate:
        yield (*_TLS, "certificate"), "`server.tls` has a `key` and no `certificate`; name both."
    if tls.key_password_env and tls.key_password_file:
        yield _TLS, "`server.tls` has `key_password_env` and `key_password_file`; keep one."
    if oidc.issuer:
        yield from _of_oidc(oidc)
    elif oidc.client_id:
        yield (*_OIDC, "issuer"), "`server.oidc` has a `client_id` and no `issuer`; name both."


def _of_oidc(oidc: OidcSettings) -> Iterator[tuple[Path, str]]:
    if oidc.client_secret_env and oidc.client_secret_file:
        yield _OIDC, "`server.oidc` has `client_secret_env` and `client_secret_file`; keep one."
    if not oidc.client_id:
        yield (*_OIDC, "client_id"), "`server.oidc.client_id` is required beside an `issuer`."
    if not _is_safe(oidc.issuer):
        yield (
            (*_OIDC, "issuer"),
            "`server.oidc.issuer`: expected an address that starts with https:// (http:// to this"
            " machine only), without a query.",
        )
    if "openid" not in oidc.scopes:
        yield (*_OIDC, "scopes"), "`server.oidc.scopes` needs `openid`."
    if not oidc.roles and not oidc.default_role:
        yield (
            (*_OIDC, "roles"),
            "`server.oidc` needs `roles` or `default_role`, or nobody could come in.",
        )


def _is_safe(issuer: str) -> bool:
    """Over HTTP, whoever is in between could log in as anybody."""
    try:
        parts = urlsplit(issuer)
        is_plain = bool(parts.hostname) and not (parts.query or parts.fragment or parts.username)
    except ValueError:
        return False
    is_local = parts.scheme == "http" and parts.hostname in _LOCAL
    return is_plain and (parts.scheme == "https" or is_local)


DIGEST = "digest-"
"""What the schedule of a notification's digest is called, before its name."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)


def contradictions_of_service(settings: Settings) -> Iterator[tuple[Path, str]]:
    """Everything that does not fit together, with the path of the value to change."""
    ours = default_schedules()
    for name, schedule in settings.schedules.items():
        if schedule != ours.get(name):
            for key, problem in schedule_problems(name, schedule, settings):
                yield _about(("schedules", name), key, problem)
    yield from contradictions_of_access(settings)
    for proxy in settings.server.proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError as exc:
            yield _about(("server",), "proxies", f": {exc}.")
    for name, hook in settings.webhooks.items():
        for key, problem in _webhook_problems(name, hook):
            yield _about(("webhooks", name), key, problem)
    for name, notification in settings.notifications.items():
        for key, problem in _notification_problems(name, notification, settings):
            yield _about(("notifications", name), key, problem)


def _about(path: Path, key: str, problem: str) -> tuple[Path, str]:
    value_path = (*path, key) if key else path
    return value_path, f"`{'.'.join(value_path)}`{problem}"


def schedule_problems(
    name: str, schedule: ScheduleSettings, settings: Settings
) -> Iterator[tuple[str, str]]:
    """What is wrong with a schedule: the key, or none, and the rest of a sentence."""
    if not NAME.fullmatch(name):
        yield "", BAD_NAME
    if bool(schedule.cron) == (schedule.every_minutes is not None):
        yield "", " needs `cron` or `every_minutes`, and not both."
    elif schedule.every_minutes is not None:
        if not LEAST_MINUTES <= schedule.every_minutes <= LONGEST_MINUTES:
            yield "every_minutes", f": expected at least {LEAST_MINUTES:g} and at most a year."
        if schedule.time_zone:
            yield "time_zone", " means something with `cron` only."
    else:
        yield from _cron_problems(schedule, settings)
    if schedule.console and schedule.console not in settings.consoles:
        hint = did_you_mean(schedule.console, settings.consoles)
        yield "console", f": no console is named `{schedule.console}`{hint}"
    if schedule.job == "digest" and schedule.notification not in settings.notifications:
        hint = did_you_mean(schedule.notification, settings.notifications)
        yield "notification", f": no notification is named `{schedule.notification}`{hint}"


def _cron_problems(schedule: ScheduleSettings, settings: Settings) -> Iterator[tuple[str, str]]:
    try:
        zone = zone_of(schedule.time_zone or settings.sweep.time_zone)
    except ValueError as exc:
        if schedule.time_zone:  # else it is said of `sweep.time_zone`
            yield "time_zone", f": {exc}."
        return
    try:
        Cron.parse(schedule.cron, zone)
    except ValueError as exc:
        yield "cron", f": {exc}."


BAD_NAME = (
    ": a name has up to 64 letters, digits, `-`, `_` and `.`, and begins with a letter or digit."
)


def _webhook_problems(name: str, hook: WebhookSettings) -> Iterator[tuple[str, str]]:
    if not NAME.fullmatch(name):
        yield "", BAD_NAME
    try:
        address = urlsplit(hook.url)
        is_address = address.scheme in ("http", "https") and bool(address.hostname)
        is_address = is_address and (address.port or 1) > 0
    except ValueError:
        is_address = False
    if not is_address:
        yield "url", ": expected an address that starts with http:// or https://."
    elif address.username or address.password:
        yield "url", " has a password in it; receivers know us by the signature."
    if not hook.secret_env and not hook.secret_file:
        yield "", " needs `secret_env` or `secret_file`: messages are signed."
    if hook.secret_env and hook.secret_file:
        yield "", " has `secret_env` and `secret_file`; keep one."


def _notification_problems(
    name: str, notification: NotificationSettings, settings: Settings
) -> Iterator[tuple[str, str]]:
    if not NAME.fullmatch(DIGEST + name):
        yield "", BAD_NAME
    if name in settings.webhooks:
        yield "", " has the name of a webhook; give it another."
    if bool(notification.url_env) == bool(notification.url_file):
        yield "", " needs `url_env` or `url_file`, and not both: its address holds secrets."
    try:
        window = Window.parse(notification.quiet, UTC) if notification.quiet else None
    except ValueError as exc:
        yield "quiet", f": {exc}."
    else:
        if window and window.opens == window.closes:
            yield "quiet", " begins when it ends; leave it empty."
    if notification.digest:
        try:
            clock_time(notification.digest)
        except ValueError as exc:
            yield "digest", f": {exc}."
