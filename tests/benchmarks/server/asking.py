"""Asks for pages over HTTP, one after the other, and says how long each took."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPConnection
from urllib.parse import urlsplit

from appliance.core.errors import SetupError

_TIMEOUT_S = 300
"""The first page that shows the documentation reads all of it."""
_FINE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """How long one thing took, asked for again and again; in milliseconds."""

    name: str
    p50_ms: float
    p95_ms: float
    max_ms: float
    size: int = 0
    """Bytes of the last answer."""


def times(name: str, took_s: Sequence[float], size: int = 0) -> Times:
    """Of what was measured."""
    ordered = sorted(took_s)

    def at(share: float) -> float:
        return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1000, 2)

    return Times(name=name, p50_ms=at(0.5), p95_ms=at(0.95), max_ms=at(1), size=size)


def ask(url: str, paths: Sequence[str], rounds: int) -> tuple[Times, ...]:
    """All paths in turn, so many times, after a first time that does not count.

    Raises:
        SetupError: One does not answer with 200.
    """
    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=_TIMEOUT_S)
    took: dict[str, list[float]] = {path: [] for path in paths}
    sizes: dict[str, int] = {}
    for number in range(rounds + 1):
        for path in paths:
            began = time.perf_counter()
            connection.request("GET", path)
            answer = connection.getresponse()
            sizes[path] = len(answer.read())
            if answer.status != _FINE:
                raise SetupError(f"{url}{path} answers {answer.status} {answer.reason}.")
            if number:
                took[path].append(time.perf_counter() - began)
    connection.close()
    return tuple(times(path, took[path], sizes[path]) for path in paths)
