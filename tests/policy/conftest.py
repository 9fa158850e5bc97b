from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from appliance.browser import BrowserPool
from appliance.config import BrowserSettings
from tests.policy.policy_reader import Reader


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Who uses a page does so in the loop of the one browser."""
    for item in items:  # of other rooms, too
        is_ours = item.path.is_relative_to(Path(__file__).parent)
        if is_ours and isinstance(item, pytest.Function) and "pool" in item.fixturenames:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def pool() -> AsyncIterator[BrowserPool]:
    """One browser for all tests: to start one takes as long as most of them."""
    async with BrowserPool(BrowserSettings()) as pool:
        yield pool


@pytest_asyncio.fixture(loop_scope="session")
async def reader(pool: BrowserPool, tmp_path: Path) -> AsyncIterator[Reader]:
    async with pool.page(frozenset()) as page:
        yield Reader(page, tmp_path)
