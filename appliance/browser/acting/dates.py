"""Dates: written where a field takes them as text, else picked from the calendar that opens."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import date

from appliance.browser._tab import Tab
from appliance.browser.acting.pointer import click
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
OPEN_PATIENCE_S = 1.5
TURN_LIMIT = 240  # months or years turned over before giving up
TURN_PATIENCE_S = 1.0  # for the next month to slide in

CalendarState = dict[str, object]
Fill = Callable[[Tab, Target, str], Awaitable[None]]


def as_date(text: str) -> date | None:
    """The day that a text like 2026-11-21 names."""
    if not ISO.fullmatch(text.strip()):
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def format_day(day: date, pattern: str) -> str | None:
    """A day as a pattern like `MM/DD/YYYY` has it; `None` when it is no such pattern."""
    match = re.search(
        r"(?i)\b(?:y{4}|m{1,2}|d{1,2})(?:[-/. ]+(?:y{4}|m{1,2}|d{1,2})){2}\b", pattern
    )
    if match is None:
        return None
    parts = {"y": f"{day.year:04d}", "m": f"{day.month:02d}", "d": f"{day.day:02d}"}
    text = re.sub(r"(?i)y+|m+|d+", lambda part: parts[part[0][0].lower()], match[0])
    return text if all(value in text for value in parts.values()) else None


def names_day(text: str, day: date) -> bool:
    """Whether a text says that day, in whatever order."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    month_names = {day.strftime("%b").lower(), day.strftime("%B").lower()}
    has_month = day.month in numbers or any(word in text.lower() for word in month_names)
    has_year = day.year in numbers or day.year % 100 in numbers
    return day.day in numbers and has_month and has_year


async def type_date(tab: Tab, target: Target, day: date, fill: Fill) -> bool:
    """Write a day into a date field as its hint says; whether it is one and has taken it."""
    hint = f"{target.element.placeholder} {target.element.description}"
    text = format_day(day, hint)
    opens_calendar = await _opens_calendar(tab, target)
    if text is None and not opens_calendar:
        return False
    await click(tab, target)
    await fill(tab, target, text or day.isoformat())
    await tab.raw.keyboard.press("Tab")  # the field makes up its mind when it is left
    if names_day(await _held_text(tab, target), day):
        return True
    if not opens_calendar:
        held = await _held_text(tab, target)
        raise NotDoneError(f"{target} holds {held!r} after typing {text or day.isoformat()!r}")
    await pick_date(tab, target, day)
    return True


async def _opens_calendar(tab: Tab, target: Target) -> bool:
    """Whether a click on it brings a calendar."""
    await click(tab, target)
    return bool((await _calendar(tab, target, date.today(), patience_s=0.2))["open"])  # noqa: DTZ011 - any day


async def _held_text(tab: Tab, target: Target) -> str:
    state = await tab.call(target.handle, "state")
    if state.get("gone"):
        raise VanishedError(target)
    return str(state.get("value") or "")


async def pick_date(tab: Tab, target: Target, day: date) -> None:
    """Open the calendar, turn to the month and click the day."""
    was_open_before = (await _calendar(tab, target, day, patience_s=0))["open"]
    await click(tab, target)  # the one that is open may be another field's
    if was_open_before and not (await _calendar(tab, target, day, patience_s=0.1))["open"]:
        await click(tab, target)
    calendar = await _calendar(tab, target, day, patience_s=OPEN_PATIENCE_S)
    if not calendar["open"]:
        why = "is read-only" if "readonly" in target.element.states else "is not a text field"
        raise NotDoneError(f"{target} {why} and opens no calendar")
    calendar = await _turn_to_month(tab, target, day, calendar)
    if calendar["day"] is None or calendar["disabled"]:
        raise NotDoneError(f"the calendar of {target} does not offer {day.isoformat()}")
    await click(tab, target.within(int(str(calendar["day"])), f"the day {day.isoformat()}"))
    await _wait_until_taken(tab, target, day)


async def _turn_to_month(
    tab: Tab, target: Target, day: date, calendar: CalendarState
) -> CalendarState:
    for _ in range(TURN_LIMIT):
        if not calendar["away"]:
            return calendar
        arrow = calendar["turn"]
        if not isinstance(arrow, int):
            break
        await click(tab, target.within(arrow, "the calendar's arrow"))
        before = calendar["shown"]
        calendar = await _await_other_month(tab, target, day, str(before))
        if calendar.get("shown") == before:
            break
    raise NotDoneError(
        f"the calendar of {target} shows {calendar.get('shown')} and does not turn to {day:%Y-%m}"
    )


async def _await_other_month(tab: Tab, target: Target, day: date, before: str) -> CalendarState:
    loop = asyncio.get_running_loop()
    end = loop.time() + TURN_PATIENCE_S
    while True:
        calendar = await _calendar(tab, target, day, patience_s=0.3)
        if calendar.get("shown") != before or loop.time() > end:
            return calendar
        await asyncio.sleep(0.02)


async def _calendar(tab: Tab, target: Target, day: date, *, patience_s: float) -> CalendarState:
    loop = asyncio.get_running_loop()
    end = loop.time() + patience_s
    while True:
        calendar: CalendarState = await tab.call(
            target.handle, "calendar", day.year, day.month, day.day
        )
        if calendar["open"] or loop.time() >= end:
            return calendar
        await asyncio.sleep(0.03)


async def _wait_until_taken(tab: Tab, target: Target, day: date) -> None:
    """A field shows the day that was picked; a button may show it in words of its own."""
    if target.element.tag != "input":
        return
    for _ in range(10):
        if names_day(await _held_text(tab, target), day):
            return
        await asyncio.sleep(0.03)
    held = await _held_text(tab, target)
    raise NotDoneError(f"{target} holds {held!r} after {day.isoformat()} was picked")
