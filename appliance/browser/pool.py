"""Browsers kept for attempts."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from appliance.browser._contexts import ContextKind, HttpCredentials
from appliance.browser._fleet import Fleet
from appliance.browser.page import Page
from appliance.config import BrowserSettings
from appliance.system.network.network import DIRECT, Network


class BrowserPool:
    """Keeps a Chromium and lends pages, each in a context of its own."""

    def __init__(self, settings: BrowserSettings, networks: Sequence[Network] = ()) -> None:
        """Nothing is started yet.

        Args:
            settings: Of the browsers.
            networks: All that pages will be asked for with: a browser is told whom to trust when it
                is started.
        """
        self._settings = settings
        self._free = asyncio.Semaphore(settings.pool_size)
        self._fleet = Fleet(settings, networks)

    async def __aenter__(self) -> Self:
        await self._fleet.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._fleet.close()

    @property
    def version(self) -> str:
        """Of the browser that runs; empty when there is none."""
        return self._fleet.current.raw.version if self._fleet.current else ""

    @property
    def executable(self) -> Path | None:
        """The program that runs."""
        return self._fleet.current.process.executable if self._fleet.current else None

    @property
    def is_sandboxed(self) -> bool:
        """Whether Chromium's own sandbox holds its pages."""
        return self._fleet.current is not None and self._fleet.current.process.is_sandboxed

    @property
    def user(self) -> int | None:
        """Whom it runs as."""
        return self._fleet.current.process.user if self._fleet.current else None

    @asynccontextmanager
    async def page(
        self,
        hosts: frozenset[str],
        locale: str = "en",
        network: Network = DIRECT,
        credentials: HttpCredentials | None = None,
    ) -> AsyncIterator[Page]:
        """A fresh page that reaches only `hosts` (`host` or `host:port`); directly, or as told."""
        kind = ContextKind(hosts, locale, network, credentials)
        async with self._free, self._fleet.context(kind) as context:
            yield Page(context.tabs, hosts, self._settings)
