"""The way to a model's endpoint: nothing leaves but the question, and errors come back in words."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from appliance.config import ModelSettings
from appliance.core.errors import ModelError, SetupError
from appliance.system.network.faults import explain
from appliance.system.network.network import Network
from appliance.system.secret_references import SecretReference

if TYPE_CHECKING:
    import httpx2  # which of its kind carries the questions is the package's affair
    import openai

_HEADERS = frozenset(
    ("accept", "authorization", "connection", "content-length", "content-type", "host")
)
"""Those that are sent. The package would add the machine's system, processor and Python, and
whatever OPENAI_CUSTOM_HEADERS, OPENAI_ORG_ID and OPENAI_PROJECT_ID say."""
_NO_KEY = "none"
"""Sent where the endpoint needs none: the package insists on one."""
_RETRIES = 2
"""After a lost connection, 408, 409, 429 and 5xx; all within the time limit of one question."""
_QUOTED = 300
"""Characters of an endpoint's own words in a message."""

_TOO_OFTEN = 429
_was_too_often: ContextVar[bool] = ContextVar("was_too_often", default=False)
"""Whether the question of this task was told to come again later."""


def open_pool(settings: ModelSettings, network: Network) -> "httpx2.AsyncClient":
    """The connections of one client: questions share them, and none waits for another.

    Raises:
        SetupError: A certificate, or the password of the proxy, cannot be read.
    """
    import httpx2
    import openai  # takes half a second, and most of what we do needs no model

    from appliance.inference.transport import BoundedTransport

    proxy = network.proxy_for(settings.endpoint)
    http_proxy = None
    if proxy is not None:
        context = network.proxy_context() if proxy.speaks_tls else None
        http_proxy = httpx2.Proxy(proxy.url, auth=proxy.log_in(), ssl_context=context)
    return openai.DefaultAsyncHttpxClient(
        transport=BoundedTransport(
            verify=network.ssl_context(),
            trust_env=False,
            proxy=http_proxy,
            limits=openai.DEFAULT_CONNECTION_LIMITS,
        ),
        trust_env=False,
        follow_redirects=False,  # the question stays where it was sent
        timeout=settings.timeout_s,
        event_hooks={"request": [_send_no_more_than_needed], "response": [_note_refusal]},
    )


def connect(settings: ModelSettings, pool: "httpx2.AsyncClient") -> "openai.AsyncOpenAI":
    """The way for one question; the key lives no longer than it.

    Raises:
        ModelError: No endpoint is set, its address is none, or the key cannot be read.
    """
    import openai

    check_address(settings)
    return openai.AsyncOpenAI(
        api_key=key_of(settings),
        base_url=settings.endpoint,
        timeout=settings.timeout_s,
        max_retries=_RETRIES,
        http_client=pool,
    )


def check_address(settings: ModelSettings) -> None:
    """Raise `ModelError` where no endpoint is set, or its address is none."""
    if not settings.endpoint:
        raise ModelError("there is no model: set model.endpoint to the address of one")
    if not _is_address(settings.endpoint):
        raise ModelError(
            f"model.endpoint is {settings.endpoint}, not like http://127.0.0.1:8000/v1"
        )


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port or an IPv6 address that is none
        return False


def key_of(settings: ModelSettings) -> str:
    """The key of the endpoint, or a word in its place where none is needed; `ModelError`."""
    place = SecretReference(settings.key_env, settings.key_file)
    if not place:
        return _NO_KEY
    key = place.require("the model's key", ModelError).strip()
    if not key.isascii() or not key.isprintable():
        raise ModelError(f"the model's key has characters that no key has: look at {place}")
    return key


async def _send_no_more_than_needed(request: "httpx2.Request") -> None:
    for name in [name for name in request.headers if name.lower() not in _HEADERS]:
        del request.headers[name]


async def _note_refusal(response: "httpx2.Response") -> None:
    if response.status_code == _TOO_OFTEN:
        _was_too_often.set(True)


@contextmanager
def blamed_on_model(settings: ModelSettings) -> Iterator[None]:
    """Whatever goes wrong on the way becomes a `ModelError` that says what and where."""
    import openai

    from appliance.inference.transport import TooLongError

    where = f"the model at {settings.endpoint}"
    _was_too_often.set(False)
    try:
        yield
    except (openai.APITimeoutError, TimeoutError) as exc:
        did = "is asked too often, and did" if _was_too_often.get() else "did"
        raise ModelError(
            f"{where} {did} not answer within {settings.timeout_s:g} s;"
            " model.timeout_s is the limit"
        ) from exc
    except openai.APIConnectionError as exc:
        why = explain(exc.__cause__ or exc)
        raise ModelError(f"{where} cannot be reached: {why}. Is it running?") from exc
    except SetupError as exc:
        raise ModelError(f"{where} cannot be reached: {exc}") from exc
    except openai.APIStatusError as exc:
        raise ModelError(f"{where} {_refusal(exc)}") from exc
    except (openai.OpenAIError, TooLongError, ValueError) as exc:
        raise ModelError(f"{where} answered what cannot be read: {_short(str(exc))}") from exc


def _refusal(exc: "openai.APIStatusError") -> str:
    reason = _short(_words(exc.body) or exc.response.reason_phrase)
    match exc.status_code:
        case 401 | 403:
            advice = "refuses the key; look at model.key_env or model.key_file"
        case 404:
            advice = "has no such model or path; look at model.name and model.endpoint"
        case 429:
            advice = "is asked too often, also after waiting"
        case code if code >= 500:
            advice = "has a fault of its own"
        case _:
            advice = "refuses the question"
    return f"{advice} (HTTP {exc.status_code}: {reason})"


def _words(body: object) -> str:
    """What an error body says: OpenAI's shape, that of other servers, or plain text."""
    if isinstance(body, dict):
        message = body.get("message") or body.get("detail") or body.get("error") or ""
        return message if isinstance(message, str) else _words(message)
    return body if isinstance(body, str) else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED else f"{line[:_QUOTED]}…"
