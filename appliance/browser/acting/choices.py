"""Choosing an option of a native or custom drop-down by its text."""

import asyncio
import contextlib
import re
from typing import Any

from appliance.browser._tab import Tab
from appliance.browser.acting.fields import fill
from appliance.browser.acting.pointer import aim_at, click
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

OPTION_PATIENCE_S = 3.0  # for a list of options to open or load, or to stop changing
LISTED_PATIENCE_S = 0.6  # for more options, when some are listed and nothing is being fetched
MENU_PATIENCE_S = 0.8  # for a menu whose options are in the page already
FRAME_S = 0.03  # a list draws its next rows in the next frame
CLOSING_FRAMES = 15  # until a list that was clicked is gone
SCROLL_LIMIT = 400  # screens of one list

OptionMatch = dict[str, Any]  # Any: the observer's JSON


async def select(tab: Tab, target: Target, text: str) -> None:
    """Choose an option, or several of a list that takes several: `a, b`."""
    aim = await aim_at(tab, target)
    if aim.get("disabled"):
        raise NotDoneError(f"{target} is disabled")
    choice = await tab.call(target.handle, "choose", text)
    match choice.get("how"):
        case "done":
            return
        case "none":
            raise NotDoneError(_no_option(target, text, choice["options"]))
        case "ambiguous":
            raise NotDoneError(_ambiguous_option(target, text, choice["groups"]))
        case "disabled":
            raise NotDoneError(f"the option {text!r} of {target} is disabled")
        case None:
            raise VanishedError(target)
        case method:
            await _select_custom(tab, target, text, str(method))


async def _select_custom(tab: Tab, target: Target, text: str, how: str) -> None:
    await _open(tab, target)
    match = await _find(tab, target, text, how)
    parts = [part for part in re.split(r"\s*[,，、\n;]\s*", text) if part]
    if match["option"] is None and match["many"] and len(parts) > 1:
        for part in parts:
            await _open(tab, target)
            await _choose(tab, target, part, await _find(tab, target, part, how), how)
    else:
        await _choose(tab, target, text, match, how)
    if match["many"] or "multiple" in (await tab.call(target.handle, "state")).get("states", ()):
        await _close_list(tab, target)


async def _open(tab: Tab, target: Target) -> None:
    state = await tab.call(target.handle, "state")
    if state.get("gone"):
        raise VanishedError(target)
    if "expanded" not in state["states"]:
        await click(tab, target)


async def _find(tab: Tab, target: Target, text: str, how: str) -> OptionMatch:
    """Find the option in the list, else by its search field, else by scrolling."""
    patience_s = OPTION_PATIENCE_S if how == "popup" else MENU_PATIENCE_S
    match = await _await_option(tab, target, text, patience_s)
    if _is_settled(match):
        return match
    offered = match["options"]
    if how == "typeahead":
        search: Target | None = target
    else:
        local = await tab.call(target.handle, "searchField")
        search = target.within(local, "the search field") if local is not None else None
    if search is not None:
        await fill(tab, search, text)
        match = await _await_option(tab, target, text, OPTION_PATIENCE_S)
    else:
        match = await _scroll_to(tab, target, text, match)
    return {**match, "options": offered or match["options"]}


def _is_settled(match: OptionMatch) -> bool:
    return match["option"] is not None or bool(match["groups"])


async def _scroll_to(tab: Tab, target: Target, text: str, match: OptionMatch) -> OptionMatch:
    """Scroll a list that holds only the visible options from its beginning to its end."""
    listed = dict.fromkeys(match["options"])
    await tab.call(target.handle, "scrollOptions", True)
    await asyncio.sleep(FRAME_S)
    for _ in range(SCROLL_LIMIT):
        match = await tab.call(target.handle, "findOption", text)
        if match.get("gone"):
            raise VanishedError(target)
        is_new = any(option not in listed for option in match["options"])
        listed.update(dict.fromkeys(match["options"]))
        if _is_settled(match):
            break
        moved = await tab.call(target.handle, "scrollOptions", False)
        await asyncio.sleep(FRAME_S)
        if not moved and not is_new:
            break
    return {**match, "options": list(listed)}


