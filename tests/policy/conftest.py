from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from appliance.browser import BrowserPool
from appliance.config import BrowserSettings
from tests.policy.policy_reader import Reader


@pytest_asyncio.fixture
async def reader(tmp_path: Path) -> AsyncIterator[Reader]:
    async with BrowserPool(BrowserSettings()) as pool, pool.page(frozenset()) as page:
        yield Reader(page, tmp_path)
