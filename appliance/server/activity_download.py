"""The activity log as a download, for REST and the dashboard."""

from collections.abc import Iterable, Iterator
from itertools import islice

from litestar.response import Stream

from appliance.server.activity import about
from appliance.server.parts import Service
from appliance.store.activity import ActivityFilter
from appliance.store.activity_export import MEDIA_TYPES, ActivityFormat, exported

_LINES = 500
"""That are sent at a time."""


def activity_download(service: Service, wanted: ActivityFilter, format: ActivityFormat) -> Stream:
    """All entries that are wanted, oldest first."""
    about(format.value)
    lines = exported(service.store.activity.each(wanted), format)
    day = service.engine.clock.now().date()
    return Stream(
        _together(lines),
        media_type=MEDIA_TYPES[format],
        headers={
            "Content-Disposition": f'attachment; filename="activity-{day}.{format}"',
            "Cache-Control": "no-store",
        },
    )


def _together(lines: Iterable[str]) -> Iterator[str]:
    rest = iter(lines)
    while part := "".join(islice(rest, _LINES)):
        yield part
