"""What handlers work with, and how they get it."""

import asyncio
from dataclasses import dataclass, field
from typing import TypeAlias

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from appliance.config import Settings
from appliance.server.keys import Keys
from appliance.serving.engine import Engine
from appliance.serving.metrics import Metrics
from appliance.serving.scheduler import Scheduler
from appliance.serving.webhooks import Webhooks
from appliance.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The parts of the running program that requests are answered from."""

    engine: Engine
    scheduler: Scheduler
    webhooks: Webhooks
    keys: Keys
    metrics: Metrics
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the program is to end: streams of events end then, so that the server can."""

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.engine.settings

    @property
    def store(self) -> Store:
        """The results store. Its calls block: `asyncio.to_thread`."""
        return self.engine.store


TheService: TypeAlias = NamedDependency[SkipValidation[Service]]
"""For handlers: `async def show(self, service: TheService)`."""
