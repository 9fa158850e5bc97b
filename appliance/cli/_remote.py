"""Asks the server that owns the store, over REST: while it runs, no other process may open it."""

import os
import ssl
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
import httpx
from pydantic import TypeAdapter, ValidationError

from appliance.cli._output import talk
from appliance.config import KEY_VARIABLE, Settings
from appliance.core.errors import ApplianceError, SetupError
from appliance.core.jsonable import Json
from appliance.core.secrets import learn
from appliance.engine.address import Address, server_address
from appliance.system.tls import pinned_context, tls_context

T = TypeVar("T")

_TIMEOUT_S = 600.0
"""Cleaning up in a cloud takes its time."""
_KNOCK_TIMEOUT_S = 5.0
_PAGE_SIZE = 200
_NOT_HERE = (httpx.ConnectError, httpx.ConnectTimeout)


class NotThereError(SetupError):
    """The server knows of no such thing."""


class RemoteServer:
    """A server of this machine, and its API. Nothing is sent anywhere else."""

    def __init__(self, url: str, key: str = "", tls: ssl.SSLContext | None = None) -> None:
        self.url = url
        headers = {"Authorization": f"Bearer {learn(key)}"} if key else {}
        self._client = httpx.Client(
            base_url=f"{url}/api/v1",
            headers=headers,
            timeout=_TIMEOUT_S,
            trust_env=False,
            verify=tls or tls_context(),
        )

    def get(self, path: str, **query: str | int | None) -> Any:  # Any: JSON
        """What is there; `SetupError` says why it cannot be had, in the server's words."""
        return self._ask("GET", path, query)

    def post(
        self, path: str, data: Mapping[str, Json] | None = None, **query: str | int | None
    ) -> Any:  # Any: JSON
        """Have something done; see `get`."""
        return self._ask("POST", path, query, data)

    def get_bytes(self, path: str) -> bytes:
        """What is there, as it is; see `get`."""
        return self._send("GET", path, {}).content

    def stream(self, path: str, **query: str | int | None) -> Iterator[str]:
        """What is there, as it comes; see `get`."""
        parameters = {name: value for name, value in query.items() if value is not None}
        try:
            with self._client.stream("GET", path, params=parameters) as answer:
                if not answer.is_success:
                    answer.read()
                    raise SetupError(self._refusal(answer))
                yield from answer.iter_text()
        except httpx.HTTPError as exc:
            raise SetupError(f"the server at {self.url} does not answer: {exc}") from exc

    def close(self) -> None:
        """Close its connections."""
        self._client.close()

    def items(self, path: str, limit: int, **query: str | int | None) -> list[Any]:  # Any: JSON
        """The first of a list that comes in pages."""
        rows: list[Any] = []
        page = 0
        while len(rows) < limit:
            page += 1
            size = min(limit, _PAGE_SIZE)
            answer = self.get(path, page=page, page_size=size, **query)
            rows += answer["items"]
            if page * size >= answer["total"]:
                break
        return rows[:limit]

    def _ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, str | int | None],
        data: Mapping[str, Json] | None = None,
    ) -> Any:  # Any: JSON
        answer = self._send(method, path, query, data)
        return answer.json() if answer.content else None

    def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, str | int | None],
        data: Mapping[str, Json] | None = None,
    ) -> httpx.Response:
        parameters = {name: value for name, value in query.items() if value is not None}
        try:
            answer = self._client.request(method, path, params=parameters, json=data)
        except httpx.HTTPError as exc:
            raise SetupError(f"the server at {self.url} does not answer: {exc}") from exc
        if answer.is_success:
            return answer
        is_there = answer.status_code != httpx.codes.NOT_FOUND
        raise (SetupError if is_there else NotThereError)(self._refusal(answer))

    def _refusal(self, answer: httpx.Response) -> str:
        has_expired = "expired-key" in answer.text
        if answer.status_code == httpx.codes.UNAUTHORIZED and not has_expired:
            return f"the server at {self.url} wants a key that it knows: set {KEY_VARIABLE}."
        try:
            problem = answer.json()
            detail = str(problem["detail"])
            wrong = [f"{one['field']}: {one['detail']}" for one in problem.get("errors", [])]
        except (ValueError, KeyError, TypeError):
            detail, wrong = f"it answers {answer.status_code}", []
        return f"the server at {self.url} says: {' '.join([detail, *wrong])}"


def server_of(settings: Settings) -> RemoteServer | None:
    """The server that owns the store of these settings; None where none runs.

    Says on standard error whom it asks. Closed when the command ends.
    """
    address = server_address(settings.data_dir)
    if address is None:
        return None
    tls = _tls_of(address)
    try:
        httpx.get(f"{address.url}/healthz", timeout=_KNOCK_TIMEOUT_S, trust_env=False, verify=tls)
    except _NOT_HERE as error:
        if "SSL" in str(error):
            raise SetupError(
                f"the server at {address.url} shows another certificate than the one in"
                f" {address.certificate}: {error}"
            ) from None
        return None  # it was killed, and another program has its process id now
    except httpx.HTTPError:
        pass  # it is there, and slow
    talk(f"The server at {address.url} owns the store: asking it.")
    server = RemoteServer(address.url, os.environ.get(KEY_VARIABLE, "") or address.key, tls)
    if context := click.get_current_context(silent=True):
        context.call_on_close(server.close)
    return server


def _tls_of(address: Address) -> ssl.SSLContext:
    """What to trust: over HTTPS the server's own certificate, which is for another name."""
    if not address.certificate:
        return tls_context()
    try:
        return pinned_context(Path(address.certificate))
    except OSError as error:
        raise SetupError(
            f"the certificate of the server at {address.url} cannot be read:"
            f" {address.certificate}: {error.strerror or error}"
        ) from None


def read_as(kind: type[T], value: object) -> T:
    """What the server told, as one of our types.

    Raises:
        ApplianceError: It is a server of another version.
    """
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        raise ApplianceError(
            f"the server tells of a {kind.__name__} in a way that is not known here"
            f" ({error.error_count()} differences): use the same version of the appliance."
        ) from error
