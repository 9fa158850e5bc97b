"""The loop that everybody reads first: observe, choose, perform, until something says stop."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from appliance.core.clock import Clock
from appliance.core.errors import AnswerError, AttemptError, PolicyError
from appliance.policy.base import Policy
from appliance.verification.performer import Performer
from appliance.verification.trajectory import Limits, Recorder, StopReason, Trajectory

_log = structlog.get_logger()


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
    policy: Policy, hands: Performer, limits: Limits, recorder: Recorder, clock: Clock
) -> Trajectory:
    """Let the policy act on the page. A failed attempt is data, not an exception."""
    trajectory = Trajectory(policy=policy.name)
    started, last = clock.monotonic(), None
    try:
        while (stop := limits.reached(trajectory)) is None:
            view = await hands.page.observe()
            async with blamed_on(PolicyError, "choosing the next action"):
                decision = await policy.choose(view, last)
            seen = await recorder.look(hands.page, view, decision)
            if decision.action.is_final:
                recorder.add(trajectory, view, decision, None, seen)
                stop = recorder.answer(decision)
                break
            deed = await hands.perform(view, decision)
            last = deed.performed
            recorder.add(trajectory, view, decision, deed, seen)
            trajectory.waited_s = hands.person.waited_s
        trajectory.stop = stop
    except AttemptError as exc:
        is_format = isinstance(exc, AnswerError)
        trajectory.stop = StopReason.FORMAT if is_format else StopReason.ERROR
        trajectory.problem = exc.cause
    trajectory.end(policy, clock.monotonic() - started, hands.person.waited_s)
    trajectory.final = await recorder.last_look(hands.page)
    return trajectory
