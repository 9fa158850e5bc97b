"""Asks a server over REST: the one that is named, else the one that owns the store.

While that runs, no other process may open it.
"""

import json
import os
import ssl
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar

import click
import httpx
from pydantic import TypeAdapter, ValidationError

from appliance import __version__
from appliance.cli._output import talk
from appliance.config import KEY_VARIABLE, SERVER_VARIABLE, Settings
from appliance.core.errors import ApplianceError, SetupError
from appliance.core.jsonable import Json
from appliance.core.result import RunResult
from appliance.core.result_json import load_result
from appliance.core.secrets import learn
from appliance.engine.address import Address, server_address
from appliance.system.network.clients import client_to
from appliance.system.network.faults import explain
from appliance.system.network.network import DIRECT, Network
from appliance.system.network.trust import pinned_context
from appliance.system.secret_references import SecretReference


def key_in(file: Path | None) -> str:
    """The key with which a server is asked; None: the environment's; empty: there is none.

    Raises:
        SetupError: The file cannot be read, or is empty.
    """
    if file is None:
        return os.environ.get(KEY_VARIABLE, "").strip()
    return SecretReference(file=file).require("the key").strip()


def checked_address(url: str, *, has_key: bool) -> str:
    """A server's address without what does not belong there.

    Raises:
        SetupError: It is none, or a password stands in it.
    """
    try:
        parts = httpx.URL(url)
    except httpx.InvalidURL as exc:
        raise SetupError(f"{url!r} is no address of a server: {exc}") from exc
    if parts.userinfo:
        raise SetupError(
            "the address of a server has no name and password in it: name a key with --key-file"
            f" or {KEY_VARIABLE}."
        )
    if parts.scheme not in ("http", "https") or not parts.host:
        raise SetupError(f"{url!r} is no address of a server: as in https://appliance.example")
    if has_key and parts.scheme == "http" and not _is_here(parts.host):
        talk(f"Warning: the key goes to {parts.host} unencrypted: use https.")
    return f"{parts.scheme}://{parts.netloc.decode()}{parts.path.rstrip('/')}"


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


T = TypeVar("T")

_TIMEOUT_S = 600.0
"""Cleaning up in a cloud takes its time."""
_KNOCK_TIMEOUT_S = 5.0
_HELLO_TIMEOUT_S = 30.0
_PATIENCE_S = 60
"""With a server that is asked too often."""
_PAGE_SIZE = 200
_NOTHING: Mapping[str, str | int | None] = {}
_NOT_HERE = (httpx.ConnectError, httpx.ConnectTimeout)


class NotThereError(SetupError):
    """The server knows of no such thing."""


class SilentError(SetupError):
    """The server does not answer; it may when it is asked again."""


