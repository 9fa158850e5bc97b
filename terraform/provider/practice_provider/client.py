"""The REST API of the practice cloud."""

import base64
import http.client
import json
import threading
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

REQUEST_TIMEOUT_S = 30.0
POLL_S = 0.1
"""How often an item that settles is looked at in the beginning; later less often."""
SLOWEST_POLL_S = 1.0

Item = dict[str, Any]  # Any: JSON


class Refused(Exception):
    """The cloud does not do it, or does not answer."""

    def __init__(
        self, code: str, detail: str, status: int = 0, errors: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.code, self.detail, self.status, self.errors = code, detail, status, errors or {}


class Client:
    """Asks one practice cloud, as one account."""

    def __init__(
        self,
        endpoint: str,
        authorization: str,
        *,
        region: str,
        settle_timeout_s: float,
        dependency_timeout_s: float,
    ) -> None:
        """A client.

        Args:
            endpoint: Where the cloud is.
            authorization: The header that says who asks.
            region: Where things are made; empty: in the cloud's first region.
            settle_timeout_s: How long to wait for a state to settle.
            dependency_timeout_s: How long a deletion is tried again while something still uses the
                item: it may be going as well.
        """
        parts = urlsplit(endpoint)
        self._is_tls = parts.scheme == "https"
        self._host, self._root = parts.netloc, parts.path.rstrip("/")
        self._endpoint, self._authorization = endpoint, authorization
        self._region = region
        self._settle_timeout_s = settle_timeout_s
        self._dependency_timeout_s = dependency_timeout_s
        self._is_stopped = threading.Event()
        self._kinds: dict[str, Item] | None = None

    def stop(self) -> None:
        """Wait for nothing any more: what is under way ends, and what was made is known."""
        self._is_stopped.set()

    def check(self) -> None:
        """See that it answers, and knows who asks and the region; `Refused` when not."""
        self._json("GET", "/api/quotas")

    def offered(self, kind: str) -> dict[str, Item]:
        """The fields of a kind as the cloud has them; none where it does not say."""
        if self._kinds is None:
            try:
                self._kinds = self._json("GET", "/api/kinds")
            except Refused as refused:
                if refused.status != 404:
                    raise
                self._kinds = {}
        fields = self._kinds.get(kind, {}).get("fields")
        return fields if isinstance(fields, dict) else {}

    def create(self, path: str, values: Mapping[str, object]) -> Item:
        """Make an item."""
        return self._json("POST", path, values)

    def item(self, path: str, item_id: str) -> Item | None:
        """An item in whatever region, or None."""
        try:
            return self._json("GET", f"{path}/{quote(item_id, safe='')}?region=*")
        except Refused as refused:
            if refused.status == 404:
                return None
            raise

    def named(self, path: str, name: str) -> list[Item]:
        """The items of a name in the region."""
        answer = self._json("GET", f"{path}?per_page=200&name={quote(name, safe='')}")
        return [item for item in answer["items"] if item["values"].get("name") == name]

    def file(self, path: str, item_id: str, field: str) -> bytes:
        """The bytes of a file."""
        return self._call("GET", f"{path}/{quote(item_id, safe='')}/files/{field}?region=*")

    def act(self, path: str, item: Item, action: str, values: Mapping[str, object]) -> Item | None:
        """Carry out an action and wait until the item has settled."""
        address = f"{path}/{quote(item['id'], safe='')}/{action}"
        self._json("POST", address, values, item.get("region", ""))
        return self.settled(path, item["id"])

    def settled(self, path: str, item_id: str) -> Item | None:
        """The item once it has settled; None when it is gone."""
        deadline = time.monotonic() + self._settle_timeout_s
        pause = POLL_S
        while True:
            item = self.item(path, item_id)
            if item is None or item["is_settled"]:
                return item
            if time.monotonic() > deadline:
                waited = f"{self._settle_timeout_s:g} s"
                detail = f"{item_id} is still {item['state']} after {waited} (settle_timeout_s)."
                raise Refused("Timeout", detail)
            self._wait(pause, item_id)
            pause = min(pause * 1.5, SLOWEST_POLL_S)

    def delete(self, path: str, item: Item) -> None:
        """Delete an item, also one that is protected, and wait until it is gone."""
        if item.get("is_protected"):
            address = f"{path}/{quote(item['id'], safe='')}/protection"
            self._json("PUT", address, {"is_protected": False}, item.get("region", ""))
        deadline = time.monotonic() + self._dependency_timeout_s
        while True:
            try:
                address = f"{path}/{quote(item['id'], safe='')}"
                self._call("DELETE", address, region=item.get("region", ""))
                break
            except Refused as refused:
                if refused.status == 404:
                    return
                if refused.code != "DependencyViolation" or time.monotonic() > deadline:
                    raise
            self._wait(SLOWEST_POLL_S, item["id"])
        if self.settled(path, item["id"]) is not None:
            raise Refused("NotDeleted", f"{item['id']} is still there after it was deleted.")

    def _wait(self, pause_s: float, item_id: str) -> None:
        if self._is_stopped.wait(pause_s):
            raise Refused("Interrupted", f"Terraform was told to stop while {item_id} settled.")

    def _json(
        self, method: str, address: str, body: object | None = None, region: str = ""
    ) -> Item:
        answer = self._call(method, address, body, region)
        try:
            found = json.loads(answer)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            detail = f"{self._endpoint} does not answer as a practice cloud does: is it one?"
            raise Refused("NoPracticeCloud", detail)
        return found

    def _call(
        self, method: str, address: str, body: object | None = None, region: str = ""
    ) -> bytes:
        headers = {
            "authorization": self._authorization,
            "user-agent": "terraform-provider-practice",
            "accept-language": "en",
        }
        wanted = region or self._region
        if wanted and "region=" not in address:
            headers["x-practice-region"] = wanted
        data = None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body)
        factory = http.client.HTTPSConnection if self._is_tls else http.client.HTTPConnection
        connection = factory(self._host, timeout=REQUEST_TIMEOUT_S)
        try:
            connection.request(method, self._root + address, data, headers)
            response = connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as exc:
            detail = f"{self._endpoint} does not answer: {exc}"
            raise Refused("Unreachable", detail) from exc
        finally:
            connection.close()
        if response.status >= 400:
            raise _refused(response.status, answer)
        return answer


def basic(user: str, password: str) -> str:
    """The header of somebody with a password."""
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def _refused(status: int, answer: bytes) -> Refused:
    try:
        problem = json.loads(answer)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        return Refused("Failed", f"HTTP {status}", status)
    detail = str(problem.get("detail", "")) or f"HTTP {status}"
    errors = problem.get("errors")
    fields = {str(k): str(v) for k, v in errors.items()} if isinstance(errors, dict) else {}
    return Refused(str(problem.get("code", "Failed")), detail, status, fields)
