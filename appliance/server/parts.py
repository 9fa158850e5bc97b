"""What handlers work with, and how they get it."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from appliance.config import Settings
from appliance.engine.engine import Engine
from appliance.engine.schedules.scheduler import Scheduler
from appliance.engine.webhooks.webhooks import Webhooks
from appliance.server.keys import KeyStore
from appliance.store.store import Store
from appliance.telemetry.metrics import Metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The parts of the running program that requests are answered from."""

    engine: Engine
    scheduler: Scheduler
    webhooks: Webhooks
    keys: KeyStore
    metrics: Metrics
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the program is to end: streams of events end then, so that the server can."""

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.engine.settings

    @property
    def stale_after(self) -> timedelta:
        """The age at which a verdict counts as stale."""
        return timedelta(days=self.settings.sweep.stale_days)

    @property
    def store(self) -> Store:
        """The results store. Its calls block: `asyncio.to_thread`."""
        return self.engine.store


TheService: TypeAlias = NamedDependency[SkipValidation[Service]]
"""For handlers: `async def show(self, service: TheService)`."""
