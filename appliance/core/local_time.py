"""Times as people read them, in the zone of the settings. Programs are given ISO 8601, in UTC."""

from datetime import datetime, tzinfo


def local_time(moment: datetime, zone: tzinfo) -> str:
    """`2026-11-21 09:30`: to the minute, of a zone that is named once beside all times."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
