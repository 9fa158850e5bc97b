"""When a page is quiet: nothing is observed too early, and what rests costs next to nothing."""

import asyncio
import contextlib

import pytest
import pytest_asyncio
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from appliance.core import actions

BOUND_S = 3.0
"""`settle_timeout_s` of these tests: what a page that is taken for busy costs."""

COMES = [
    "timer 300", "timer 490", "two timers", "sleeps", "fetch chain", "fetch and timer",
    "timer and fetch", "late request", "skeleton", "busy region", "progress", "saving button",
    "transition", "web animation", "frames", "slow frames", "idle callback", "channel", "worker",
    "slow worker", "data base", "shadow", "script", "leave", "leave at once", "frame", "sync",
]  # fmt: skip

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def act(page, find):
    async def acted(name):
        view = await page.observe()
        number = find(view, name).id
        assert (await page.perform(actions.Click(number))).ok

    return acted


@pytest_asyncio.fixture(loop_scope="session")
async def socket(pool, site):
    """A page, and a socket that tells a row every 100 ms, or one when asked."""

    async def rows(connection):
        with contextlib.suppress(ConnectionClosed):
            while connection.request.path == "/rows":
                await connection.send("row ")
                await asyncio.sleep(0.1)
        async for _ in connection:
            await asyncio.sleep(0.04)
            await connection.send("answer")

    async with serve(rows, "127.0.0.1", 0) as server:
        host = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with pool.page(frozenset({site.host, host})) as page:
            yield page, f"ws://{host}"


def names(view):
    return {element.name for element in view.elements}


async def settling_s(page):
    """What waiting for quiet adds to a look."""
    view = await page.observe()
    return view.took_s - (await page.look()).took_s


@pytest.mark.parametrize("kind", COMES)
async def test_what_an_action_leads_to_is_waited_for(page, site, act, kind):
    await page.goto(f"{site.url}/pace.html")
    await act(kind)
    view = await page.observe()
    assert "done" in names(view)
    assert not view.is_busy


async def test_what_a_frame_of_another_site_does_is_waited_for(page, site, act):
    foreign = f"http://localhost:{site.server_address[1]}"
    await page.goto(f"{site.url}/pace.html?foreign={foreign}")
    await act("foreign frame")
    assert "done" in names(await page.observe())


SLOW_S = BOUND_S + 1.5
"""What a server under load may take, longer than a page is waited for that nobody asked for."""


async def test_a_page_that_answers_slowly_is_waited_for(page, site, act):
    site.make("/arrived", "<title>Arrived</title><button>done</button>")
    link = f'<a href="/arrived?delay={SLOW_S}">go</a>'
    await page.goto(site.make("/leaves", link))
    await act("go")
    view = await page.observe()
    assert (view.title, names(view), view.is_busy) == ("Arrived", {"done"}, False)


SENDS = """<button id=b>send</button><script>b.onclick = () =>
  fetch("/kept?delay=DELAY", {method: "METHOD"}).then(() => { b.textContent = "done" })
</script>"""


@pytest.mark.parametrize(("method", "is_waited_for"), [("POST", True), ("GET", False)])
async def test_what_was_sent_is_waited_for_until_it_is_answered(
    page, site, act, method, is_waited_for
):
    site.make("/kept", "ok")
    body = SENDS.replace("DELAY", str(SLOW_S)).replace("METHOD", method)
    await page.goto(site.make("/sends", body))
    await act("send")
    view = await page.observe()
    assert (view.is_busy, "done" in names(view)) == (not is_waited_for, is_waited_for)


async def test_a_shared_worker_does_not_hold_up_the_page(page, site):
    began = asyncio.get_running_loop().time()
    await page.goto(f"{site.url}/pace.html?shared")
    assert not (await page.observe()).is_busy
    assert asyncio.get_running_loop().time() - began < BOUND_S * 0.8


async def test_a_debounced_search_is_waited_for_again_and_again(page, site, find):
    await page.goto(f"{site.url}/pace.html")
    for text in ("a", "ab", "abc", "b", "bc", "c"):
        number = find(await page.observe(), "Search").id
        action = actions.Type(number, text=text)
        assert (await page.perform(action)).ok
        assert f"found {text}" in names(await page.observe())


@pytest.mark.parametrize("noise", ["", "clock", "turn", "poll", "chain"])
async def test_a_page_at_rest_costs_next_to_nothing(page, site, noise):
    await page.goto(f"{site.url}/pace.html?{noise}")
    for _ in range(3):
        await page.observe()
    assert min([await settling_s(page) for _ in range(6)]) < 0.03


@pytest.mark.parametrize("noise", ["", "clock", "turn"])
async def test_an_action_without_consequence_is_not_waited_for(page, site, act, noise):
    await page.goto(f"{site.url}/pace.html?{noise}")
    took = []
    for _ in range(6):
        await act("nothing")
        took.append(await settling_s(page))
    assert min(took) < 0.1


