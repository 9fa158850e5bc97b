"""GitLab's REST API (https://docs.gitlab.com/api/), version 4."""

import base64
from collections.abc import Mapping
from typing import Any

from appliance.proposals.code_host import Api, Request, Words, quoted, require_found
from appliance.system.network.network import Network

_PUBLIC = "https://gitlab.com"


class GitLab:
    """See `CodeHost`."""

    def __init__(self, url: str, project: str, token: str, network: Network) -> None:
        self._project = project
        api = f"{url or _PUBLIC}/api/v4/projects/{quoted(project)}"
        self._api = Api(api, {"PRIVATE-TOKEN": token}, network)

    def default_branch(self) -> str:
        """Return the repository's default branch."""
        return str(
            require_found(self._api.get(""), f"repository {self._project}")["default_branch"]
        )

    def has_branch(self, branch: str) -> bool:
        """Whether the repository has this branch."""
        return self._api.get(f"/repository/branches/{quoted(branch)}") is not None

    def file(self, path: str, branch: str) -> bytes | None:
        """Return a file's content on a branch; None if there is no such file."""
        return self._api.raw(f"/repository/files/{quoted(path)}/raw", ref=branch)

    def commit(self, branch: str, base: str, message: str, files: Mapping[str, bytes]) -> None:
        """Create a branch with one commit."""
        actions = [
            {
                "action": "update",
                "file_path": path,
                "content": base64.b64encode(content).decode(),
                "encoding": "base64",
            }
            for path, content in files.items()
        ]
        body = {"branch": branch, "start_branch": base, "commit_message": message}
        self._api.send("POST", "/repository/commits", {**body, "actions": actions})

    def request(self, branch: str, base: str) -> Request | None:
        """The latest from one branch to the other, open or not."""
        query = {"state": "all", "source_branch": branch, "target_branch": base}
        requests = self._api.get("/merge_requests", **query) or []
        return _request(requests[0]) if requests else None

    def open(self, branch: str, base: str, words: Words) -> Request:
        """Open a request; its branch is deleted when it is merged."""
        body = {"source_branch": branch, "target_branch": base, "remove_source_branch": True}
        body |= {"title": words.title, "description": words.body}
        return _request(self._api.send("POST", "/merge_requests", body))

    def update(self, request: Request, words: Words) -> Request:
        """Replace the title and body of a request."""
        body = {"title": words.title, "description": words.body}
        return _request(self._api.send("PUT", f"/merge_requests/{request.number}", body))


def _request(data: Mapping[str, Any]) -> Request:  # Any: JSON
    return Request(int(data["iid"]), str(data["web_url"]), data["state"] == "opened")
