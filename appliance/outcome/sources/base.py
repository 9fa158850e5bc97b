"""The seam between a backend's audit log and who asks what was done."""

from datetime import datetime
from pathlib import Path
from typing import Protocol, assert_never

from appliance.config import AuditSettings
from appliance.core.checks import AuditEvent
from appliance.core.errors import SetupError
from appliance.outcome.sources.cadf import CadfSource
from appliance.outcome.sources.file_source import FileSource
from appliance.outcome.sources.kubernetes import KUBERNETES
from appliance.outcome.sources.mapped import mapped_dialect
from appliance.store.store import Store
from appliance.system.network.network import DIRECT, Network

_USUAL_LATE_S = {"cloudtrail": 15 * 60.0, "actiontrail": 10 * 60.0}
"""How late an event may come, by kind. AWS: "typically within 15 minutes of an API call"; Alibaba
Cloud: an event can be queried within 10 minutes. What is written by the cloud itself into a file or
posted by it comes at once."""


def late_s(settings: AuditSettings) -> float:
    """How late an event may come: as the settings say, else as is usual."""
    if settings.late_minutes >= 0:
        return settings.late_minutes * 60
    return _USUAL_LATE_S.get(settings.kind, 0.0)


class AuditSource(Protocol):
    """Where a console's backend writes down what was done.

    An event is taken for one of an attempt by its time: not before `since`. Where the log is prompt
    (`late_s` is 0) its clock may be somewhat slow (`skew_s`) or fast: what it had already when
    `mark` was called is of before, whatever time it bears; what came afterwards counts even where
    it bears a time up to `skew_s` before `since`. Where the log comes late, what it did not have
    then may still be of before: times decide, by the clock of the cloud's own API where there is
    one.
    """

    late_s: float
    """How late an event may come."""

    async def check(self) -> None:
        """Check that the log can be read; `OutcomeError` if not."""

    async def mark(self) -> None:
        """What it has now is of before the next attempt; `OutcomeError`: it cannot be read."""

    async def events(
        self, since: datetime, until: datetime | None = None, *, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """What was done from then on, oldest first, each event once, reads left out.

        Args:
            since: When the attempt began, by our clock.
            until: When it ended; None: it goes on.
            actor: Whose events are wanted: others may be left out, where that saves something.

        Raises:
            OutcomeError: It cannot be read, refuses, or has more than can be taken in.
        """

    async def close(self) -> None:
        """Release connections."""


def open_source(
    console: str,
    settings: AuditSettings,
    *,
    region: str = "",
    store: Store | None = None,
    network: Network = DIRECT,
) -> AuditSource | None:
    """Where a console's backend writes down what was done; None: nowhere. Nothing is asked yet.

    The network is the way to the APIs of clouds.

    Raises:
        SetupError: The settings lack something, or a package is missing.
    """
    late, skew = late_s(settings), settings.skew_s
    match settings.kind:
        case "":
            return None
        case "cadf":
            return CadfSource(_path(console, settings), late_s=late, skew_s=skew)
        case "kubernetes":
            return FileSource(_path(console, settings), KUBERNETES, late_s=late, skew_s=skew)
        case "jsonlines":
            dialect = mapped_dialect(settings.fields)
            return FileSource(_path(console, settings), dialect, late_s=late, skew_s=skew)
        case "cloudtrail":
            from appliance.outcome.sources.aws import open_cloudtrail

            return open_cloudtrail(settings, region, late, network)
        case "actiontrail":
            from appliance.outcome.sources.actiontrail_api import ActionTrailApi

            return ActionTrailApi(settings, region, late, network=network)
        case "webhook":
            from appliance.outcome.sources.received import ReceivedSource

            return ReceivedSource(console, settings, store, late)
        case _:
            assert_never(settings.kind)


def _path(console: str, settings: AuditSettings) -> Path:
    if settings.path is None:
        raise SetupError(
            f"consoles.{console}.audit.path is missing: name the file, folder or pattern of the"
            f" {settings.kind} log"
        )
    return settings.path
