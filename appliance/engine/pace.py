"""How fast a sweep goes, and how long it will take."""

from dataclasses import dataclass


@dataclass(slots=True)
class Pace:
    """One sitting, from its start."""

    lanes: int
    began_s: float
    """By the monotonic clock."""
    left_s: float
    """Estimated work that is still to be done, as if one thing came after the other."""
    done: int = 0
    done_s: float = 0.0
    """What the estimates said of that."""

    def finish(self, estimate_s: float, *, is_verdict: bool = True) -> None:
        """One more is over."""
        self.left_s = max(0.0, self.left_s - estimate_s)
        if is_verdict:
            self.done += 1
            self.done_s += estimate_s

    def rate_per_minute(self, now_s: float) -> float | None:
        """Verdicts; None before the first."""
        took = now_s - self.began_s
        return 60 * self.done / took if self.done and took > 0 else None

    def seconds_left(self, now_s: float) -> float:
        """By the estimates, put right by how true they were of what is done."""
        took = now_s - self.began_s
        if self.done_s and took > 0:
            return self.left_s * took / self.done_s
        return self.left_s / self.lanes
