"""Makes of a reply what its fault makes of it."""

from dataclasses import replace
from typing import Final, assert_never

from appliance.inference.scripted.script import Fault, ScriptedReply

SLOW_S: Final = 30.0
"""How long a slow answer takes where nothing else is said."""
HUGE_BYTES: Final = 200_000
PROSE: Final = (
    "Certainly! I have had a good look at the page, and I would say that the next thing to do"
    " is to click on the button. Let me know if there is anything else!"
)
WRONG: Final = '{"action": "fly_to_the_moon", "element": 999999, "reached": "perhaps"}'
"""JSON that keeps to no schema of ours."""


def with_fault(reply: ScriptedReply) -> ScriptedReply:
    """The reply as its fault makes it; what the connection does is left to the server."""
    match reply.fault:
        case Fault.NONE | Fault.HANG_UP | Fault.CUT_OFF | Fault.GONE:
            return reply
        case Fault.SLOW:
            return replace(reply, delay_s=reply.delay_s or SLOW_S)
        case Fault.WRONG:
            return replace(reply, text=WRONG)
        case Fault.PROSE:
            return replace(reply, text=PROSE)
        case Fault.TRUNCATED:
            half = reply.text[: len(reply.text) // 2]
            return replace(reply, text=half, finish_reason="length")
        case Fault.HUGE:
            return replace(reply, text=(PROSE * (HUGE_BYTES // len(PROSE) + 1))[:HUGE_BYTES])
        case Fault.RATE_LIMITED:
            return replace(reply, status=429)
        case Fault.ERROR:
            return replace(reply, status=500)
        case _:
            assert_never(reply.fault)
