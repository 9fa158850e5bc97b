"""Settings as YAML for people, each value with where it comes from."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from appliance.config._schema import Path
from appliance.config.loading import Loaded
from appliance.config.settings import Settings
from appliance.system.yaml import Dumper


def shown(loaded: Loaded) -> str:
    """The settings in force, secrets masked, with the origin of what is not a default."""
    return "\n".join(_lines(masked(loaded.settings), (), loaded)) + "\n"


def flow(value: Any) -> str:  # Any: whatever a setting holds
    """A value on one line of YAML."""
    plain = list(value) if isinstance(value, tuple) else value
    if not isinstance(plain, (bool, int, float, list, dict, type(None))):
        plain = str(plain)
    text = yaml.dump(plain, Dumper=Dumper, default_flow_style=True, allow_unicode=True, width=1000)
    return str(text).removesuffix("...\n").strip()


def _lines(values: dict[str, Any], path: Path, loaded: Loaded) -> Iterator[str]:  # Any: JSON
    for key, value in values.items():
        here = (*path, key)
        indent = "  " * len(path)
        if isinstance(value, dict) and value:
            yield f"{indent}{flow(key)}:"
            yield from _lines(value, here, loaded)
        else:
            origin = loaded.origins.get(here)
            yield f"{indent}{flow(key)}: {flow(value)}" + (f"  # {origin}" if origin else "")


_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")


def masked(settings: Settings) -> dict[str, Any]:  # Any: JSON
    """The settings as JSON-able data. Names of secrets stay, credentials in addresses do not."""
    return {key: _mask(value) for key, value in settings.model_dump(mode="json").items()}


def _mask(value: Any) -> Any:  # Any: JSON
    match value:
        case str():
            return _CREDENTIALS.sub("***@", value)
        case dict():
            return {key: _mask(inner) for key, inner in value.items()}
        case list():
            return [_mask(inner) for inner in value]
        case _:
            return value
