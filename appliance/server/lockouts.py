"""Who sent too many wrong keys, and for how long they may send none."""

import math
from collections import OrderedDict, deque

from appliance.config import LockoutSettings
from appliance.core.clock import Clock

_MOST = 10_000
"""Senders that are remembered; whoever failed longest ago is forgotten first."""


class Lockouts:
    """The last wrong keys of each sender; as many as are allowed lock it out."""

    def __init__(self, settings: LockoutSettings, clock: Clock) -> None:
        self._allowed = settings.failures
        self._lasts_s = settings.minutes * 60
        self._clock = clock
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()

    def wait_s(self, sender: str) -> int:
        """0, or the seconds after which that sender may try again."""
        failures = self._failures.get(sender)
        if failures is None or len(failures) < self._allowed:
            return 0
        spread = failures[-1] - failures[0]
        left = failures[-1] + self._lasts_s - self._clock.monotonic()
        return math.ceil(left) if left > 0 and spread < self._lasts_s else 0

    def failed(self, sender: str) -> bool:
        """Count a wrong key; whether the sender is locked out now."""
        failures = self._failures.setdefault(sender, deque(maxlen=self._allowed))
        failures.append(self._clock.monotonic())
        self._failures.move_to_end(sender)
        if len(self._failures) > _MOST:
            self._failures.popitem(last=False)
        return self.wait_s(sender) > 0
