"""The secrets that messages to receivers are signed with, and the signature."""

import base64
import binascii
from datetime import datetime

from standardwebhooks import Webhook

from appliance.config import WebhookSettings
from appliance.core.errors import SetupError
from appliance.core.secrets import learn
from appliance.system.secret_references import SecretReference, UnreadableSecretError

_PREFIX = "whsec_"
_FEWEST, _MOST = 24, 64
"""Bytes of a key, as the specification says (standardwebhooks.com)."""


def webhook_secret(name: str, hook: WebhookSettings) -> str:
    """The secret of a receiver, as its settings name it.

    Raises:
        SetupError: The variable is not set, the file cannot be read, or it holds no secret.
    """
    place = SecretReference(hook.secret_env, hook.secret_file)
    try:
        secret = learn(place.read().strip())
    except UnreadableSecretError as exc:
        raise SetupError(f"webhook `{name}`: {place} cannot be read: {exc}") from None
    if not secret:
        raise SetupError(f"webhook `{name}` has no secret: set {place}")
    if not _is_secret(secret):
        raise SetupError(
            f"webhook `{name}`: {place} holds no secret of a webhook: expected `{_PREFIX}` and"
            f" {_FEWEST} to {_MOST} bytes in base64, as in"
            f" `echo {_PREFIX}$(head -c 32 /dev/urandom | base64 -w0)`"
        )
    learn(secret.removeprefix(_PREFIX))
    return secret


def headers(secret: str, message_id: str, body: str, at: datetime) -> dict[str, str]:
    """What a message carries so that its receiver knows who sent it, and when."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(secret).sign(message_id, at, body),
    }


def _is_secret(text: str) -> bool:
    if not text.startswith(_PREFIX):
        return False
    try:
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        return False
    return _FEWEST <= len(key) <= _MOST
