"""GitHub's REST API (https://docs.github.com/en/rest), version 2022-11-28."""

from collections.abc import Mapping

from appliance.proposals.code_host import (
    Api,
    PullRequests,
    Request,
    quoted,
    request_of,
    require_found,
)
from appliance.system.network.network import Network

_PUBLIC = "https://api.github.com"


class GitHub(PullRequests):
    """See `CodeHost`."""

    def __init__(self, url: str, project: str, token: str, network: Network) -> None:
        self._owner = project.partition("/")[0]
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        api = f"{url}/api/v3" if url else _PUBLIC
        super().__init__(project, Api(f"{api}/repos/{project}", headers, network))

    def has_branch(self, branch: str) -> bool:
        """Whether the repository has this branch."""
        return self._api.get(f"/git/ref/heads/{quoted(branch, '/')}") is not None

    def file(self, path: str, branch: str) -> bytes | None:
        """Return a file's content on a branch; None if there is no such file."""
        raw = "application/vnd.github.raw+json"
        return self._api.raw(f"/contents/{quoted(path, '/')}", raw, ref=branch)

    def commit(self, branch: str, base: str, message: str, files: Mapping[str, bytes]) -> None:
        """Create a branch with one commit: the ref comes last, so that nothing is half done."""
        ref = require_found(self._api.get(f"/git/ref/heads/{quoted(base, '/')}"), f"branch {base}")
        parent = ref["object"]["sha"]
        parent_commit = require_found(self._api.get(f"/git/commits/{parent}"), f"commit {parent}")
        entries = [
            {"path": path, "mode": "100644", "type": "blob", "content": content.decode("utf-8")}
            for path, content in files.items()
        ]
        tree = self._api.send(
            "POST", "/git/trees", {"base_tree": parent_commit["tree"]["sha"], "tree": entries}
        )
        commit = self._api.send(
            "POST",
            "/git/commits",
            {"message": message, "tree": tree["sha"], "parents": [parent]},
        )
        self._api.send("POST", "/git/refs", {"ref": f"refs/heads/{branch}", "sha": commit["sha"]})

    def request(self, branch: str, base: str) -> Request | None:
        """The latest from one branch to the other, open or not."""
        head = f"{self._owner}:{branch}"
        requests = self._api.get("/pulls", state="all", head=head, base=base) or []
        return request_of(requests[0]) if requests else None
