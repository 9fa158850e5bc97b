"""What the benchmark asks of our own observer: a page of a running browser, its text, its nodes."""

import re
from typing import NamedTuple

from appliance.browser import Page, describe
from appliance.browser.observation.notation import is_usable
from appliance.core.page import Observation


class Node(NamedTuple):
    """An element's number, and the protocol's names of its node."""

    number: int
    backend_id: int
    frame: str


def view_form(seen: Observation) -> str:
    """What a model would be sent."""
    return describe(seen)


def shown(seen: Observation, text: str) -> set[int]:
    """The numbers that its view form gives: what can be acted on now."""
    written = {int(number) for number in re.findall(r"\d+", text)}
    return {e.id for e in seen.elements if is_usable(e) and e.in_viewport and e.id in written}


async def nodes(page: Page, numbers: list[int]) -> list[Node]:
    """The nodes behind numbers, one by one: not for what is timed."""
    found = [(number, await page.backend_node(number)) for number in numbers]
    return [Node(number, backend, frame) for number, (frame, backend) in found]


async def bare_call(page: Page) -> None:
    """A round trip to the page that does nothing, on the connection that looks use."""
    await page._tabs.active.call_main("node", 0)
