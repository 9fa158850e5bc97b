"""Rate limits of cloud APIs, and the difference between their clock and ours."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from appliance.core.errors import OutcomeError

MOST_PAGES = 200
"""Of one question: 10,000 events of 50 a page."""
_DATE_S = 1.0
"""A `Date` is cut to the second."""


class RequestPacing:
    """Keeps a pause between requests, whoever sends them."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._next = 0.0
        # Invariant: nobody is let go before the one before has been, and the pause is over.
        self._gate = asyncio.Lock()

    async def turn(self) -> None:
        """Wait until the next request may be sent."""
        async with self._gate:
            await asyncio.sleep(max(self._next - time.monotonic(), 0.0))
            self._next = time.monotonic() + self._every_s


class CloudClock:
    """Estimates the clock of a cloud's API from its responses, to interpret event times."""

    def __init__(self, skew_s: float) -> None:
        self._max_skew_s = max(skew_s, 2 * _DATE_S)
        self._ahead_s = 0.0

    def note_date(self, date: str, asked_at: datetime) -> None:
        """Update the estimate from a response's `Date` header.

        Raises:
            OutcomeError: Our clock and the cloud's are too far apart for times to be compared.
        """
        try:
            server_time = parsedate_to_datetime(date)
        except ValueError:
            return
        now = datetime.now(UTC)
        min_ahead_s, max_ahead_s = (
            (server_time - now).total_seconds(),
            (server_time - asked_at).total_seconds() + _DATE_S,
        )
        self._ahead_s = min_ahead_s if min_ahead_s > 0 else min(max_ahead_s, 0.0)
        if abs(self._ahead_s) > self._max_skew_s:
            side = "behind" if self._ahead_s > 0 else "ahead of"
            raise OutcomeError(
                f"this machine's clock is {abs(self._ahead_s):.0f} s {side} the cloud's; set it"
                " right (NTP), or raise audit.skew_s"
            )

    def to_cloud_time(self, ours: datetime) -> datetime:
        """Convert one of our times to the cloud's clock, truncated to the second."""
        return (ours + timedelta(seconds=self._ahead_s)).replace(microsecond=0)


def too_many_pages(what: str, since: datetime) -> OutcomeError:
    """The error for a query whose pages do not end."""
    return OutcomeError(
        f"{what} has more than {MOST_PAGES} pages of events since {since:%Y-%m-%d %H:%M:%S} UTC;"
        " give the attempts an account of their own, whose events are fewer"
    )