class RemoteServer:
    """A server, and its API. Nothing is sent anywhere else.

    Args:
        url: Where it is.
        key: Empty: none is sent.
        elsewhere: How it is reached, where it was named; None: it is the one of our data folder.
        certificate: What ours has, where it speaks HTTPS: it is for another name.
    """

    def __init__(
        self,
        url: str,
        key: str = "",
        *,
        elsewhere: Network | None = None,
        certificate: str = "",
    ) -> None:
        self.url, self.is_elsewhere = url, elsewhere is not None
        headers = {"Authorization": f"Bearer {learn(key)}"} if key else {}
        self._client = client_to(
            f"{url}/api/v1",
            elsewhere or DIRECT,
            pinned=_pinned(url, certificate),
            headers=headers,
            timeout=_TIMEOUT_S,
        )

    def get(self, path: str, **query: str | int | None) -> Any:  # Any: JSON
        """What is there; `SetupError` says why it cannot be had, in the server's words."""
        return self._answer("GET", path, params=_without_nones(query)).json()

    def post(
        self, path: str, data: Mapping[str, Json] | None = None, **query: str | int | None
    ) -> Any:  # Any: JSON
        """Have something done; see `get`."""
        return self._answer("POST", path, params=_without_nones(query), json=data).json()

    def get_bytes(self, path: str, **query: str) -> bytes:
        """What is there, as it is; see `get`."""
        return self._answer("GET", path, params=_without_nones(query)).content

    def result(self, run_id: str) -> RunResult:
        """What a run has so far; documents that were handed in have the names they came with."""
        return load_result(json.loads(self.get_bytes(f"/runs/{run_id}/report", format="json")))

    def upload(self, path: str, data: Mapping[str, Any], files: Mapping[str, bytes]) -> Any:
        """Hand in a form with files, by name; see `get`."""  # Any: JSON
        form = [("files", file) for file in files.items()]
        return self._answer("POST", path, data=data, files=form).json()

    @contextmanager
    def lines(self, path: str) -> Iterator[Iterator[str]]:
        """What is there, line by line as it comes; `SetupError` where it breaks off."""
        try:
            with self._streamed(path) as answer:
                yield answer.iter_lines()
        except httpx.HTTPError as exc:
            raise SetupError(f"the server at {self.url} has broken off: {exc}") from exc

    def stream(self, path: str, **query: str | int | None) -> Iterator[str]:
        """What is there, as it comes; see `get`."""
        try:
            with self._streamed(path, query) as answer:
                yield from answer.iter_text()
        except httpx.HTTPError as exc:
            raise SetupError(f"the server at {self.url} does not answer: {exc}") from exc

    @contextmanager
    def _streamed(
        self, path: str, query: Mapping[str, str | int | None] = _NOTHING
    ) -> Iterator[httpx.Response]:
        with self._client.stream("GET", path, params=_without_nones(query)) as answer:
            if not answer.is_success:
                answer.read()
                raise SetupError(self._refusal(answer))
            yield answer

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

    def _answer(
        self, method: str, path: str, **more: Any
    ) -> httpx.Response:  # Any: as httpx has it
        try:
            answer = self._client.request(method, path, **more)
        except httpx.HTTPError as exc:
            raise SilentError(self._silence(exc)) from exc
        if answer.is_success:
            return answer
        wait_s = answer.headers.get("retry-after", "")
        is_hasty = answer.status_code == httpx.codes.TOO_MANY_REQUESTS and wait_s.isdecimal()
        if is_hasty and int(wait_s) <= _PATIENCE_S:  # more is a lock-out
            time.sleep(int(wait_s))
            return self._answer(method, path, **more)
        kinds = {404: NotThereError} | dict.fromkeys((502, 503, 504), SilentError)
        raise kinds.get(answer.status_code, SetupError)(self._refusal(answer))

    def _silence(self, exc: httpx.HTTPError) -> str:
        why = explain(exc)
        if why == str(exc) and "SSL" in why:
            return f"the server at {self.url} does not speak TLS as we do: is it http:// there?"
        return f"the server at {self.url} does not answer: {why}"

    def check_version(self) -> None:
        """See whether it is of this program's version, but for the last number.

        Raises:
            SetupError: It is not, does not answer, or is no appliance.
        """
        try:
            answer = self._client.get(f"{self.url}/readyz", timeout=_HELLO_TIMEOUT_S)
        except httpx.HTTPError as exc:
            raise SetupError(self._silence(exc)) from exc
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            raise SetupError(self._refusal(answer))
        try:
            status = answer.json()
            version = str(status["version"]) if status["status"] in ("ready", "not ready") else None
        except (ValueError, KeyError, TypeError):
            version = None
        if version is None:
            raise SetupError(
                f"there is no appliance at {self.url}, or one of an earlier version: is the address"
                " right?"
            )
        if not version:
            return  # a stranger is not told: the first request says that a key is needed
        theirs, ours = _release(version), _release(__version__)
        if theirs != ours:
            order, outdated = ("older", "it") if theirs < ours else ("newer", "this program")
            raise SetupError(
                f"the server at {self.url} is {order} ({version}; this is {__version__}):"
                f" update {outdated}."
            )

    def _refusal(self, answer: httpx.Response) -> str:
        if answer.status_code == httpx.codes.UNAUTHORIZED and "expired-key" not in answer.text:
            return (
                f"the server at {self.url} wants a key that it knows: set {KEY_VARIABLE}, or name"
                " a file with --key-file."
            )
        try:
            problem = answer.json()
            detail = str(problem["detail"])
            wrong = [f"{one['field']}: {one['detail']}" for one in problem.get("errors", [])]
        except (ValueError, KeyError, TypeError):
            detail, wrong = f"it answers {answer.status_code}", []
        return f"the server at {self.url} says: {' '.join([detail, *wrong])}"


