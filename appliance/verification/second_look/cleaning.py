"""Deletes what an attempt made, in the console's own pages, and says what is left and where.

By the documentation's own procedure for deleting such a thing, where there is one, else by the
thing's own control. The guard is asked as ever: nothing goes that does not bear exactly the name
that this attempt gave to something new.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import structlog

from appliance.browser import Page
from appliance.core.errors import AttemptError
from appliance.core.procedure import Procedure
from appliance.core.resources import Receipt, ReceiptKind
from appliance.policy.base import Task
from appliance.policy.literal import LiteralPolicy
from appliance.verification.performer import Performer
from appliance.verification.second_look.done import may_open
from appliance.verification.second_look.removing import (
    called,
    control_ways,
    instructions,
    remove_by,
)
from appliance.verification.second_look.shown import Shown, shown_on
from appliance.verification.second_look.witness import SecondLook

_MOST_ACTIONS = 40
"""In carrying out one documented procedure."""
_EACH_S = 90.0
"""For one thing."""
_LOOKS = 3
_PAUSE_S = 1.5
_BY_HAND = "remove it by hand"

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanUp:
    """Of one attempt."""

    page: Page
    """Logged in, and nobody else's."""
    made_by: Procedure
    documented: Sequence[tuple[Procedure, str]]
    """Procedures that delete such a thing, each with what they call it."""
    task: Callable[[Procedure, Mapping[str, str]], Task]
    hands: Callable[[Procedure, Mapping[str, str]], Performer]
    """Acts on the page for a procedure, guarded; what is bound may be deleted."""


async def clean_up(look: SecondLook, cleaning: CleanUp) -> tuple[Receipt, ...]:
    """A receipt for each thing: deleted, or left. The youngest goes first."""
    receipts = []
    for thing in reversed(look.made):
        why = await _removed(thing, cleaning)
        receipts.append(_receipt(thing, why))
    return (*receipts, *left_unfound(look))


def left(look: SecondLook, why: str) -> tuple[Receipt, ...]:
    """Receipts where nothing is tried."""
    return (*(_receipt(thing, why) for thing in look.made), *left_unfound(look))


def left_unfound(look: SecondLook) -> tuple[Receipt, ...]:
    """What was entered and is on no page: it may be there all the same, if nothing was found."""
    if look.made or look.kept:
        return ()
    why = (
        "it was entered, and no page that was opened again shows it: look for it, and remove it by"
        " hand"
    )
    return tuple(
        Receipt(deed=ReceiptKind.LEFT, kind="entry", id=look.last_url, name=name, why=why)
        for name in look.unfound
    )


def _receipt(thing: Shown, why: str) -> Receipt:
    return Receipt(
        deed=ReceiptKind.LEFT if why else ReceiptKind.DELETED,
        kind=thing.place,
        id=thing.target or thing.url,
        name=thing.name,
        why=f"{why}: {_BY_HAND}" if why else "",
    )


async def _removed(thing: Shown, cleaning: CleanUp) -> str:
    """Why it is left; empty: it is gone."""
    try:
        async with asyncio.timeout(_EACH_S):
            return await _try_to_remove(thing, cleaning)
    except TimeoutError:
        return f"deleting it took longer than {_EACH_S:.0f} s"
    except AttemptError as exc:
        _log.warning("not_deleted", name=thing.name, reason=str(exc))
        return f"it could not be deleted ({exc})"


async def _try_to_remove(thing: Shown, cleaning: CleanUp) -> str:
    page = cleaning.page
    for procedure, noun in cleaning.documented:
        await page.goto(thing.url)
        bound = {noun: thing.name, f"{noun} name": thing.name}
        await _carry_out(cleaning, procedure, bound)
        if await _is_gone(page, thing):
            return ""
    why = "no control deletes it"
    for url in dict.fromkeys((thing.url, thing.target)):
        if not url or not may_open(url):
            continue
        await page.goto(url)
        for way in await control_ways(page, thing):
            await page.goto(url)
            kind = called(cleaning.made_by, thing)
            hands = cleaning.hands(instructions(thing.name, way, kind), {"name": thing.name})
            said = await remove_by(hands, thing, way, kind)
            if await _is_gone(page, thing):
                return ""
            why = said or "it is there still"
    return why


async def _carry_out(cleaning: CleanUp, procedure: Procedure, bound: Mapping[str, str]) -> None:
    """Word by word; what came of it is seen afterwards."""
    policy = LiteralPolicy(cleaning.task(procedure, bound))
    hands, last = cleaning.hands(procedure, bound), None
    for _ in range(_MOST_ACTIONS):
        view = await hands.page.observe()
        decision = await policy.choose(view, last)
        if decision.action.is_final:
            return
        last = (await hands.perform(view, decision)).performed


async def _is_gone(page: Page, thing: Shown) -> bool:
    """Whether the page that had it does not show it any more."""
    for number in range(_LOOKS):
        if number:
            await asyncio.sleep(_PAUSE_S)
        await page.goto(thing.url)
        if shown_on(await page.observe(), thing.name) is None:
            return True
    return False
