"""Sliders, steppers, native value fields, and dates."""

from datetime import date

import pytest
import pytest_asyncio

from appliance.browser.acting.dates import as_date, format_day, names_day

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True


@pytest_asyncio.fixture(loop_scope="session")
async def steps(page, site):
    await page.goto(f"{site.url}/steps.html")


@pytest_asyncio.fixture(loop_scope="session")
async def dates(page, site):
    await page.goto(f"{site.url}/dates.html")


@pytest.mark.parametrize(
    ("name", "selector", "text", "held"),
    [
        ("Volume", "#r", "70", "70"),
        ("Start", "#d", "2026-11-21", "2026-11-21"),
        ("Colour", "#c", "#FF8800", "#ff8800"),
        ("At", "#t", "13:30", "13:30"),
        ("Count", "#n", "12", "12"),
    ],
)
async def test_native_fields_take_values(steps, act, page, name, selector, text, held):
    done = await act("type", name, text=text)
    assert done.ok, done.error
    assert await page.raw.input_value(selector) == held


async def test_a_value_that_is_refused_changes_nothing(steps, act, page):
    failed = await act("type", "Volume", text="33")
    assert failed.error.endswith(
        "(slider 'Volume') does not take '33'; it would hold '30'"
        " (it takes from 0, to 100, in steps of 10)"
    )
    assert await page.raw.input_value("#r") == "20"
    await act("type", "Start", text="2026-11-21")
    assert "does not take '21.11.2026'" in (await act("type", "Start", text="21.11.2026")).error
    assert await page.raw.input_value("#d") == "2026-11-21"
    assert "holds ''" in (await act("type", "Count", text="many")).error


@pytest.mark.parametrize(
    ("name", "selector", "text"),
    [
        ("Cores", "#keys", "17"),
        ("Cores", "#keys", "64"),
        ("Cores", "#keys", "1"),
        ("Memory", "#mouse", "65"),
        ("Replicas", "#spin", "9"),
    ],
)
async def test_sliders_and_steppers_by_keys_or_mouse(steps, act, page, name, selector, text):
    done = await act("type", name, text=text)
    assert done.ok, done.error
    assert await page.raw.get_attribute(selector, "aria-valuenow") == text


async def test_what_a_slider_does_not_take_is_said(steps, act):
    assert "does not take 65: it goes from 1 to 64" in (await act("type", "Cores", text="65")).error
    assert "say a number" in (await act("type", "Cores", text="lots")).error
    assert "stands at " in (await act("type", "Memory", text="63")).error


async def test_a_date_is_written_as_the_field_says(dates, act, page):
    assert (await act("type", "Text", text="2027-02-03")).ok
    assert await page.raw.input_value("#text") == "02/03/2027"
    assert (await act("type", "Plain", text="2027-02-03")).ok
    assert await page.raw.input_value("#plain") == "2027-02-03"


@pytest.mark.parametrize("name", ["Picked", "Picky", "Pick a day"])
@pytest.mark.parametrize(
    ("day", "shown"),
    [("2026-11-30", "11/30/2026"), ("2027-02-01", "2/1/2027"), ("2026-08-31", "8/31/2026")],
)
async def test_a_date_is_picked_from_the_calendar(dates, act, out, name, day, shown):
    done = await act("type", name, text=day)
    assert done.ok, done.error
    assert await out() == f"picked {shown}"


async def test_a_day_that_cannot_be_picked_is_said(dates, act, out):
    failed = await act("type", "Closed", text="2026-12-13")
    assert failed.error.endswith("is read-only and opens no calendar")
    failed = await act("type", "Picked", text="2026-12-13")
    assert failed.error.endswith("does not offer 2026-12-13")
    assert await out() == ""


async def test_how_dates_are_written():
    day = date(2026, 3, 4)
    assert format_day(day, "DD.MM.YYYY") == "04.03.2026"
    assert format_day(day, "e.g. yyyy/mm/dd") == "2026/03/04"
    assert format_day(day, "Name of the disk") is None
    assert as_date("2026-13-01") is None
    assert as_date("tomorrow") is None
    assert names_day("4 Mar 2026", day)
    assert names_day("2026年3月4日", day)
    assert not names_day("4 Apr 2026", day)
