"""Log-ins that are under way: each is begun here, and finished once, by the browser that began."""

import base64
import hashlib
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field

from appliance.core.clock import Clock
from appliance.server.identity.errors import NotLetIn, Reason

LASTS_S = 600
"""Somebody finds their password and their second factor."""
_MOST = 10_000
_BYTES = 32


@dataclass(frozen=True, slots=True)
class Flow:
    """One of them."""

    state: str = field(repr=False)
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    """Of PKCE: only who began can use the code."""
    redirect_uri: str
    next: str
    """Where to go then: a path of ours."""
    until: float

    @property
    def challenge(self) -> str:
        """What the provider is told of the verifier."""
        hashed = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(hashed).rstrip(b"=").decode()


class Flows:
    """Those of a server, in memory: after a restart people begin anew."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._under_way: OrderedDict[str, Flow] = OrderedDict()

    def begin(self, redirect_uri: str, next: str) -> Flow:
        """A new one."""
        state, nonce, verifier = (secrets.token_urlsafe(_BYTES) for _ in range(3))
        until = self._clock.monotonic() + LASTS_S
        flow = Flow(state, nonce, verifier, redirect_uri, next, until)
        self._under_way[state] = flow
        if len(self._under_way) > _MOST:
            self._under_way.popitem(last=False)
        return flow

    def finish(self, state: str, kept: str) -> Flow:
        """The one of that state, which is over now.

        Args:
            state: As the provider sent it back.
            kept: As the browser that began has it in its cookie.

        Raises:
            NotLetIn: There is none, or another browser began it.
        """
        is_same = bool(state) and secrets.compare_digest(state.encode(), kept.encode())
        flow = self._under_way.pop(state, None) if is_same else None
        if flow is None or flow.until <= self._clock.monotonic():
            raise NotLetIn(Reason.USED_UP, "the state is of no log-in that is under way here")
        return flow
