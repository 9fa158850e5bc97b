"""Whom we trust for a moment, so that not every request has to be proved anew."""

import hashlib
from collections import OrderedDict
from typing import Generic, TypeVar

from appliance.core.clock import Clock

T = TypeVar("T")

TRUSTED_FOR_S = 60.0
_MOST = 1000


class TrustCache(Generic[T]):
    """What recently stood behind secrets; of the secrets, it has the hashes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: OrderedDict[str, tuple[T, float]] = OrderedDict()

    def get(self, secret: str) -> T | None:
        """Who is behind it; None: that has to be found out."""
        row, until = self._known.get(digest(secret), (None, 0.0))
        return row if until > self._clock.monotonic() else None

    def add(self, secret: str, row: T, seconds: float = TRUSTED_FOR_S) -> None:
        """Trust it for a minute at most."""
        until = self._clock.monotonic() + min(seconds, TRUSTED_FOR_S)
        self._known[digest(secret)] = (row, until)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)

    def forget(self, secret: str) -> None:
        """Trust it no longer."""
        self._known.pop(digest(secret), None)


def digest(secret: str) -> str:
    """What may be kept of a secret of many random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()
