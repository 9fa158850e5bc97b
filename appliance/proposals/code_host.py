"""The interface of a code host for proposals, and the REST client behind it."""

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
    """Title and body of a request."""

    title: str
    body: str
    """Markdown."""


class CodeHost(Protocol):
    """A repository at a host. Everything raises `SetupError` where the host refuses."""

    def default_branch(self) -> str:
        """Return the repository's default branch."""

    def has_branch(self, branch: str) -> bool:
        """Whether the repository has this branch."""

    def file(self, path: str, branch: str) -> bytes | None:
        """Return a file's content on a branch; None if there is no such file."""

    def commit(self, branch: str, base: str, message: str, files: Mapping[str, bytes]) -> None:
        """Make a branch with one commit more than another, in which these files are changed."""

    def request(self, branch: str, base: str) -> Request | None:
        """The latest from one branch to the other, open or not."""

    def open(self, branch: str, base: str, words: Words) -> Request:
        """Open a request."""

    def update(self, request: Request, words: Words) -> Request:
        """Replace the title and body of a request."""


class Api:
    """A host's REST API."""

    def __init__(self, url: str, headers: Mapping[str, str], network: Network) -> None:
        """`url` is where the API begins; the headers have the token."""
        self._url = url
        self._client = client_to(url, network, headers=headers, timeout=_TIMEOUT_S)

    def get(self, path: str, **query: str | int) -> Any:  # Any: JSON
        """GET a JSON document; None on 404."""
        answer = self._send("GET", path, params=query)
        return None if answer is None else answer.json()

    def raw(self, path: str, accept: str = "*/*", **query: str) -> bytes | None:
        """GET raw bytes; None on 404."""
        answer = self._send("GET", path, params=query, headers={"Accept": accept})
        return None if answer is None else answer.content

    def send(self, method: str, path: str, body: Mapping[str, Any]) -> Any:  # Any: JSON
        """Send a JSON body, and return the resource as it is afterwards."""
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
    """The part of the API that GitHub and Gitea share."""

    def __init__(self, project: str, api: Api) -> None:
        self._project, self._api = project, api

    def default_branch(self) -> str:
        """Return the repository's default branch."""
        return str(
            require_found(self._api.get(""), f"repository {self._project}")["default_branch"]
        )

    def open(self, branch: str, base: str, words: Words) -> Request:
        """Open a request."""
        body = {"title": words.title, "body": words.body, "head": branch, "base": base}
        return request_of(self._api.send("POST", "/pulls", body))

    def update(self, request: Request, words: Words) -> Request:
        """Replace the title and body of a request."""
        body = {"title": words.title, "body": words.body}
        return request_of(self._api.send("PATCH", f"/pulls/{request.number}", body))


def request_of(data: Mapping[str, Any]) -> Request:  # Any: JSON
    """Parse a pull request of GitHub or Gitea."""
    return Request(int(data["number"]), str(data["html_url"]), data["state"] == "open")


def quoted(text: str, safe: str = "") -> str:
    """Percent-encode text for a URL; slashes stay if they are in `safe`."""
    return quote(text, safe=safe)


def require_found(answer: Any, name: str) -> Any:  # Any: JSON
    """Return the answer about a repository, branch, commit or file; `SetupError` if it is None."""
    if answer is None:
        raise SetupError(f"there is no {name}, or the token may not see it")
    return answer


def _why(answer: httpx.Response) -> str:
    try:
        problem = answer.json()
        why = problem.get("message") or problem.get("error") or problem
    except (ValueError, AttributeError):
        why = answer.text
    return f"{answer.status_code}, {str(why)[:300]}"
