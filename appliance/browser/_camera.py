"""Taking a tab's picture, with everything secret painted over."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from appliance.browser._tab import Tab
from appliance.browser._world import GoneError
from appliance.browser.observation.picture import Finish, finish
from appliance.core.page import Box, Observation, TextKind


@dataclass(frozen=True, slots=True)
class Glance:
    """What must be known of the page to make its picture ready."""

    moment: tuple[str, ...]
    """Equal as long as nothing that counts has changed or scrolled in any frame."""
    width: float
    secrets: tuple[Box, ...]


class Pictured(NamedTuple):
    """An observation and the picture of the same page."""

    view: Observation
    picture: bytes
    is_same_moment: bool
    """Whether nothing changed between the two; a clock's tick does not count."""


async def glance(tab: Tab) -> Glance:
    """All frames at this moment."""
    eyes = await tab.everywhere("eye")
    secrets: list[Box] = []
    for frame, eye in eyes:
        if not eye["secrets"]:
            continue
        try:
            x, y = await tab.offset(frame.id)
        except GoneError:
            continue
        secrets += (Box(left + x, top + y, *size) for left, top, *size in eye["secrets"])
    moment = tuple(str(eye["moment"]) for _, eye in eyes)
    return Glance(moment, eyes[0][1]["width"], tuple(secrets))


async def shoot(tab: Tab, how: Finish) -> bytes:
    """The viewport, finished. Secrets are asked for before and after: fields come and move."""
    before = await glance(tab)
    # What is only handed on is packed by the browser; what is drawn on is not packed twice.
    as_it_is = how.format == "jpeg" and not how.changes_pixels and not before.secrets
    if as_it_is:
        picture = await tab.picture(format="jpeg", quality=how.quality)
    else:
        picture = await tab.picture()
    after = await glance(tab)
    how = replace(how, secrets=before.secrets + after.secrets, view_width=before.width)
    if as_it_is and not how.secrets:
        return picture
    return await asyncio.to_thread(finish, picture, how)


async def shoot_and_look(
    tab: Tab, how: Finish, look: Callable[[], Awaitable[Observation]], *, marks: bool
) -> Pictured:
    """Both at once; once more when the page changed meanwhile."""
    first: Observation | None = None
    while True:
        before = await glance(tab)
        is_plain = not marks and how.format == "jpeg" and not how.changes_pixels
        options = {"format": "jpeg", "quality": how.quality} if is_plain else {}
        picture, view = await asyncio.gather(tab.picture(**options), look())
        after = await glance(tab)
        is_same = before.moment == after.moment
        if first is not None:
            view = _with_what_passed(first, view)
        if is_same or first is not None:
            break
        first = view
    how = replace(
        how,
        secrets=before.secrets + after.secrets,
        view_width=before.width,
        marks=view.elements if marks else (),
    )
    finished = await asyncio.to_thread(finish, picture, how)
    return Pictured(view, finished, is_same)


def _with_what_passed(first: Observation, view: Observation) -> Observation:
    """Events and notices are told once: those of the first look belong to the second now."""
    shown = {text.text for text in view.texts}
    passed = [t for t in first.texts if t.kind is TextKind.NOTICE and t.text not in shown]
    return replace(view, events=first.events + view.events, texts=(*passed, *view.texts))
