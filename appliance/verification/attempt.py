"""The loop that everybody reads first: observe, choose, perform, until something says stop."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog

from appliance.browser import Page
from appliance.core.clock import Clock
from appliance.core.errors import AttemptError, PolicyError
from appliance.core.page import ActionKind, Performed
from appliance.policy import Policy
from appliance.verification.limits import Limits
from appliance.verification.recorder import Recorder
from appliance.verification.trajectory import StopReason, Trajectory

Supplier = Callable[[str], Awaitable[Performed]]
"""Makes a resource that is asked for in words, while the attempt waits."""

_log = structlog.get_logger()


async def nothing(request: str) -> Performed:
    """Where nobody makes anything."""
    return Performed(ok=False, error=f"{request!r} cannot be made here")


@asynccontextmanager
async def blamed_on(kind: type[AttemptError], doing: str) -> AsyncIterator[None]:
    """Attribute anything that escapes to `kind`, unless a narrower boundary already did."""
    try:
        yield
    except AttemptError:
        raise
    except Exception as exc:
        _log.debug("attempt_failed", doing=doing, exc_info=True)
        raise kind(f"{doing}: {type(exc).__name__}: {exc}") from exc


async def attempt(
    policy: Policy,
    page: Page,
    limits: Limits,
    recorder: Recorder,
    clock: Clock,
    supply: Supplier = nothing,
) -> Trajectory:
    """Let the policy act on the page. A failed attempt is data, not an exception."""
    trajectory = Trajectory()
    started = clock.monotonic()
    last: Performed | None = None
    try:
        while (stop := limits.reached(trajectory)) is None:
            view = await page.observe()
            async with blamed_on(PolicyError, "choosing the next action"):
                decision = await policy.choose(view, last)
            seen = await recorder.look(page, view, decision)
            if decision.action.is_final:
                stop = recorder.answer(decision)
            elif decision.action.kind is ActionKind.REQUEST_RESOURCE:
                last = await supply(decision.action.text)
            else:
                last = await page.perform(decision.action)
            recorder.add(trajectory, view, decision, None if stop else last, seen)
            if stop:
                break
        trajectory.stop = stop
    except AttemptError as exc:
        trajectory.stop = StopReason.ERROR
        trajectory.problem = f"{exc.boundary}: {exc}"
    trajectory.browser_s = clock.monotonic() - started
    trajectory.final = await recorder.last_look(page)
    return trajectory
