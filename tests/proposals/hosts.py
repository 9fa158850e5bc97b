"""GitHub, GitLab and Gitea as far as proposals need them: strict servers over one small repository.

Paths, fields, statuses and headers are those of the three API references. What they would refuse
is refused: a wrong token or media type, a branch that is there, a file or blob that is not.
"""

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

TOKEN = "t0ken-of-a-code-host"


def sha_of(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0%b" % (len(content), content), usedforsecurity=False).hexdigest()


class Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Repository:
    branches: dict[str, dict[str, bytes]]
    requests: list[dict[str, object]] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    objects: dict[str, object] = field(default_factory=dict)

    def files(self, branch: str) -> dict[str, bytes]:
        if branch not in self.branches:
            raise Refused(404, f"no branch {branch}")
        return self.branches[branch]

    def file(self, path: str, branch: str) -> bytes:
        if path not in self.files(branch):
            raise Refused(404, f"no file {path}")
        return self.files(branch)[path]

    def branch(self, name: str, files: dict[str, bytes], message: str, status: int) -> None:
        if name in self.branches:
            raise Refused(status, f"A branch named {name} already exists")
        self.branches[name] = files
        self.messages.append(message)

    def open(self, head: str, base: str, title: str, body: str, status: int) -> dict[str, object]:
        assert title and body
        self.files(base), self.files(head)
        if any((r["head"], r["base"], r["open"]) == (head, base, True) for r in self.requests):
            raise Refused(status, "another open request already exists")
        asked = {"head": head, "base": base, "title": title, "body": body, "open": True}
        self.requests.append(asked | {"number": len(self.requests) + 1})
        return self.requests[-1]

    def between(self, head: str, base: str) -> list[dict[str, object]]:
        found = [one for one in self.requests if (one["head"], one["base"]) == (head, base)]
        return found[::-1]

    def change(self, number: str, title: str, body: str) -> dict[str, object]:
        told = next((r for r in self.requests if r["number"] == int(number)), None)
        if told is None:
            raise Refused(404, "no such request")
        told |= {"title": title, "body": body}
        return told


class Host:
    """One API: `read` and `write` answer what comes below the project, or raise `Refused`."""

    header: str
    value: str
    root: str

    def __init__(self, repository: Repository) -> None:
        self.repository = repository

    def answer(self, method: str, path: str, query: dict[str, str], body: dict, headers) -> object:
        if headers[self.header] != self.value:
            raise Refused(401, "Bad credentials")
        if not path.startswith(self.root):
            raise Refused(404, "Not Found")
        below = path.removeprefix(self.root)
        if method == "GET":
            return self.read(below, query, headers)
        return self.write(method, below, body)

    def read(self, path: str, query: dict[str, str], headers) -> object:
        raise NotImplementedError

    def write(self, method: str, path: str, body: dict) -> object:
        raise NotImplementedError


class GitHub(Host):
    header, value = "Authorization", f"Bearer {TOKEN}"
    root = "/api/v3/repos/docs/guides"

    def read(self, path, query, headers):
        assert headers["X-GitHub-Api-Version"] == "2022-11-28"
        match path.split("/", 4)[1:]:
            case []:
                return {"default_branch": "main"}
            case ["git", "ref", "heads", branch]:
                self.repository.files(unquote(branch))
                return {"object": {"sha": f"head-of-{unquote(branch)}", "type": "commit"}}
            case ["contents", *parts]:
                assert headers["Accept"] == "application/vnd.github.raw+json"
                return self.repository.file(unquote("/".join(parts)), query["ref"])
            case ["git", "commits", sha]:
                return {"sha": sha, "tree": {"sha": f"tree-of-{sha.removeprefix('head-of-')}"}}
            case ["pulls"]:
                owner, _, head = query["head"].partition(":")
                assert (owner, query["state"]) == ("docs", "all")
                return [self.told(one) for one in self.repository.between(head, query["base"])]
        raise Refused(404, "Not Found")

    def write(self, method, path, body):
        repository = self.repository
        match method, path.split("/")[1:]:
            case "POST", ["git", "trees"]:
                files = dict(repository.files(body["base_tree"].removeprefix("tree-of-")))
                for entry in body["tree"]:
                    assert (entry["mode"], entry["type"]) == ("100644", "blob")
                    files[entry["path"]] = entry["content"].encode()
                repository.objects["tree"] = files
                return {"sha": "tree"}
            case "POST", ["git", "commits"]:
                assert (body["tree"], body["parents"]) == ("tree", ["head-of-main"])
                repository.objects["commit"] = body["message"]
                return {"sha": "commit"}
            case "POST", ["git", "refs"]:
                assert body["ref"].startswith("refs/heads/") and body["sha"] == "commit"
                name = body["ref"].removeprefix("refs/heads/")
                made = repository.objects
                repository.branch(name, made["tree"], made["commit"], 422)
                return {"ref": body["ref"]}
            case "POST", ["pulls"]:
                words = body["title"], body["body"]
                return self.told(repository.open(body["head"], body["base"], *words, 422))
            case "PATCH", ["pulls", number]:
                return self.told(repository.change(number, body["title"], body["body"]))
        raise Refused(404, "Not Found")

    def told(self, one):
        state = "open" if one["open"] else "closed"
        address = f"https://github.example/docs/guides/pull/{one['number']}"
        return {"number": one["number"], "html_url": address, "state": state}


class GitLab(Host):
    header, value = "PRIVATE-TOKEN", TOKEN
    root = "/api/v4/projects/docs%2Fguides"

    def read(self, path, query, headers):
        match path.split("/")[1:]:
            case []:
                return {"default_branch": "main"}
            case ["repository", "branches", branch]:
                self.repository.files(unquote(branch))
                return {"name": unquote(branch)}
            case ["repository", "files", file, "raw"]:
                return self.repository.file(unquote(file), query["ref"])
            case ["merge_requests"]:
                assert query["state"] == "all"
                wanted = (query["source_branch"], query["target_branch"])
                return [self.told(one) for one in self.repository.between(*wanted)]
        raise Refused(404, "404 Not Found")

    def write(self, method, path, body):
        repository = self.repository
        match method, path.split("/")[1:]:
            case "POST", ["repository", "commits"]:
                files = dict(repository.files(body["start_branch"]))
                for one in body["actions"]:
                    assert (one["action"], one["encoding"]) == ("update", "base64")
                    if one["file_path"] not in files:
                        raise Refused(400, "A file with this name doesn't exist")
                    files[one["file_path"]] = base64.b64decode(one["content"], validate=True)
                repository.branch(body["branch"], files, body["commit_message"], 400)
                return {"id": "1"}
            case "POST", ["merge_requests"]:
                branches = body["source_branch"], body["target_branch"]
                words = body["title"], body["description"]
                return self.told(repository.open(*branches, *words, 409))
            case "PUT", ["merge_requests", number]:
                return self.told(repository.change(number, body["title"], body["description"]))
        raise Refused(404, "404 Not Found")

    def told(self, one):
        state = "opened" if one["open"] else "closed"
        address = f"https://gitlab.example/docs/guides/-/merge_requests/{one['number']}"
        return {"iid": one["number"], "id": 7000, "web_url": address, "state": state}


class Gitea(Host):
    header, value = "Authorization", f"token {TOKEN}"
    root = "/api/v1/repos/docs/guides"

    def read(self, path, query, headers):
        match path.split("/")[1:]:
            case []:
                return {"default_branch": "main"}
            case ["branches", *parts]:
                self.repository.files(unquote("/".join(parts)))
                return {"name": unquote("/".join(parts))}
            case ["contents", *parts]:
                content = self.repository.file(unquote("/".join(parts)), query["ref"])
                text, sha = base64.b64encode(content).decode(), sha_of(content)
                return {"type": "file", "encoding": "base64", "content": text, "sha": sha}
            case ["pulls"]:
                assert query["state"] == "all"
                limit, page = int(query["limit"]), int(query["page"])
                rows = list(reversed(self.repository.requests))
                return [self.told(one) for one in rows[limit * (page - 1) : limit * page]]
        raise Refused(404, "The target couldn't be found.")

    def write(self, method, path, body):
        repository = self.repository
        match method, path.split("/")[1:]:
            case "POST", ["contents"]:
                files = dict(repository.files(body["branch"]))
                for one in body["files"]:
                    assert one["operation"] == "update"
                    if one["sha"] != sha_of(repository.file(one["path"], body["branch"])):
                        raise Refused(422, "sha does not match")
                    files[one["path"]] = base64.b64decode(one["content"], validate=True)
                repository.branch(body["new_branch"], files, body["message"], 409)
                return {"commit": {"sha": "1"}}
            case "POST", ["pulls"]:
                words = body["title"], body["body"]
                return self.told(repository.open(body["head"], body["base"], *words, 409))
            case "PATCH", ["pulls", number]:
                return self.told(repository.change(number, body["title"], body["body"]))
        raise Refused(404, "The target couldn't be found.")

    def told(self, one):
        refs = {name: {"ref": one[name]} for name in ("head", "base")}
        address = f"https://gitea.example/docs/guides/pulls/{one['number']}"
        state = "open" if one["open"] else "closed"
        return {"number": one["number"], "html_url": address, "state": state} | refs


HOSTS = {"github": GitHub, "gitlab": GitLab, "gitea": Gitea}


@contextmanager
def listening(host: Host) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def handle_one(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            text = self.rfile.read(length)
            parts = urlsplit(self.path)
            try:
                if text and self.headers["Content-Type"] != "application/json":
                    raise Refused(415, "Unsupported Media Type")
                body = json.loads(text) if text else {}
                query = dict(parse_qsl(parts.query))
                said = host.answer(self.command, parts.path, query, body, self.headers)
                status = 201 if self.command == "POST" else 200
            except Refused as refused:
                said, status = {"message": str(refused)}, refused.status
            except (AssertionError, KeyError, ValueError) as wrong:
                said, status = {"message": f"wrong: {wrong!r}"}, 400
            content = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_one

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
