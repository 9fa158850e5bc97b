"""Settings as plain data, without secrets: for storing with results and for showing."""

import re
from typing import Any

from appliance.config.settings import Settings

_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")


def masked(settings: Settings) -> dict[str, Any]:  # Any: JSON
    """The settings as JSON-able data. Names of secrets stay, credentials in addresses do not."""
    return {key: _masked(value) for key, value in settings.model_dump(mode="json").items()}


def _masked(value: Any) -> Any:  # Any: JSON
    match value:
        case str():
            return _CREDENTIALS.sub("***@", value)
        case dict():
            return {key: _masked(inner) for key, inner in value.items()}
        case list():
            return [_masked(inner) for inner in value]
        case _:
            return value
