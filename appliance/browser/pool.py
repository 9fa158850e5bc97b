"""Browsers kept for attempts (contract; to be filled in)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from appliance.browser.page import Page
from appliance.config import BrowserSettings


class BrowserPool:
    """Starts Chromium once and lends pages, each in a context of its own."""

    def __init__(self, settings: BrowserSettings) -> None:
        self._settings = settings

    async def __aenter__(self) -> Self:
        raise NotImplementedError

    async def __aexit__(self, *exc: object) -> None:
        raise NotImplementedError

    @asynccontextmanager
    async def page(self, hosts: frozenset[str], locale: str = "en") -> AsyncIterator[Page]:
        """A fresh page that reaches only `hosts` (`host` or `host:port`)."""
        raise NotImplementedError
        yield
