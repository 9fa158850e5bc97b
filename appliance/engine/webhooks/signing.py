"""The secrets that messages to receivers are signed with, and the signature."""

import base64
import binascii
import os
from datetime import datetime

from standardwebhooks import Webhook

from appliance.config import WebhookSettings
from appliance.core.errors import SetupError
from appliance.core.secrets import learn

_PREFIX = "whsec_"
_FEWEST, _MOST = 24, 64
"""Bytes of a key, as the specification says (standardwebhooks.com)."""


def webhook_secret(name: str, hook: WebhookSettings) -> str:
    """The secret of a receiver, as its settings name it.

    Raises:
        SetupError: The variable is not set, the file cannot be read, or it holds no secret.
    """
    if hook.secret_env:
        place = f"the environment variable {hook.secret_env}"
        secret = os.environ.get(hook.secret_env, "")
    else:
        place = f"the file {hook.secret_file}"
        try:
            text = hook.secret_file.read_text(encoding="utf-8") if hook.secret_file else ""
        except (OSError, UnicodeDecodeError) as exc:
            why = exc.strerror if isinstance(exc, OSError) else "it is no text"
            raise SetupError(f"webhook `{name}`: {place} cannot be read: {why}") from None
        secret = text.partition("\n")[0]
    secret = secret.strip()
    learn(secret)
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
