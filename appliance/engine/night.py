"""The resources of a night: accounts as procedures request them, and the time to its deadline."""

from datetime import date, datetime, timedelta

from appliance.config import ConsoleSettings, Settings
from appliance.consoles import Account, matching_accounts
from appliance.core.errors import ConsoleError
from appliance.core.window import Window, next_time, zone_of


class Accounts:
    """The accounts of a console, as procedures ask for them."""

    def __init__(
        self, name: str = "", console: ConsoleSettings | None = None, number: int | None = None
    ) -> None:
        """Create it from settings.

        Args:
            name: Name of the console.
            console: Its settings; None if nothing is known of its accounts.
            number: Number of accounts of each kind; None for that of the settings.
        """
        self.limits: dict[str, int] = {}
        """How many procedures may be under way at a time, by kind, of those asked for so far; what
        may be shared, or is not known, has no limit."""
        self._name, self._number = name, number
        self._identities = console.identities if console else {}
        self._kinds: dict[tuple[str, str], str] = {}

    def kind(self, account_or_role: str, region: str = "") -> str:
        """The kind of account that a request means: a name, or the role of all that fit."""
        kind = self._kinds.get((account_or_role, region))
        if kind is None:
            kind = self._kinds[account_or_role, region] = self._look_up(account_or_role, region)
        return kind

    def _look_up(self, account_or_role: str, region: str) -> str:
        fitting = self._fitting(account_or_role, region)
        is_one = len(fitting) == 1 and fitting[0].name == account_or_role
        role = fitting[0].settings.role if fitting and not is_one else account_or_role
        kind = " ".join(filter(None, (role, region)))
        count = self._number or len(fitting)
        if count and not any(account.settings.is_shareable for account in fitting):
            self.limits[kind] = count
        return kind

    def _fitting(self, account_or_role: str, region: str) -> list[Account]:
        try:
            fitting = matching_accounts(self._name, self._identities, account_or_role or None)
        except ConsoleError:
            return []
        return [account for account in fitting if not region or account.settings.region == region]


def window_of(settings: Settings) -> Window | None:
    """The daily window in which sweeps run; None for any time."""
    section = settings.sweep
    return Window.parse(section.window, zone_of(section.time_zone)) if section.window else None


def deadline_after(settings: Settings, planned_at: datetime) -> datetime | None:
    """The deadline of a sweep planned at a time; None if it runs until all is done."""
    section = settings.sweep
    return (
        next_time(section.deadline, zone_of(section.time_zone), planned_at)
        if section.deadline
        else None
    )


def time_until(deadline: datetime, settings: Settings, now: datetime) -> float:
    """Seconds available to a sweep planned now, which may have to wait for its window."""
    window = window_of(settings)
    begins = now if window is None or window.closing(now) else window.opening(now)
    return max(0.0, (deadline - begins).total_seconds())


def night_s(settings: Settings, now: datetime) -> float | None:
    """Length of a night: to the deadline, else of the window; None if unlimited."""
    if deadline := deadline_after(settings, now):
        return time_until(deadline, settings, now)
    if (window := window_of(settings)) is None:
        return None
    opens, closes = (
        datetime.combine(date.min, time_of_day) for time_of_day in (window.opens, window.closes)
    )
    day = timedelta(days=1)
    return ((closes - opens) % day or day).total_seconds()
