"""How many requests one key or one address may send."""

import math
from collections import OrderedDict
from dataclasses import dataclass

from appliance.core.clock import Clock

_MOST = 10_000
"""Senders that are remembered; whoever was quiet for longest is forgotten first."""


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimits:
    """A bucket of requests for each sender; it fills again evenly, in a minute or so."""

    def __init__(self, most: int, clock: Clock, per_s: float = 60.0) -> None:
        self._size = float(most)
        self._per_second = most / per_s
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, sender: str) -> int:
        """Count one request; 0, or the seconds after which that sender may send the next."""
        now = self._clock.monotonic()
        bucket = self._buckets.setdefault(sender, _Bucket(self._size, now))
        self._buckets.move_to_end(sender)
        if len(self._buckets) > _MOST:
            self._buckets.popitem(last=False)
        bucket.left = min(self._size, bucket.left + (now - bucket.at) * self._per_second)
        bucket.at = now
        if bucket.left < 1:
            return math.ceil((1 - bucket.left) / self._per_second)
        bucket.left -= 1
        return 0
