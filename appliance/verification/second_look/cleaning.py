"""Deletes what an attempt created, in the console's own pages, and reports what is left.

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
    instructions,
    kind_names,
    removal_paths,
    remove_via,
)
from appliance.verification.second_look.shown import Shown, shown_on
from appliance.verification.second_look.witness import SecondLook

_MAX_ACTIONS = 40
"""Actions in carrying out one documented procedure."""
_THING_TIMEOUT_S = 90.0
"""Time for deleting one thing."""
_LOOKS = 3
_PAUSE_S = 1.5
_BY_HAND = "remove it by hand"

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanUp:
    """What is needed to clean up after one attempt."""

    page: Page
    """Logged in, and nobody else's."""
    made_by: Procedure
    documented: Sequence[tuple[Procedure, str]]
    """Procedures that delete such a thing, each with what they call it."""
    task: Callable[[Procedure, Mapping[str, str]], Task]
    performer: Callable[[Procedure, Mapping[str, str]], Performer]
    """Acts on the page for a procedure, guarded; what is bound may be deleted."""


async def clean_up(look: SecondLook, cleaning: CleanUp) -> tuple[Receipt, ...]:
    """Delete each thing, the newest first; return a receipt for each, deleted or left."""
    reasons = {item: await _remove(item, cleaning) for item in reversed(look.made)}
    for item in (item for item, reason in reasons.items() if reason):
        if await _is_away(cleaning.page, item):  # what was entered of a thing goes with it
            reasons[item] = ""
    return (*(_receipt(item, why) for item, why in reasons.items()), *unfound_receipts(look))


async def _is_away(page: Page, item: Shown) -> bool:
    try:
        return await _is_gone(page, item)
    except AttemptError:
        return False


def leave_all(look: SecondLook, why: str) -> tuple[Receipt, ...]:
    """Receipts for things that nobody tries to delete."""
    return (*(_receipt(item, why) for item in look.made), *unfound_receipts(look))


def unfound_receipts(look: SecondLook) -> tuple[Receipt, ...]:
    """Receipts for entered names that no page shows, which may exist all the same."""
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


def _receipt(item: Shown, why: str) -> Receipt:
    return Receipt(
        deed=ReceiptKind.LEFT if why else ReceiptKind.DELETED,
        kind=item.place,
        id=item.target or item.url,
        name=item.name,
        why=f"{why}: {_BY_HAND}" if why else "",
    )


async def _remove(item: Shown, cleaning: CleanUp) -> str:
    """Delete a thing; return why it is left, or empty if it is gone."""
    try:
        async with asyncio.timeout(_THING_TIMEOUT_S):
            return await _try_to_remove(item, cleaning)
    except TimeoutError:
        return f"deleting it took longer than {_THING_TIMEOUT_S:.0f} s"
    except AttemptError as exc:
        _log.warning("not_deleted", name=item.name, reason=str(exc))
        return f"it could not be deleted ({exc})"


async def _try_to_remove(item: Shown, cleaning: CleanUp) -> str:
    page = cleaning.page
    for procedure, noun in cleaning.documented:
        await page.goto(item.url)
        bound = {noun: item.name, f"{noun} name": item.name}
        await _carry_out(cleaning, procedure, bound)
        if await _is_gone(page, item):
            return ""
    reason = "no control deletes it"
    for url in dict.fromkeys((item.url, item.target)):
        if not url or not may_open(url):
            continue
        await page.goto(url)
        for path in await removal_paths(page, item):
            await page.goto(url)
            kind = kind_names(cleaning.made_by, item)
            performer = cleaning.performer(instructions(item.name, path, kind), {"name": item.name})
            error = await remove_via(performer, item, path, kind)
            if await _is_gone(page, item):
                return ""
            reason = error or "it is there still"
    return reason


async def _carry_out(cleaning: CleanUp, procedure: Procedure, bound: Mapping[str, str]) -> None:
    """Carry out a procedure word by word; the caller checks the outcome."""
    policy = LiteralPolicy(cleaning.task(procedure, bound))
    performer, last_result = cleaning.performer(procedure, bound), None
    for _ in range(_MAX_ACTIONS):
        view = await performer.page.observe()
        decision = await policy.choose(view, last_result)
        if decision.action.is_final:
            return
        last_result = (await performer.perform(view, decision)).performed


async def _is_gone(page: Page, item: Shown) -> bool:
    """Whether the page that had it no longer shows it."""
    for attempt in range(_LOOKS):
        if attempt:
            await asyncio.sleep(_PAUSE_S)
        await page.goto(item.url)
        if shown_on(await page.observe(), item.name) is None:
            return True
    return False
