"""Frames of other sites and processes, through navigations and swaps."""

import pytest

from appliance.core import actions

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def elsewhere(site):
    """The same pages under a name that is another site to a browser."""
    return f"http://localhost:{site.server_address[1]}"


@pytest.fixture
def names(page):
    """Names of what each frame offers, by frame."""

    async def listed():
        view = await page.observe()
        frames = sorted({e.frame for e in view.elements if e.frame})
        return [[e.name for e in view.elements if e.frame == f] for f in frames]

    return listed


EMBED = """address => {
  document.getElementById('more')?.remove();
  const frame = document.createElement('iframe');
  Object.assign(frame, {id: 'more', src: address, width: 300, height: 200});
  document.body.prepend(frame);
  return new Promise(done => { frame.onload = done; });
}"""
MOVE = """address => {
  const frame = document.getElementById('more');
  frame.src = address;
  return new Promise(done => { frame.onload = done; });
}"""


async def test_a_frame_comes_changes_its_site_and_goes(page, site, elsewhere, names):
    await page.goto(f"{site.url}/shadow.html")
    assert await names() == []
    await page.raw.evaluate(EMBED, f"{elsewhere}/inner.html")
    assert await names() == [["Inner button", "Inner name"]]
    await page.raw.evaluate(MOVE, f"{site.url}/inner.html")
    assert await names() == [["Inner button", "Inner name"]]
    await page.raw.evaluate(MOVE, f"{elsewhere}/inner.html")
    assert await names() == [["Inner button", "Inner name"]]
    await page.raw.evaluate("document.getElementById('more').remove()")
    assert await names() == []


async def test_frames_are_there_again_after_back_and_reload(page, site, elsewhere, names):
    await page.goto(f"{site.url}/frames.html")
    assert len(await names()) == 2
    await page.goto(f"{elsewhere}/widgets.html")
    assert await names() == []
    await page.perform(actions.GoBack())
    assert len(await names()) == 2
    await page.raw.reload()
    assert len(await names()) == 2


async def test_a_stuck_frame_of_another_site_does_not_hold_up_the_page(page, site, elsewhere, find):
    await page.goto(f"{site.url}/shadow.html")
    await page.raw.evaluate(EMBED, f"{elsewhere}/inner.html")
    frame = page.raw.frames[-1]
    await frame.evaluate("setTimeout(() => { for (;;) {} }, 50)")
    view = await page.look()
    assert find(view, "Inner field", role="textbox")


async def test_what_a_frame_hides_is_not_in_view(page, site, elsewhere, find):
    await page.goto(f"{site.url}/shadow.html")
    await page.raw.evaluate(EMBED, f"{elsewhere}/inner.html")
    assert find(await page.observe(), "Inner button").in_viewport
    await page.raw.evaluate("document.getElementById('more').height = 4")
    assert not find(await page.observe(), "Inner button").in_viewport