def _without_nones(query: Mapping[str, str | int | None]) -> dict[str, str | int]:
    return {name: value for name, value in query.items() if value is not None}


def named_server(url: str | None) -> str:
    """The address of a server that an option or the environment names; empty: none does."""
    return url or os.environ.get(SERVER_VARIABLE, "")


def server_of(
    settings: Settings, url: str | None = None, key_file: Path | None = None
) -> RemoteServer | None:
    """The server to ask; None where none is named, and none runs on the data folder.

    Says on standard error whom it asks. Closed when the command ends.

    Args:
        settings: With the data folder.
        url: A server elsewhere; None: the environment's, else the one that owns the store.
        key_file: With the key; None: the environment's, else that of the store's owner.
    """
    named = named_server(url)
    address = None if named else _owner(settings)
    if not named and address is None:
        if key_file:
            raise SetupError("--key-file is for a server: name it with --server URL.")
        return None
    key = key_in(key_file) or (address.key if address else "")
    if address is not None:
        server = RemoteServer(address.url, key, certificate=address.certificate)
        talk(f"The server at {address.url} owns the store: asking it.")
    else:
        url = checked_address(named, has_key=bool(key))
        server = RemoteServer(url, key, elsewhere=settings.outward)
    if context := click.get_current_context(silent=True):
        context.call_on_close(server.close)
    if server.is_elsewhere:
        server.check_version()
        talk(f"Asking the server at {server.url}.")
    return server


def _owner(settings: Settings) -> Address | None:
    address = server_address(settings.data_dir)
    if address is None:
        return None
    pinned = _pinned(address.url, address.certificate)
    try:
        with client_to(address.url, DIRECT, pinned=pinned, timeout=_KNOCK_TIMEOUT_S) as client:
            client.get("/healthz")
    except _NOT_HERE as error:
        if "SSL" in str(error):
            raise SetupError(
                f"the server at {address.url} shows another certificate than the one in"
                f" {address.certificate}: {error}"
            ) from None
        return None  # it was killed, and another program has its process id now
    except httpx.HTTPError:
        pass  # it is there, and slow
    return address


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())


def _pinned(url: str, certificate: str) -> ssl.SSLContext | None:
    """What to trust: over HTTPS the server's own certificate, which is for another name."""
    if not certificate:
        return None
    try:
        return pinned_context(Path(certificate))
    except OSError as error:
        raise SetupError(
            f"the certificate of the server at {url} cannot be read:"
            f" {certificate}: {error.strerror or error}"
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


def id_that_begins(beginning: str, ids: Iterable[str], what: str, shown_by: str) -> str:
    """The id that somebody gave the beginning of.

    Args:
        beginning: As it was given.
        ids: All that there are.
        what: They are of, for messages.
        shown_by: The command that shows them.

    Raises:
        SetupError: None begins so, or several do.
    """
    matching = [one for one in ids if one.startswith(beginning)]
    if not matching:
        raise SetupError(f"there is no {what} {beginning}: `appliance {shown_by}` shows which are.")
    if len(matching) > 1 and beginning not in matching:
        few = ", ".join(matching[:5])
        raise SetupError(f"{beginning} begins {len(matching)} {what} ids: {few}.")
    return beginning if beginning in matching else matching[0]
