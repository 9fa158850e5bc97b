"""One message to one address, by apprise: it knows the services, and is bounded here."""

import logging
import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from apprise import Apprise, AppriseAsset, NotifyFormat, NotifyType, OverflowMode
from apprise.attachment.memory import AttachMemory
from apprise.plugins import NotifyBase
from apprise.plugins.email.base import NotifyEmail

from appliance.config import NotificationSettings
from appliance.core.errors import SetupError
from appliance.core.secrets import learn, without_secrets
from appliance.notifications.notice import Notice
from appliance.notifications.picture import Picture
from appliance.notifications.rendering import Rendered
from appliance.system.secret_references import SecretReference

_READ_TIMEOUT_S = 10.0
"""For the answer of a service, and as long to connect: there may be several to one message."""
_LEAST_TOKEN = 16
"""Characters of a part of an address from which on it is a token: shorter ones are names."""
_SERVICES = "https://appriseit.com/services/"
_LIBRARY = "apprise"
"""Its logger says what was wrong, which its answers do not."""


def notification_address(name: str, settings: NotificationSettings) -> str:
    """Where a notification goes to: a secret, as its settings name it.

    Raises:
        SetupError: It cannot be read, is empty, or apprise does not understand it.
    """
    reference = SecretReference(settings.url_env, settings.url_file)
    url = reference.require(f"the address of notification `{name}`").strip()
    for part in re.split(r"[/:@?&=#,]+", url):
        if len(part) >= _LEAST_TOKEN and "." not in part:
            learn(part)
    with _what_it_says(logging.WARNING) as messages:
        service = _service(url)
    if service is not None and service.password:
        learn(service.password)
    if service is None:
        why = f" ({without_secrets(messages[0]).rstrip('.')})" if messages else ""
        raise SetupError(
            f"notification `{name}`: {reference} holds no address that apprise understands{why}:"
            " expected one as `mailto://USER:PASSWORD@HOST?to=PERSON` or `slack://TOKEN`;"
            f" see {_SERVICES}"
        )
    return url


def service_name(url: str) -> str:
    """`Slack`, `E-Mail`: all that may be shown of an address."""
    with _what_it_says():
        service = _service(url)
    return str(service.service_name) if service else ""


def send_once(
    url: str, notice: Notice, rendered: Rendered, picture: Picture | None, trusted: str | None
) -> str:
    """Send it; what was wrong, empty: nothing. Blocks for some seconds at most.

    `trusted` is a file with all certificates that are trusted; None: what the machine trusts.
    """
    with _what_it_says() as said:
        service = _service(url, trusted)
        is_fine = service is not None and _notify(service, notice, rendered, picture)
    return "" if is_fine else "; ".join(said) or "it was not accepted"


def _notify(
    service: NotifyBase, notice: Notice, rendered: Rendered, picture: Picture | None
) -> bool:
    is_mail = isinstance(service, NotifyEmail)
    attached = None
    if picture is not None and service.attachment_support:
        attached = AttachMemory(  # type: ignore[no-untyped-call]  # the library's has no types
            picture.data, name=picture.name, mimetype=picture.media_type
        )
    return service.notify(
        body=rendered.html if is_mail else rendered.text,
        title=notice.title,
        body_format=NotifyFormat.HTML if is_mail else NotifyFormat.TEXT,
        notify_type=NotifyType.WARNING if notice.is_alarm else NotifyType.INFO,
        attach=[attached] if attached else None,
    )


@cache
def _asset() -> AppriseAsset:
    """Ours: no pictures from elsewhere, nothing kept on the disk, no redirects."""
    return AppriseAsset(
        app_id="Console Docs Appliance",
        app_desc="Console Docs Appliance",
        app_url="",
        image_url_mask="",
        image_url_logo="",
        http_redirects=False,
        storage_mode="memory",
    )


def _service(url: str, trusted: str | None = None) -> NotifyBase | None:
    service = Apprise.instantiate(url, asset=_asset())
    if service is None:
        return None
    service.socket_connect_timeout = service.socket_read_timeout = _READ_TIMEOUT_S
    service.overflow_mode = OverflowMode.SPLIT
    trusted = trusted or ssl.get_default_verify_paths().cafile
    if service.verify_certificate and trusted and not isinstance(service, NotifyEmail):
        # The machine's own certificates, not the library's: it hands this on to `requests`.
        service.verify_certificate = trusted  # type: ignore[assignment]
    if isinstance(service, NotifyEmail):
        service.inline = True
    return service


class _Listener(logging.Handler):
    """Hears what the library says in this thread."""

    def __init__(self, most: int) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []
        self._most = most
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self._thread and record.levelno <= self._most:
            self.said.append(record.getMessage())


@contextmanager
def _what_it_says(most: int = logging.CRITICAL) -> Iterator[list[str]]:
    """What it says from warnings up to a level: an error of an address quotes that."""
    logger, listener = logging.getLogger(_LIBRARY), _Listener(most)
    logger.propagate = False  # what it says is kept with the message, without secrets
    logger.addHandler(listener)
    try:
        yield listener.said
    finally:
        logger.removeHandler(listener)
