"""Waiting until a page is quiet: by what is known to be under way, never for a fixed time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from appliance.browser._frames import Frame
from appliance.browser._traffic import Traffic
from appliance.browser._world import GoneError
from appliance.config import BrowserSettings

TICK_S = 0.02  # for a document that is being replaced
CHECK_S = 0.5  # while requests are waited for
GRACE_S = 0.5  # for an answer to come back after its own bound
BOUND_S = 8.0  # of one evaluation, which the protocol bounds, too
CLOCKS_KEPT = 50
AWAITED_S = 45.0  # for an answer that somebody's action asked for: on a busy machine they are slow

Everywhere = Callable[..., Awaitable[list[tuple[Frame, Any]]]]  # Any: JSON


class Settling:
    """Knows when one tab's frames and requests have come to rest."""

    def __init__(self, everywhere: Everywhere, traffic: Traffic, settings: BrowserSettings) -> None:
        self._everywhere = everywhere
        self._traffic = traffic
        self._settings = settings
        self._clocks: dict[str, None] = {}

    async def settle(self, check: Callable[[], None]) -> bool:
        """Whether it became quiet within the bound; `check` raises when there is no page.

        The bound is counted from when the answers came that an action asked for.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        end = began + self._settings.settle_timeout_s
        while True:
            now = loop.time()
            if self._traffic.is_awaited and now < began + AWAITED_S:
                end = max(end, now + self._settings.settle_timeout_s)
            left = end - now
            if left <= 0:
                break
            check()
            if self._traffic.in_flight:
                await self._traffic.wait_for_move(min(left, CHECK_S))
                continue
            mark = self._traffic.mark
            try:
                answers = await self._ask(left)
            except GoneError:
                await asyncio.sleep(TICK_S)
                continue
            if not all(answer["isQuiet"] for answer in answers):
                break
            # While one frame was waited for, another may have been stirred.
            is_settled = len(answers) == 1 or not any(answer["waited"] for answer in answers)
            if is_settled and mark == self._traffic.mark and not self._traffic.in_flight:
                return True
        self._traffic.give_up()
        return False

    async def _ask(self, left_s: float) -> list[dict[str, Any]]:  # Any: JSON
        quiet_ms = self._settings.quiet_ms
        request = {
            "quietMs": quiet_ms,
            "boundMs": min(left_s, BOUND_S) * 1000,
            "restMs": self._traffic.rest_s(quiet_ms / 1000) * 1000,
            "sure": not self._traffic.is_lively,
            "mark": self._traffic.mark,
            "clocks": list(self._clocks),
        }
        answers = await self._everywhere("quiet", request, patience_s=left_s + GRACE_S)
        for _, answer in answers:
            self._clocks.update(dict.fromkeys(answer["clocks"]))
        for key in list(self._clocks)[:-CLOCKS_KEPT]:
            del self._clocks[key]
        return [answer for _, answer in answers]
