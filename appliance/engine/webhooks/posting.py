"""Signs one message and posts it to one receiver, and says what became of it."""

import asyncio
import base64
import binascii
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import NamedTuple

import httpx
from standardwebhooks import Webhook

from appliance import __version__
from appliance.config import WebhookSettings
from appliance.core.errors import SetupError
from appliance.core.secrets import learn
from appliance.store.outbox import Delivery
from appliance.system.network.clients import async_client
from appliance.system.network.faults import explain
from appliance.system.network.network import Network
from appliance.system.secret_references import SecretReference

TIMEOUT_S = 15.0
"""For the whole of an attempt, as the specification advises (standardwebhooks.com)."""
GONE = 410
_PREFIX = "whsec_"
_FEWEST, _MOST = 24, 64
"""Bytes of a key, as the specification says (standardwebhooks.com)."""


class PostResult(NamedTuple):
    """The response of a receiver, or why there is none."""

    status: int | None
    """None: nothing."""
    why: str
    """What was wrong; empty: nothing."""


class Poster:
    """Sends messages. Goes to the address and nowhere else: no redirect, no proxy but ours."""

    def __init__(self, client: httpx.AsyncClient, timeout_s: float) -> None:
        self._client = client
        self._timeout_s = timeout_s

    async def post(self, url: str, secret: str, delivery: Delivery, at: datetime) -> PostResult:
        """Send a message once."""
        content = delivery.body.encode()
        sent = headers(secret, delivery.id, delivery.body, at)
        sent |= {
            "content-type": "application/json",
            "user-agent": f"console-docs-appliance/{__version__}",
        }
        try:
            async with (
                asyncio.timeout(self._timeout_s),
                self._client.stream("POST", url, content=content, headers=sent) as response,
            ):
                return _answer(response.status_code)  # what else it says is not read
        except (TimeoutError, httpx.TimeoutException):
            return PostResult(None, f"no answer within {self._timeout_s:g} seconds")
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as exc:
            return PostResult(None, f"cannot be reached: {explain(exc)}")


@asynccontextmanager
async def open_poster(timeout_s: float, network: Network) -> AsyncIterator[Poster]:
    """What sends by way of a network.

    Raises:
        SetupError: A certificate, or the password of its proxy, cannot be read.
    """
    client = await asyncio.to_thread(
        async_client, network, follow_redirects=False, timeout=timeout_s
    )
    async with client:
        yield Poster(client, timeout_s)


def _answer(status: int) -> PostResult:
    if 200 <= status < 300:
        return PostResult(status, "")
    if status == GONE:
        return PostResult(status, "answered 410 Gone: it wants no messages any more")
    if 300 <= status < 400:
        return PostResult(status, f"answered {status}: redirects are not followed")
    return PostResult(status, f"answered {status}")


def webhook_secret(name: str, hook: WebhookSettings) -> str:
    """The secret of a receiver, as its settings name it.

    Raises:
        SetupError: The variable is not set, the file cannot be read, or it holds no secret.
    """
    place = SecretReference(hook.secret_env, hook.secret_file)
    secret = place.require(f"the secret of webhook `{name}`").strip()
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
