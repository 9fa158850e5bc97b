"""Rows of a list of which the page renders only those in view: it is scrolled until they show."""

import asyncio
from typing import Any

from appliance.browser._tab import Tab
from appliance.browser.acting.target import NotDoneError
from appliance.browser.observation.identity import Handle
from appliance.browser.observation.unfolding import RowSearch, Wanted
from appliance.core.page import Fold

STRETCH_S = 2.0  # of one call into the page
ROLL_PATIENCE_S = 25.0  # for a whole list: ten thousand rows are four hundred screens

Answer = dict[str, Any]  # Any: the observer's JSON


async def bring_rows(tab: Tab, handle: Handle, fold: Fold, wanted: Wanted) -> None:
    """Scroll the list until the wanted row, or the first of several, is in view."""
    if isinstance(wanted, RowSearch):
        await _bring_words(tab, handle, fold, wanted.containing)
        return
    if wanted.first > fold.total:
        raise NotDoneError(f"{_name_of(fold)} has no row {wanted.first}: it has {fold.total}")
    answer = await tab.call(handle, "rollToRow", wanted.first)
    _refuse(fold, answer)
    if answer["found"] is None:
        raise NotDoneError(
            f"{_name_of(fold)} does not come to row {wanted.first} when it is scrolled"
        )


async def _bring_words(tab: Tab, handle: Handle, fold: Fold, words: str) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + ROLL_PATIENCE_S
    is_first = True
    while True:
        answer = await tab.call(handle, "rollTo", words, STRETCH_S * 1000, is_first)
        is_first = False
        _refuse(fold, answer)
        if not answer.get("more"):
            break
        if loop.time() > end:
            raise NotDoneError(
                f"no row of {_name_of(fold)} with {words!r} was found within "
                f"{ROLL_PATIENCE_S:.0f} s of scrolling: search or filter it, or ask by row numbers"
            )
    if answer["found"] is None:
        raise NotDoneError(
            f"no row of {_name_of(fold)} holds {words!r}: it was scrolled from end to end"
        )


def _refuse(fold: Fold, answer: Answer) -> None:
    if answer.get("gone"):
        raise NotDoneError(f"{_name_of(fold)} is no longer on the page")
    if answer.get("stuck"):
        raise NotDoneError(
            f"the page itself renders only some rows of {_name_of(fold)}, and nothing scrolls it: "
            "go to its other pages, or search it"
        )


def _name_of(fold: Fold) -> str:
    return f"the list {fold.name!r}" if fold.name else f"the list {fold.id}"