@pytest.mark.parametrize("noise", ["clock", "turn", "poll", "chain"])
async def test_what_comes_is_waited_for_beside_what_never_ends(page, site, act, noise):
    await page.goto(f"{site.url}/pace.html?{noise}")
    for kind in ("timer 300", "fetch chain", "skeleton"):
        await act(kind)
        assert "done" in names(await page.observe())
        await act("nothing")
        await page.raw.evaluate("place.innerHTML = ''")


async def test_what_is_polled_is_waited_for_when_somebody_acts(page, site, act):
    await page.goto(f"{site.url}/pace.html?refresh")
    await page.raw.wait_for_timeout(6500)  # until the refresh is known for what it is
    for _ in range(3):
        await act("late request")
        assert "done" in names(await page.observe())
        await page.raw.evaluate("place.innerHTML = ''")


async def test_a_spinner_that_never_ends_is_waited_for_once(page, site, act):
    await page.goto(f"{site.url}/pace.html")
    await act("spinner")
    view = await page.observe()
    assert view.is_busy
    assert BOUND_S * 0.8 < view.took_s < BOUND_S * 1.5
    assert (await page.observe()).took_s < BOUND_S * 0.5


async def test_a_stream_is_observed_while_it_runs(page, site, act):
    await page.goto(f"{site.url}/pace.html")
    await act("stream")
    view = await page.observe()
    assert view.is_busy
    assert view.took_s < BOUND_S * 1.5
    assert (await page.observe()).took_s < BOUND_S * 0.5


async def test_rows_pushed_by_a_socket_end_in_an_observation(socket, site, find):
    page, url = socket
    await page.goto(f"{site.url}/pace.html?socket={url}/rows")
    number = find(await page.observe(), "socket").id
    assert (await page.perform(actions.Click(number))).ok
    view = await page.observe()
    assert any(text.text.startswith("row row") for text in view.texts)
    later = [await page.observe() for _ in range(3)]
    assert max(one.took_s for one in (view, *later)) < BOUND_S * 1.5
    assert later[-1].took_s < BOUND_S * 0.5


async def test_the_answer_of_a_socket_is_waited_for(socket, site, find):
    page, url = socket
    await page.goto(f"{site.url}/pace.html?idlesocket={url}/ask")
    for _ in range(3):
        number = find(await page.observe(), "ask socket").id
        assert (await page.perform(actions.Click(number))).ok
        assert "done" in names(await page.observe())
        await page.raw.evaluate("place.innerHTML = ''")


async def test_nothing_of_the_pace_shows_in_the_page(page, site):
    await page.goto(f"{site.url}/pace.html")
    await page.observe()
    shown = await page.raw.evaluate(
        """() => [setTimeout, clearTimeout, setInterval, fetch, XMLHttpRequest.prototype.send,
            Worker.prototype.postMessage].map((f) => [f.name, f.length, typeof f,
                /\\[native code\\]/.test(Function.prototype.toString.call(f))])"""
    )
    assert shown == [
        ["setTimeout", 1, "function", True],
        ["clearTimeout", 0, "function", True],
        ["setInterval", 1, "function", True],
        ["fetch", 1, "function", True],
        ["send", 0, "function", True],
        ["postMessage", 1, "function", True],
    ]


async def test_timers_work_as_ever(page, site):
    await page.goto(f"{site.url}/pace.html")
    got = await page.raw.evaluate(
        """async () => {
            const got = [];
            setTimeout((a, b) => got.push(a + b), 20, 1, 2);
            setTimeout('window.texted = 1', 20);
            clearTimeout(setTimeout(() => got.push('cleared'), 20));
            clearTimeout({}); clearTimeout(undefined);
            setTimeout(() => got.push('object'), { valueOf() { got.push('read'); return 1; } });
            try { setTimeout(Symbol.iterator); } catch (error) { got.push(error.name); }
            await new Promise((done) => setTimeout(done, 80));
            return [got, window.texted];
        }"""
    )
    assert got == [["read", "TypeError", "object", 3], 1]


async def test_a_page_that_spoils_the_built_ins_is_waited_for_all_the_same(page, site, find):
    await page.goto(f"{site.url}/pace.html")
    errors = []
    page.raw.on("pageerror", lambda error: errors.append(error))
    await page.raw.evaluate(
        """() => {
            Map.prototype.set = Map.prototype.forEach = () => { throw new Error('spoilt'); };
            Object.prototype.toJSON = () => ({ timers: [{ due: 'x' }], asked: null });
            JSON.stringify = () => 'x'; Reflect.apply = null; performance.now = () => 0;
            EventTarget.prototype.dispatchEvent = () => { throw new Error('spoilt'); };
            Object.defineProperty(Object.prototype, 'get', { value: 1, configurable: true });
        }"""
    )
    number = find(await page.observe(), "fetch chain").id
    assert (await page.perform(actions.Click(number))).ok
    assert "done" in names(await page.observe())
    assert not errors
