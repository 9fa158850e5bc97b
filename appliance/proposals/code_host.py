"""What a code host is asked when something is proposed, and how."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote

import httpx

from appliance.core.errors import SetupError
from appliance.system.network.clients import client_to
from appliance.system.network.faults import explain
from appliance.system.network.network import Network

_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class Request:
    """A pull or merge request."""

    number: int
    url: str
    """For people."""
    is_open: bool
    """Neither merged nor closed."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a request says."""

    title: str
    body: str
    """Markdown."""


class CodeHost(Protocol):
    """A repository at a host. Everything raises `SetupError` where the host refuses."""

    def default_branch(self) -> str:
        """The repository's."""

    def has_branch(self, branch: str) -> bool:
        """Whether there is one of that name."""

    def file(self, path: str, branch: str) -> bytes | None:
        """A file's content; None where there is none."""

    def commit(self, branch: str, base: str, message: str, files: Mapping[str, bytes]) -> None:
        """Make a branch with one commit more than another, in which these files are changed."""

    def request(self, branch: str, base: str) -> Request | None:
        """The latest from one branch to the other, open or not."""

    def open(self, branch: str, base: str, words: Words) -> Request:
        """Open one."""

    def update(self, request: Request, words: Words) -> Request:
        """Give it other words."""


class Api:
    """A host's REST API."""

    def __init__(self, url: str, headers: Mapping[str, str], network: Network) -> None:
        """`url` is where the API begins; the headers have the token."""
        self._url = url
        self._client = client_to(url, network, headers=headers, timeout=_TIMEOUT_S)

    def get(self, path: str, **query: str | int) -> Any:  # Any: JSON
        """What is there; None where nothing is."""
        answer = self._send("GET", path, params=query)
        return None if answer is None else answer.json()

    def raw(self, path: str, accept: str = "*/*", **query: str) -> bytes | None:
        """The same as it is."""
        answer = self._send("GET", path, params=query, headers={"Accept": accept})
        return None if answer is None else answer.content

    def send(self, method: str, path: str, body: Mapping[str, Any]) -> Any:  # Any: JSON
        """Have something made or changed; what it is then."""
        answer = self._send(method, path, json=body)
        if answer is None:
            raise SetupError(f"{self._url} does not know {path}: may the token write there?")
        return answer.json()

    def _send(self, method: str, path: str, **more: Any) -> httpx.Response | None:  # Any: httpx's
        try:
            answer = self._client.request(method, f"{self._url}{path}", **more)
        except httpx.HTTPError as error:
            raise SetupError(f"{self._url} does not answer: {explain(error)}") from error
        if answer.status_code == httpx.codes.NOT_FOUND:
            return None
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            raise SetupError(
                f"{self._url} does not know the token: see repository.token_env and token_file"
            )
        if not answer.is_success:
            raise SetupError(f"{self._url} refuses {method} {path}: {_why(answer)}")
        return answer


class PullRequests:
    """What Gitea's API has as GitHub's has it."""

    def __init__(self, project: str, api: Api) -> None:
        self._project, self._api = project, api

    def default_branch(self) -> str:
        """The repository's."""
        return str(known(self._api.get(""), self._project)["default_branch"])

    def open(self, branch: str, base: str, words: Words) -> Request:
        """Open one."""
        asked = {"title": words.title, "body": words.body, "head": branch, "base": base}
        return request_of(self._api.send("POST", "/pulls", asked))

    def update(self, request: Request, words: Words) -> Request:
        """Give it other words."""
        asked = {"title": words.title, "body": words.body}
        return request_of(self._api.send("PATCH", f"/pulls/{request.number}", asked))


def request_of(told: Mapping[str, Any]) -> Request:  # Any: JSON
    """A request as these tell it."""
    return Request(int(told["number"]), str(told["html_url"]), told["state"] == "open")


def quoted(text: str, safe: str = "") -> str:
    """For an address: a path with its slashes where they are `safe`."""
    return quote(text, safe=safe)


def known(found: Any, project: str) -> Any:  # Any: JSON
    """A repository that there is; `SetupError` where there is none."""
    if found is None:
        raise SetupError(f"there is no repository {project}, or the token may not see it")
    return found


def _why(answer: httpx.Response) -> str:
    try:
        told = answer.json()
        why = told.get("message") or told.get("error") or told
    except (ValueError, AttributeError):
        why = answer.text
    return f"{answer.status_code}, {str(why)[:300]}"
