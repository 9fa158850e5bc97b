"""Options of lists that are filtered, grouped, searched, scrolled, or take several."""

import pytest
import pytest_asyncio

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True


@pytest_asyncio.fixture(loop_scope="session")
async def choices(page, site):
    await page.goto(f"{site.url}/choices.html")


async def test_a_list_that_is_filtered_again_while_it_is_aimed_at(page, site, act, out):
    await page.goto(f"{site.url}/filtered.html?times=40")
    done = await act("select", "Image", text="ubuntu 24.04")
    assert done.ok, done.error
    assert await out() == "chose ubuntu 24.04"


async def test_a_list_that_never_stands_still_is_said(page, site, act, out):
    await page.goto(f"{site.url}/filtered.html?times=100000")
    done = await act("select", "Image", text="ubuntu 24.04")
    assert done.error.startswith("the option 'ubuntu 24.04' of element ")
    assert done.error.endswith(
        "(combobox 'Image') does not stand still: its list is drawn again and again"
    )
    assert await out() == ""


async def test_an_option_of_two_groups_is_asked_back(choices, act, out):
    assert (await act("select", "Grouped", text="large")).ok
    assert await out() == "1"
    failed = await act("select", "Grouped", text="small")
    assert failed.error.endswith(
        "has the option 'small' in 2 groups: say 'East / small' and 'West / small'"
    )
    assert (await act("select", "Grouped", text="West / small")).ok
    assert await out() == "2"
    failed = await act("select", "Subnet", text="default")
    assert "in 2 groups: say 'prod / default' and 'test / default'" in failed.error
    assert (await act("select", "Subnet", text="test > default")).ok
    assert await out() == "test/default"
    assert (await act("select", "Subnet", text="only")).ok
    assert await out() == "prod/only"


async def test_a_list_that_takes_several(choices, act, page):
    assert (await act("select", "Tags", text="red, blue")).ok
    assert await page.raw.text_content("#many") == "red + blue"
    assert (await act("select", "Tags", text="green, dark")).ok, "a comma in an option's name"
    assert await page.raw.text_content("#many") == "red + green, dark + blue"
    assert (await act("select", "Tags", text="blue")).ok, "what is chosen stays chosen"
    assert await page.raw.text_content("#many") == "red + green, dark + blue"
    assert await page.raw.get_attribute("#many", "aria-expanded") == "false"
    assert (
        "has no option 'pink'; it offers 'red', 'green, dark', 'blue'"
        in (await act("select", "Tags", text="red, pink")).error
    )


async def test_what_is_not_offered_is_answered_with_what_is_likeliest_first(choices, act):
    failed = await act("select", "Tags", text="dark grey")
    assert "has no option 'dark grey'; it offers 'green, dark', 'red', 'blue'" in failed.error


async def test_a_list_with_a_field_to_search_it(choices, act, out):
    assert (await act("select", "Network", text="net-3")).ok
    assert await out() == "net-3"
    assert (await act("select", "Network", text="net-417")).ok
    assert await out() == "net-417"
    failed = await act("select", "Network", text="net-x")
    assert "has no option 'net-x'; it offers 'net-0', 'net-1'" in failed.error


async def test_a_list_that_draws_only_what_is_in_sight(choices, act, out):
    assert (await act("select", "Zone", text="zone-60")).ok
    assert await out() == "zone-60"
    assert (await act("select", "Zone", text="zone-2")).ok
    assert await out() == "zone-2"


async def test_an_option_is_named_by_its_first_line(choices, act, out):
    assert (await act("select", "Size", text="t2.large")).ok
    assert await out() == "t2.large"
    assert (await act("select", "Size", text="T2.MICRO 1 GiB, free tier")).ok
    assert await out() == "t2.micro"
    failed = await act("select", "Size", text="t2.huge")
    assert failed.error.startswith("the option 't2.huge' of element ")
    assert failed.error.endswith("is disabled")


async def test_a_list_that_lies_over_everything_is_closed_again(page, site, act, out):
    await page.goto(f"{site.url}/backdrop.html")
    failed = await act("select", "Environment", text="nowhere")
    assert "has no option 'nowhere'; it offers 'test', 'live'" in failed.error
    assert await page.raw.get_attribute("#box", "aria-expanded") == "false"
    assert (await act("select", "Environment", text="live")).ok
    assert await out() == "live"
