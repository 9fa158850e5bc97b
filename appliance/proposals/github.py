"""GitHub's REST API (https://docs.github.com/en/rest), version 2022-11-28."""

from collections.abc import Mapping

from appliance.proposals.code_host import Api, PullRequests, Request, known, quoted, request_of
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
        """Whether there is one of that name."""
        return self._api.get(f"/git/ref/heads/{quoted(branch, '/')}") is not None

    def file(self, path: str, branch: str) -> bytes | None:
        """A file's content; None where there is none."""
        raw = "application/vnd.github.raw+json"
        return self._api.raw(f"/contents/{quoted(path, '/')}", raw, ref=branch)

    def commit(self, branch: str, base: str, message: str, files: Mapping[str, bytes]) -> None:
        """A branch with one commit: the name comes last, and nothing is half done before."""
        ref = known(self._api.get(f"/git/ref/heads/{quoted(base, '/')}"), f"branch {base}")
        parent = ref["object"]["sha"]
        before = known(self._api.get(f"/git/commits/{parent}"), parent)
        entries = [
            {"path": path, "mode": "100644", "type": "blob", "content": content.decode("utf-8")}
            for path, content in files.items()
        ]
        tree = self._api.send(
            "POST", "/git/trees", {"base_tree": before["tree"]["sha"], "tree": entries}
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
        found = self._api.get("/pulls", state="all", head=head, base=base) or []
        return request_of(found[0]) if found else None
