"""What hinders every attempt alike, whatever its text says: a full disk, a console that is down.

Neither is the fault of a procedure or an account. What fails of it counts as not made.
"""

import httpx

from appliance.consoles import Console
from appliance.core.causes import Cause, CauseKind
from appliance.core.errors import (
    AttemptError,
    ConsoleError,
    HinderedError,
    ModelError,
    PersonError,
    PolicyError,
)
from appliance.environment.space import Space, chain

_OTHERS = (ModelError, PersonError, PolicyError)
"""Failures of somebody else than the console."""


class Obstacles:
    """What can hinder every attempt in one console: a full disk, or the console being down."""

    def __init__(self, console: Console, space: Space) -> None:
        self._console = console
        self._space = space

    def disk(self) -> Cause | None:
        """Whether there is too little room."""
        return self._space.lack()

    async def console(self) -> Cause | None:
        """Whether the console does not answer: one question, no log-in."""
        try:
            await self._console.check()
        except ConsoleError as exc:
            return _down(exc)
        return None

    async def now(self) -> Cause | None:
        """The cause that hinders attempts now; None: there is none."""
        return self.disk() or await self.console()

    async def still(self, cause: Cause) -> bool:
        """Whether that cause still hinders."""
        if cause.kind is CauseKind.CONSOLE_DOWN:
            return await self.console() is not None
        return self.disk() is not None

    async def behind(self, exc: BaseException) -> Cause | None:
        """What a failure is due to; None: to something else.

        A console that did not answer was down, though it should answer again by now.
        """
        for one in chain(exc):
            if isinstance(one, HinderedError):
                return one.cause
        if cause := self._space.behind(exc):
            return cause
        if isinstance(exc, AttemptError) and _was_cut(exc):
            return _down(exc)
        return await self.console()

    async def raise_if_hindered(self, exc: BaseException) -> None:
        """Raise the cause of a failure, where it hinders every attempt.

        Raises:
            HinderedError: With the cause.
        """
        if cause := await self.behind(exc):
            raise HinderedError(cause) from exc

    async def require_clear(self) -> None:
        """Raise where something hinders every attempt now.

        Raises:
            HinderedError: With the cause.
        """
        if cause := await self.now():
            raise HinderedError(cause)


def _was_cut(exc: AttemptError) -> bool:
    """Whether a call to the console did not come back."""
    links = list(chain(exc))
    is_others = any(isinstance(one, _OTHERS) for one in links)
    return not is_others and any(isinstance(one, httpx.TransportError) for one in links)


def _down(exc: BaseException) -> Cause:
    return Cause(CauseKind.CONSOLE_DOWN, f"the console does not answer: {exc}")
