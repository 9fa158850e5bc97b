"""How fast an API may be asked, how many pages are read, and whether its clock agrees with ours."""

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
    """Requests with a pause between them, whoever sends them."""

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
    """What an API's answers tell of its clock: by it the cloud's events are timed."""

    def __init__(self, skew_s: float) -> None:
        self._most_s = max(skew_s, 2 * _DATE_S)
        self._ahead_s = 0.0

    def note_date(self, date: str, asked_at: datetime) -> None:
        """Take note of the `Date` of an answer.

        Raises:
            OutcomeError: Our clock and the cloud's are too far apart for times to be compared.
        """
        try:
            server_time = parsedate_to_datetime(date)
        except ValueError:
            return
        now = datetime.now(UTC)
        early, late = (
            (server_time - now).total_seconds(),
            (server_time - asked_at).total_seconds() + _DATE_S,
        )
        self._ahead_s = early if early > 0 else min(late, 0.0)
        if abs(self._ahead_s) > self._most_s:
            side = "behind" if self._ahead_s > 0 else "ahead of"
            raise OutcomeError(
                f"this machine's clock is {abs(self._ahead_s):.0f} s {side} the cloud's; set it"
                " right (NTP), or raise audit.skew_s"
            )

    def of_cloud(self, ours: datetime) -> datetime:
        """One of our times as the cloud's events have it, which is cut to the second."""
        return (ours + timedelta(seconds=self._ahead_s)).replace(microsecond=0)


def too_many(what: str, since: datetime) -> OutcomeError:
    """For a question that does not come to an end."""
    return OutcomeError(
        f"{what} has more than {MOST_PAGES} pages of events since {since:%Y-%m-%d %H:%M:%S} UTC;"
        " give the attempts an account of their own, whose events are fewer"
    )
