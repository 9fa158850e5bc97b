"""Times as commands show them: in the zone of the settings, which is named once at the end."""

from datetime import UTC, datetime, tzinfo

from appliance.cli._output import talk
from appliance.core import local_time as times
from appliance.core.window import zone_of


class _Shown:
    zone: tzinfo = UTC
    is_used = False
    """Whether a time was shown in it."""


def use_zone(name: str) -> None:
    """That of the settings, from now on."""
    _Shown.zone = zone_of(name)


def local_time(moment: datetime | str | None) -> str:
    """To the minute; empty: never."""
    if moment is None or moment == "":
        return ""
    _Shown.is_used = True
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    return times.local_time(moment, _Shown.zone)


def in_zone(day: datetime) -> datetime:
    """What somebody typed, as a moment."""
    return day.replace(tzinfo=_Shown.zone)


def name_zone() -> None:
    """Say which it is, where times were shown."""
    if _Shown.is_used:
        talk(f"Times are those of {_Shown.zone} (sweep.time_zone).")
    _Shown.is_used, _Shown.zone = False, UTC
