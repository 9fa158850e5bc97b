"""Times, durations and numbers as a reader of the dashboard sees them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from markupsafe import Markup

from appliance.core.verdict import Verdict
from appliance.reports import duration
from appliance.server.dashboard.preferences import Words

VERDICTS = tuple(verdict.value for verdict in Verdict)
"""In the order in which they are shown."""
_UNITS = (("second", 1), ("minute", 60), ("hour", 3600), ("day", 86_400), ("week", 604_800))
_WEEKS_END_S = 60 * 86_400  # afterwards a date says more than a number of weeks


class Formats:
    """The filters of the templates, for one request."""

    def __init__(self, words: Words, now: datetime, zone: str) -> None:
        """Bind them.

        Args:
            words: In the reader's language.
            now: The time of the request.
            zone: Time zone in which moments are shown.
        """
        self._words = words
        self._now = now
        self._zone = ZoneInfo(zone)

    def age(self, moment: datetime | None) -> Markup:
        """`3 hours ago`, with the moment itself as its title; a dash where there is none."""
        if moment is None:
            return Markup('<span class="quiet">–</span>')
        return self._time(moment, self._relative(_aware(moment)))

    def moment(self, moment: datetime | None) -> Markup:
        """`21 Nov 2026, 02:30`; a dash where there is none."""
        if moment is None:
            return Markup('<span class="quiet">–</span>')
        return self._time(moment, self._date(_aware(moment), with_zone=False))

    def duration(self, seconds: float | None) -> str:
        """`4.2 s`, `3 min 5 s`, `1 h 2 min`, `3 days`."""
        return "–" if seconds is None else duration(seconds, self._words)

    def number(self, value: float) -> str:
        """`12,345`, `3.4`."""
        return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"

    def percent(self, share: float | None) -> str:
        """`42 %` of 0.42; never 0 or 100 where it is not so."""
        if share is None:
            return "–"
        shown = round(share * 100)
        if shown == 0 and share > 0:
            return "<1 %"
        if shown == 100 and share < 1:
            return ">99 %"
        return f"{shown} %"

    def _time(self, moment: datetime, text: str) -> Markup:
        moment = _aware(moment)
        return Markup('<time datetime="{}" title="{}">{}</time>').format(
            moment.astimezone(UTC).isoformat(timespec="seconds"),
            self._date(moment, with_zone=True),
            text,
        )

    def _date(self, moment: datetime, with_zone: bool) -> str:
        local = moment.astimezone(self._zone)
        zone = f" {local.tzname()}" if with_zone else ""
        if self._words.language == "zh":
            return f"{local.year}年{local.month}月{local.day}日 {local:%H:%M}{zone}"
        return f"{local.day} {local:%b %Y, %H:%M}{zone}"

    def _relative(self, moment: datetime) -> str:
        passed: timedelta = self._now - moment
        seconds = passed.total_seconds()
        if abs(seconds) < 10:
            return self._words("time.now")
        if abs(seconds) >= _WEEKS_END_S:
            return self._date(moment, with_zone=False)
        unit, length = next(
            (name, size) for name, size in reversed(_UNITS) if abs(seconds) >= size * 1.0
        )
        if unit == "week" and abs(seconds) < 2 * length:
            unit, length = "day", 86_400
        direction = "ago" if seconds > 0 else "ahead"
        return self._words(f"time.{direction}.{unit}", int(abs(seconds) // length))


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def counts(summary: object) -> dict[str, int]:
    """How many have which verdict, of a summary or a coverage."""
    return {verdict: getattr(summary, verdict) for verdict in VERDICTS}
