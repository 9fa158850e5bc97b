"""Where the console's embedded frames come from."""

from typing import NamedTuple
from urllib.parse import urlsplit

from appliance.practice.identity import AnyRequest, Frames

_OTHER_NAME = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}


class Origins(NamedTuple):
    """The two origins that the console consists of, as a browser writes them."""

    same: str
    """That of the request."""
    other: str

    @classmethod
    def of(cls, request: AnyRequest, frames: Frames) -> "Origins":
        """The origins seen from a request: the other is told, or the other loopback name."""
        same = str(request.base_url).rstrip("/")
        address = urlsplit(same)
        name = _OTHER_NAME.get(address.hostname or "")
        port = f":{address.port}" if address.port else ""
        return cls(same, frames.origin or (f"{address.scheme}://{name}{port}" if name else same))
