"""Signs that something is still to come are found wherever they come up after the first look."""

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True

LATER_MS = 700  # more than a timer may take that is waited for by itself


SIGNS = {
    "a class": ("p.className = 'skeleton'", "p.className = ''"),
    "an attribute": ("p.setAttribute('aria-busy', 'true')", "p.removeAttribute('aria-busy')"),
    "in what has come": ("p.innerHTML = '<b><i class=spinner>…</i></b>'", "p.innerHTML = 'done'"),
    "its fieldset": ("f.disabled = true", "f.disabled = false"),
    "words": ("p.textContent = 'Working…'", "p.textContent = 'Done'"),
    "words in what has come": ("p.innerHTML = '<b> <i></i>请稍候 </b>'", "p.innerHTML = ''"),
    "words that changed": ("p.firstChild.data = 'Loading...'", "p.firstChild.data = 'Loading'"),
    "in a shadow root": (
        "p.innerHTML = '<div></div>';"
        "p.firstChild.attachShadow({ mode: 'open' }).innerHTML = '<i class=loader>…</i>'",
        "p.firstChild.shadowRoot.firstElementChild.className = ''",
    ),
}


@pytest.mark.parametrize("begin, end", SIGNS.values(), ids=SIGNS)
async def test_a_sign_that_comes_up_is_waited_for(page, site, begin, end):
    await page.goto(f"{site.url}/long.html?rows=300")
    await page.raw.evaluate(
        "document.body.insertAdjacentHTML('afterbegin', "
        "'<p id=p>now</p><fieldset id=f><button class=is-loading-x>Go</button></fieldset>')"
    )
    assert not (await page.observe()).is_busy
    await page.raw.evaluate(
        f"{begin}; window.isOver = false; setTimeout(() => {{ {end}; isOver = true; }}, {LATER_MS})"
    )
    assert not (await page.observe()).is_busy
    assert await page.raw.evaluate("isOver")


async def test_a_page_that_changed_a_great_deal_is_searched_as_a_whole(page, site):
    await page.goto(f"{site.url}/long.html?rows=300")
    await page.observe()
    await page.raw.evaluate(
        "for (const row of document.querySelectorAll('tr')) row.title = 'seen';"
        "document.querySelector('h1,h2,button').classList.add('loading');"
        "window.isOver = false; setTimeout(() => { isOver = true;"
        f" document.querySelector('.loading').classList.remove('loading'); }}, {LATER_MS})"
    )
    assert not (await page.observe()).is_busy
    assert await page.raw.evaluate("isOver")


async def test_words_that_only_name_something_are_no_sign(page, site):
    await page.goto(f"{site.url}/long.html?rows=300")
    await page.raw.evaluate(
        "document.body.insertAdjacentHTML('afterbegin', '<h2>Loading</h2><p>Working hours</p>"
        "<p>Saving… is what the button says</p><table><tr><td>Updating…</td></tr></table>')"
    )
    view = await page.observe()
    assert not view.is_busy
    assert view.took_s < 1
