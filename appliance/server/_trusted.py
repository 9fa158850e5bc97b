"""Secrets that were found to be good a moment ago, so that not every request asks the store."""

import hashlib
from collections import OrderedDict

from appliance.core.clock import Clock
from appliance.store.keys import KeyRow

TRUSTED_FOR_S = 60.0
_MOST = 1000


class Trusted:
    """What keys recently stood behind secrets; of the secrets, it has the hashes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: OrderedDict[str, tuple[KeyRow, float]] = OrderedDict()

    def get(self, secret: str) -> KeyRow | None:
        """The key behind it; None: that has to be found out."""
        row, until = self._known.get(digest(secret), (None, 0.0))
        return row if until > self._clock.monotonic() else None

    def add(self, secret: str, row: KeyRow, seconds: float = TRUSTED_FOR_S) -> None:
        """Trust it for a minute, or less."""
        until = self._clock.monotonic() + min(seconds, TRUSTED_FOR_S)
        self._known[digest(secret)] = (row, until)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)

    def forget(self, secret: str) -> None:
        """It is good no more."""
        self._known.pop(digest(secret), None)


def digest(secret: str) -> str:
    """What may be kept of a secret of many random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()
