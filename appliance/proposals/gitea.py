"""The REST API of Gitea 1.20 and later (https://docs.gitea.com/api/); Forgejo has the same."""

import base64
from collections.abc import Mapping
from typing import Any

from appliance.core.errors import SetupError
from appliance.proposals.code_host import (
    Api,
    PullRequests,
    Request,
    quoted,
    request_of,
    require_found,
)
from appliance.system.network.network import Network

_PAGE, _PAGES = 50, 20
"""Requests are looked through, the latest first."""


class Gitea(PullRequests):
    """See `CodeHost`."""

    def __init__(self, url: str, project: str, token: str, network: Network) -> None:
        headers = {"Authorization": f"token {token}"}
        super().__init__(project, Api(f"{url}/api/v1/repos/{project}", headers, network))

    def has_branch(self, branch: str) -> bool:
        """Whether the repository has this branch."""
        return self._api.get(f"/branches/{quoted(branch, '/')}") is not None

    def file(self, path: str, branch: str) -> bytes | None:
        """Return a file's content on a branch; None if there is no such file."""
        contents = self._contents(path, branch)
        return None if contents is None else base64.b64decode(contents["content"])

    def commit(self, branch: str, base: str, message: str, files: Mapping[str, bytes]) -> None:
        """Create a branch with one commit."""
        changes = [
            {
                "operation": "update",
                "path": path,
                "content": base64.b64encode(content).decode(),
                "sha": require_found(self._contents(path, base), f"file {path}")["sha"],
            }
            for path, content in files.items()
        ]
        body = {"branch": base, "new_branch": branch, "message": message, "files": changes}
        self._api.send("POST", "/contents", body)

    def request(self, branch: str, base: str) -> Request | None:
        """The latest from one branch to the other, open or not."""
        for page in range(1, _PAGES + 1):
            requests = self._api.get("/pulls", state="all", limit=_PAGE, page=page) or []
            for data in requests:
                if (data["head"]["ref"], data["base"]["ref"]) == (branch, base):
                    return request_of(data)
            if not requests:
                break
        return None

    def _contents(self, path: str, branch: str) -> Any:  # Any: JSON
        contents = self._api.get(f"/contents/{quoted(path, '/')}", ref=branch)
        if contents is not None and (
            not isinstance(contents, dict) or contents.get("encoding") != "base64"
        ):
            raise SetupError(f"{path} in {self._project} is no file whose content can be had")
        return contents
