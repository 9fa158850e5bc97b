"""Playwright's driver: started, its objects closed, its errors put shortly."""

import asyncio
from collections.abc import Awaitable

from playwright._impl import _driver, transport
from playwright.async_api import Error, Playwright, async_playwright

from appliance.core.errors import SetupError
from appliance.system.child_environment import Child, child_environment

CLOSE_TIMEOUT_S = 10.0


def _environment() -> dict[str, str]:
    """What the driver is given: what any is, and what Playwright itself tells it."""
    variables = _driver.get_driver_env()
    return child_environment(
        Child.DRIVER, {name: value for name, value in variables.items() if name.startswith("PW_")}
    )


async def start_driver() -> Playwright:
    """Start it; `SetupError` when the system lacks what it needs."""
    # Playwright would hand down all our variables and has no setting for it. A test looks into
    # the driver's process, should another Playwright ask for them elsewhere.
    transport.get_driver_env = _environment  # type: ignore[attr-defined] # it imported it
    manager = async_playwright()
    try:
        playwright = await manager.start()
    except Exception as exc:  # Playwright has no narrower type for a driver that does not start
        raise SetupError(
            f"cannot start Playwright's driver: {exc}; `python -m playwright --version` says why "
            "(Debian: apt-get install libatomic1)"
        ) from exc
    # That a driver is lost every call says; Playwright also keeps it where nobody asks, and asyncio
    # would print that.
    if manager._client is not None:
        manager._client._transport.on_error_future.add_done_callback(_mark_retrieved)
    return playwright


def _mark_retrieved(lost: asyncio.Future[None]) -> None:
    if not lost.cancelled():
        lost.exception()


async def close_bounded(closing: Awaitable[None]) -> bool:
    """Close something of Playwright's; `False` when that took too long. What crashed is closed."""
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT_S):
            await closing
    except Error:
        return True
    except TimeoutError:
        return False
    return True


def first_line(exc: Error) -> str:
    """The part of an error of Playwright's that says something."""
    return exc.message.splitlines()[0] if exc.message else "no reason given"
