"""Closed shadow roots that the HTML itself declares: only the protocol can open them.

Roots made by script are known from the hook. A declared one (`<template shadowrootmode="closed">`)
is made by the parser, which calls nobody; but the protocol gives every root to who asks for its
host, and our world can then read it like any other.
"""

import asyncio

from appliance.browser._world import GoneError, World

ADOPT = "function (host) { globalThis.__appliance.adoptRoot(host, this); }"
AT_ONCE = 200  # hosts asked about for one observation; the others have their turn at the next


class Roots:
    """Asks once for every host that may have a closed root."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._requested: set[tuple[str, str, int]] = set()

    async def open(self, frame_id: str, document: str, suspects: list[int]) -> bool:
        """Hand the closed roots of these hosts to the observer; whether there were any."""
        fresh = [n for n in suspects if (frame_id, document, n) not in self._requested][:AT_ONCE]
        self._requested.update((frame_id, document, n) for n in fresh)
        opened = await asyncio.gather(
            *(self._open(frame_id, n) for n in fresh), return_exceptions=True
        )
        for answer in opened:
            if isinstance(answer, BaseException) and not isinstance(answer, GoneError):
                raise answer
        return any(answer is True for answer in opened)

    async def _open(self, frame_id: str, host: int) -> bool:
        held, session = await self._world.node(frame_id, host)
        answer = await self._world.send("DOM.describeNode", {"objectId": held}, session)
        closed = [
            root["backendNodeId"]
            for root in answer["node"].get("shadowRoots", ())
            if root.get("shadowRootType") == "closed"
        ]
        for node in closed:
            await self._world.adopt(frame_id, node, ADOPT, held)
        return bool(closed)
