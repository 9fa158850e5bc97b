"""GitLab's REST API (https://docs.gitlab.com/api/), version 4."""

import base64
from collections.abc import Mapping
from typing import Any

from appliance.proposals.code_host import Api, Request, Words, known, quoted
from appliance.system.network.network import Network

_PUBLIC = "https://gitlab.com"


class GitLab:
    """See `CodeHost`."""

    def __init__(self, url: str, project: str, token: str, network: Network) -> None:
        self._project = project
        api = f"{url or _PUBLIC}/api/v4/projects/{quoted(project)}"
        self._api = Api(api, {"PRIVATE-TOKEN": token}, network)

    def default_branch(self) -> str:
        """The repository's."""
        return str(known(self._api.get(""), self._project)["default_branch"])

    def has_branch(self, branch: str) -> bool:
        """Whether there is one of that name."""
        return self._api.get(f"/repository/branches/{quoted(branch)}") is not None

    def file(self, path: str, branch: str) -> bytes | None:
        """A file's content; None where there is none."""
        return self._api.raw(f"/repository/files/{quoted(path)}/raw", ref=branch)

    def commit(self, branch: str, base: str, message: str, files: Mapping[str, bytes]) -> None:
        """A branch with one commit."""
        actions = [
            {
                "action": "update",
                "file_path": path,
                "content": base64.b64encode(content).decode(),
                "encoding": "base64",
            }
            for path, content in files.items()
        ]
        asked = {"branch": branch, "start_branch": base, "commit_message": message}
        self._api.send("POST", "/repository/commits", {**asked, "actions": actions})

    def request(self, branch: str, base: str) -> Request | None:
        """The latest from one branch to the other, open or not."""
        query = {"state": "all", "source_branch": branch, "target_branch": base}
        found = self._api.get("/merge_requests", **query) or []
        return _request(found[0]) if found else None

    def open(self, branch: str, base: str, words: Words) -> Request:
        """Open one; its branch goes when it is merged."""
        asked = {"source_branch": branch, "target_branch": base, "remove_source_branch": True}
        asked |= {"title": words.title, "description": words.body}
        return _request(self._api.send("POST", "/merge_requests", asked))

    def update(self, request: Request, words: Words) -> Request:
        """Give it other words."""
        asked = {"title": words.title, "description": words.body}
        return _request(self._api.send("PUT", f"/merge_requests/{request.number}", asked))


def _request(told: Mapping[str, Any]) -> Request:  # Any: JSON
    return Request(int(told["iid"]), str(told["web_url"]), told["state"] == "opened")
