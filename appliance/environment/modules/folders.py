"""Where resource modules are, beside our own."""

from pathlib import Path

from appliance.config import Settings

ACCEPTED = "modules"
"""Of the data folder: what a model wrote and a person accepted."""


def module_folders(settings: Settings) -> tuple[Path, ...]:
    """The folders of resource modules beside our own: what was accepted, and those configured."""
    accepted = settings.data_dir / ACCEPTED
    return (*([accepted] if accepted.is_dir() else []), *settings.environment.terraform.modules)
