"""What a worker can be asked to do."""

from collections.abc import Mapping
from dataclasses import dataclass

from appliance.config import Settings
from appliance.verification import CleaningOrder, Order


@dataclass(frozen=True, slots=True)
class Prepare:
    """Start a browser, and be ready."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class Versions:
    """What has to be the same everywhere."""

    appliance: str
    python: str

    def __str__(self) -> str:
        return f"appliance {self.appliance} on Python {self.python}"


Job = Prepare | Order | CleaningOrder
Secrets = Mapping[str, float]
"""What was learnt on the way, each with the seconds that it is a secret."""
