"""The jobs that a worker can be given."""

from collections.abc import Mapping
from dataclasses import dataclass

from appliance.config import Settings
from appliance.verification import CleaningOrder, Order


@dataclass(frozen=True, slots=True)
class Prepare:
    """Start a browser and get ready."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class Versions:
    """Versions that must be the same on all nodes."""

    appliance: str
    python: str

    def __str__(self) -> str:
        return f"appliance {self.appliance} on Python {self.python}"


Job = Prepare | Order | CleaningOrder
Secrets = Mapping[str, float]
"""Secrets learnt during a job, each with the seconds for which it stays secret."""
