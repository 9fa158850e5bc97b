"""Taking a tab's picture, with everything secret painted over."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NamedTuple

from appliance.browser._exposed import EVERYTHING, Eyes
from appliance.browser.observation.picture import Finish, finish
from appliance.core.page import Observation, TextKind

TAKES = 3
"""Of a page on which a secret comes or moves; then all of the picture is painted over."""


class Pictured(NamedTuple):
    """An observation and the picture of the same page."""

    view: Observation
    picture: bytes
    is_same_moment: bool
    """Whether nothing changed between the two; a clock's tick does not count."""


async def shoot(eyes: Eyes, how: Finish) -> bytes:
    """The viewport, finished. Secrets are looked for before and after: they come and move."""
    for _ in range(TAKES):
        before = await eyes.look()
        # What is only handed on is packed by the browser; what is drawn on is not packed twice.
        as_it_is = how.format == "jpeg" and not how.changes_pixels and not before.secrets
        options = {"format": "jpeg", "quality": how.quality} if as_it_is else {}
        picture = await eyes.tab.picture(**options)
        after = await eyes.look()
        if is_safe := before.secrets == after.secrets:
            break
    secrets = before.secrets if is_safe else (EVERYTHING,)
    how = replace(how, secrets=secrets, view_width=before.width)
    return await asyncio.to_thread(finish, picture, how)


async def shoot_and_look(
    eyes: Eyes, how: Finish, look: Callable[[], Awaitable[Observation]], *, marks: bool
) -> Pictured:
    """Both at once; once more when the page changed meanwhile."""
    first: Observation | None = None
    for _ in range(TAKES):
        before = await eyes.look()
        is_plain = not marks and how.format == "jpeg" and not how.changes_pixels
        options = (
            {} if not is_plain or before.secrets else {"format": "jpeg", "quality": how.quality}
        )
        picture, view = await asyncio.gather(eyes.tab.picture(**options), look())
        after = await eyes.look()
        is_same = before.moment == after.moment
        is_safe = before.secrets == after.secrets
        has_been_seen_twice = first is not None
        if first is not None:
            view = _with_what_passed(first, view)
        if is_safe and (is_same or has_been_seen_twice):
            break
        first = view
    how = replace(
        how,
        secrets=before.secrets if is_safe else (EVERYTHING,),
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
