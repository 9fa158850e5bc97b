"""Logs of `appliance serve`: one way for all records, and no secret in any of them."""

import logging
import logging.config
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import structlog
from structlog.typing import Processor

from appliance.config import TelemetrySettings
from appliance.core.secrets import MASK, without_secrets

_OURS = "appliance"
"""Only what our own code says is told below warnings: a library's notes are about its own works,
and some name what they were asked, with every address."""
_QUIETER = {
    "uvicorn.access": logging.CRITICAL,  # requests are logged by `server.watch`
    "opentelemetry": logging.CRITICAL,  # `tracing` says once that the collector is away
}
_PLAIN = (bool, int, float, type(None))


def set_up_logs(settings: TelemetrySettings, stream: TextIO) -> None:
    """From now on, all that structlog and `logging` are told is written to the stream."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                mask,
                _renderer(settings, stream),
            ],
        )
    )
    logging.config.dictConfig({"version": 1, "disable_existing_loggers": False})
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(max(logging.WARNING, level))
    logging.getLogger(_OURS).setLevel(level)
    logging.captureWarnings(True)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers.clear()  # where somebody let it set up its own
        logging.getLogger(name).propagate = True
    for name, least in _QUIETER.items():
        logging.getLogger(name).setLevel(max(least, level))


def mask(_logger: object, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """A processor that masks secrets in all keys and values, however deep.

    What is no plain data is said in words first, so that no `repr` can bring one back later.
    """
    return {str(_without(key)): _without(value) for key, value in event.items()}


def _without(value: object) -> Any:  # Any: plain data
    match value:
        case str():
            return without_secrets(value)
        case bytes():
            return without_secrets(value.decode("utf-8", "backslashreplace"))
        case Mapping():
            return {str(_without(key)): _without(inner) for key, inner in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_without(inner) for inner in value]
        case _ if isinstance(value, _PLAIN):
            return MASK if without_secrets(str(value)) != str(value) else value
        case _:
            return without_secrets(str(value))


def _renderer(settings: TelemetrySettings, stream: TextIO) -> Processor:
    is_text = settings.log_format == "text" or (settings.log_format == "auto" and stream.isatty())
    if is_text:
        return structlog.dev.ConsoleRenderer(
            colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    return structlog.processors.JSONRenderer(ensure_ascii=False)