async def _choose(tab: Tab, target: Target, text: str, match: OptionMatch, how: str) -> None:
    """Click the option; wait if the list is filtered once more meanwhile."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + OPTION_PATIENCE_S
    while True:
        await _refuse_unusable(tab, target, text, match)
        if match["many"] and match["chosen"]:
            return
        option = target.within(match["option"], f"the option {text!r}")
        try:
            await click(tab, option)
        except VanishedError:
            if loop.time() > deadline:
                raise NotDoneError(
                    f"the option {text!r} of {target} does not stand still: "
                    "its list is drawn again and again"
                ) from None
        else:
            return
        match = await _await_option(tab, target, text, max(deadline - loop.time(), 0.1))
        if match["option"] is None and how != "typeahead":
            await _open(tab, target)
            match = await _await_option(tab, target, text, OPTION_PATIENCE_S)


async def _refuse_unusable(tab: Tab, target: Target, text: str, match: OptionMatch) -> None:
    if match["groups"]:
        why = _ambiguous_option(target, text, match["groups"])
    elif match["option"] is None:
        why = _no_option(target, text, match["options"])
    elif match["disabled"]:
        why = f"the option {text!r} of {target} is disabled"
    else:
        return
    await _close_list(tab, target)
    raise NotDoneError(why)


async def _close_list(tab: Tab, target: Target) -> None:
    """Close an open list; Escape is the last resort, as it may close the dialog around it."""
    if await _is_listed(tab, target):
        with contextlib.suppress(NotDoneError):  # it may lie under what its list has drawn over all
            await click(tab, target)
    for _ in range(CLOSING_FRAMES):
        if not await _is_listed(tab, target):
            return
        await asyncio.sleep(FRAME_S)
    await tab.raw.keyboard.press("Escape")


async def _is_listed(tab: Tab, target: Target) -> bool:
    """Whether the list is open: by its own state, else by whether options are shown."""
    state = await tab.call(target.handle, "state")
    if "collapsed" in state.get("states", ()):
        return False
    return bool((await tab.call(target.handle, "findOption", ""))["options"])


async def _await_option(tab: Tab, target: Target, text: str, patience_s: float) -> OptionMatch:
    """Wait until the list offers the option, and still does a moment later."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + patience_s
    previous: OptionMatch = {"option": None, "options": []}
    changed_at = loop.time()
    while True:
        match: OptionMatch = await tab.call(target.handle, "findOption", text)
        if match.get("gone"):
            raise VanishedError(target)
        is_found = match["option"] is not None
        if match["groups"] or (is_found and match["option"] == previous["option"]):
            return match
        time = loop.time()
        if match["options"] != previous["options"] or tab.traffic.in_flight:
            changed_at = time
        is_complete = bool(match["options"]) and time > changed_at + LISTED_PATIENCE_S
        if time > deadline or (is_complete and not is_found):
            return match
        previous = match
        await asyncio.sleep(0.03 if is_found else 0.08)


def _no_option(target: Target, text: str, options: list[str]) -> str:
    wanted = set(text.casefold().split())
    likeliest = sorted(options, key=lambda o: -len(wanted & set(o.casefold().split())))
    offered = ", ".join(repr(o) for o in likeliest[:12]) or "nothing"
    more = f" and {len(options) - 12} more" if len(options) > 12 else ""
    return f"{target} has no option {text!r}; it offers {offered}{more}"


def _ambiguous_option(target: Target, text: str, groups: list[str]) -> str:
    alternatives = " and ".join(repr(f"{group} / {text}" if group else text) for group in groups)
    return f"{target} has the option {text!r} in {len(groups)} groups: say {alternatives}"
