"""The audit source that a console's settings name."""

from pathlib import Path
from typing import assert_never

from appliance.config import AuditSettings
from appliance.core.errors import SetupError
from appliance.outcome.sources.base import AuditSource, late_s
from appliance.outcome.sources.cadf import CadfSource
from appliance.outcome.sources.file_source import FileSource
from appliance.outcome.sources.kubernetes import KUBERNETES
from appliance.outcome.sources.mapped import mapped_dialect
from appliance.store.store import Store


def open_source(
    console: str, settings: AuditSettings, *, region: str = "", store: Store | None = None
) -> AuditSource | None:
    """Where a console's backend writes down what was done; None: nowhere. Nothing is asked yet.

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

            return open_cloudtrail(settings, region, late)
        case "actiontrail":
            from appliance.outcome.sources.actiontrail_api import ActionTrailApi

            return ActionTrailApi(settings, region, late)
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
