"""What a console shows of a secret is in no picture and no HTML, wherever on the page it stands.

Each page is pictured twice, with two secrets whose letters take the same room: whatever is left of
one of them makes the two pictures differ.
"""

import io
import json
from base64 import b64encode
from html import escape
from urllib.parse import quote

import pytest
from PIL import Image, ImageChops

from appliance.browser import describe
from appliance.browser.observation.picture import SECRET_COLOUR
from appliance.core.jsonable import json_object
from appliance.core.page import Box
from appliance.core.secrets import learn, masked, without_secrets

pytestmark = pytest.mark.asyncio(loop_scope="session")

ONE, OTHER = "Zq7/tangerine", "Xw4/blueberry"

PLACES = {
    "text": "<p>Your password is {s}.</p>",
    "elements": "<p><b>{a}</b>{b}<i>{c}</i></p>",
    "wrapped": '<p style="width:60px;word-break:break-all">{s}</p>',
    "broken": "<p>{a}&shy;{b}&#8203;{c}</p>",
    "lines": "<pre>{a}\n{b}{c}</pre>",
    "upper": '<p style="text-transform:uppercase">{s}</p>',
    "lower": "<p>{lower}</p>",
    "beyond": "<p>\U0001f600\U0001f600\U0001f600 {s}</p>",
    "value": '<input value="{s}">',
    "placeholder": '<input placeholder="{s}">',
    "textarea": "<textarea>key\n{s}</textarea>",
    "select": '<select style="width:130px"><option>a<option selected>{s}</select>',
    "list": '<select size="3"><option>a<option>{s}</select>',
    "editable": "<div contenteditable>{s}</div>",
    "image": '<img alt="{s}" src="/nothing.png">',
    "drawing": '<svg width="200" height="20"><text y="15">{s}</text></svg>',
    "before": '<p class="told" data-key="{s}"></p>',
    "tooltip": '<p class="none" data-key="{s}">hidden</p>',
    "lines of a log": '<div class="log" id="log"><pre>{lines}</pre></div>',
    "out": '<div class="clip"><div class="out">{s}</div></div>',
    "contents": '<div style="display:contents">{s}</div>',
    "shadow": '<div style="text-shadow:0 20px 3px #000">{s}</div>',
    "italic": '<p style="font-size:30px;font-style:italic;margin:0">{s}</p>',
    "turned": '<div style="transform:rotate(8deg);width:140px">{s}</div>',
    "upright": '<div style="writing-mode:vertical-rl;height:130px">{s}</div>',
    "address": "<p>https://host/login?password={url}</p>",
    "header": "<p>Basic {basic}</p>",
    "entity": "<p>Ok: {entity}</p>",
    "open": "<div><template shadowrootmode=open><p>{s}</p></template></div>",
    "closed": "<div><template shadowrootmode=closed><p>{s}</p></template></div>",
    "scripted": '<div class="scripted" data-made="{s}"></div>',
    "frame": '<iframe srcdoc="{style}<p>{s}</p>"></iframe>',
    "far": '<iframe src="{far}"></iframe>',
    "scaled": '<iframe style="transform:scale(.8)" srcdoc="{style}<p>{s}</p>"></iframe>',
    "button": '<button data-key="y">Copy {s}</button>',
}
STYLE = """
  * { font: 16px monospace; } body { margin: 4px; } iframe { width: 220px; height: 70px; }
  .places > div { width: 300px; height: 136px; float: left; overflow: hidden; position: relative; }
  .told::before { content: attr(data-key); }
  .none::after { content: attr(data-key); display: none; }
  .log { height: 60px; overflow: auto; } .clip { height: 10px; overflow: hidden; }
  .out { position: absolute; top: 60px; }
"""
SCRIPT = """
  log.scrollTop = 150;
  for (const host of document.querySelectorAll('.scripted')) {
    host.attachShadow({ mode: 'closed' }).innerHTML = `<p>${host.dataset.made}</p>`;
  }
"""


def served(site, secret: str, places: dict[str, str] = PLACES) -> str:
    port = site.server_address[1]
    far = site.make(f"/far-{secret[:3]}", f"<style>{STYLE}</style><p>far {secret}</p>")
    words = {
        "s": secret, "a": secret[:3], "b": secret[3:9], "c": secret[9:], "lower": secret.lower(),
        "url": quote(secret, safe=""), "entity": "".join(f"&#{ord(c)};" for c in secret),
        "basic": b64encode(f"al:{secret}".encode()).decode(),
        "far": far.replace("127.0.0.1", "localhost") if port else far,
        "style": "<style>* { font: 16px monospace }</style>",
        "lines": "\n".join(f"{n} token={secret} ok" for n in range(30)),
    }  # fmt: skip
    body = "".join(
        f'<div id="{name}">{html.format(**words)}</div>' for name, html in places.items()
    )
    return site.make(
        f"/canary-{secret[:3]}",
        f"<!doctype html><title>Canary</title><style>{STYLE}</style><button>Save</button>"
        f'<div class="places">{body}</div><script>{SCRIPT}</script>',
    )


def opened(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert("RGB")


def difference(one: bytes, other: bytes) -> tuple[int, int, int, int] | None:
    return ImageChops.difference(opened(one), opened(other)).getbbox()


async def sized(page, scale: int = 1) -> None:
    metrics = {"width": 1280, "height": 1400, "deviceScaleFactor": scale, "mobile": False}
    await page._tabs.active._world.send("Emulation.setDeviceMetricsOverride", metrics)


async def pictures(page) -> dict[str, bytes]:
    """Every kind that there is."""
    view = await page.observe()
    number = next(e.id for e in view.elements if e.placeholder)
    return {
        "png": await page.screenshot(picture_format="png"),
        "jpeg": await page.screenshot(),
        "webp": await page.screenshot(picture_format="webp"),
        "marks": await page.screenshot(marks=view),
        "highlight": await page.screenshot(view.elements[0].box),
        "crop": await page.screenshot(crop=number),
        "part": await page.screenshot(crop=Box(0, 0, 400, 400)),
    }


async def test_no_picture_shows_a_secret(pool, site):
    bare: list[bytes] = []
    taken: list[dict[str, bytes]] = []
    places: list[dict[str, list[float]]] = []
    for secret in (ONE, OTHER):
        learn(secret)
        async with pool.page(frozenset({site.host, f"localhost:{site.server_address[1]}"})) as page:
            await sized(page)
            await page.goto(served(site, secret))
            shown = await pictures(page)
            bare.append(await page._tabs.active.picture())
            places.append(await page.raw.evaluate(BOXES))
            await page.raw.evaluate("log.scrollTop = 155; scrollTo(0, 70)")
            shown["scrolled"] = await page.screenshot(picture_format="png")
            await page.raw.evaluate("document.body.style.zoom = 0.7; scrollTo(0, 0)")
            shown["zoomed"] = await page.screenshot(picture_format="png")
            await page.raw.evaluate("document.body.style.zoom = 1")
            await sized(page, 2)
            shown["dense"] = await page.screenshot(picture_format="png")
        taken.append(shown)
    assert places[0] == places[1], "the letters do not take the same room"
    for name, (x, y, width, height) in places[0].items():
        if name != "tooltip":  # else the place would prove nothing
            area = x, y, x + width, y + height
            crops = (opened(one).crop(area) for one in bare)
            assert ImageChops.difference(*crops).getbbox(), f"{name} is not shown at all"
    left = {name: difference(taken[0][name], taken[1][name]) for name in taken[0]}
    assert not any(left.values()), left
    # It is the secrets that are painted over, and hardly more.
    colours = opened(taken[0]["png"]).getcolors(1 << 20) or []
    painted = sum(count for count, colour in colours if colour == SECRET_COLOUR)
    assert 0.01 < painted / (1280 * 1400) < 0.1


BOXES = """Object.fromEntries([...document.querySelectorAll('.places > div')].map((el) => {
  const box = el.getBoundingClientRect();
  return [el.id, [box.x, box.y, box.width, box.height]]; }))"""


async def test_html_around_an_element_holds_no_secret(page, site):
    learn(ONE)
    await page.goto(served(site, ONE))
    view = await page.observe()
    html = [await page.dom_excerpt()]
    html += [await page.dom_excerpt(e.id) for e in view.elements]
    for part in html:
        bare = "".join(part.replace("\u200b", "").replace("\u00ad", "").split())
        for form in (ONE, escape(ONE), quote(ONE, safe=""), ONE.lower(), ONE[3:9], "tangerine"):
            assert form not in bare
    assert "***" in html[0]
    assert "Your password is" in html[0]


async def test_no_text_of_a_page_holds_a_secret_once_it_is_masked(page, site):
    learn(ONE)
    await page.goto(served(site, ONE))
    view = await page.observe()
    for said in (describe(view, whole=True), json.dumps(masked(json_object(view)))):
        bare = "".join(without_secrets(said).split())
        for part in (ONE, "tangerine", "Zq7/tan", ONE.upper(), "tang", "erine"):
            assert part not in bare, bare[max(bare.find(part) - 80, 0) :][:200]


RESTLESS = """<!doctype html><p id="p" style="position:absolute">{s}</p><script>
  let n = 0; setInterval(() => {{ p.style.top = `${{(n = (n + 37) % 700)}}px`; }}, 1); </script>"""


async def test_a_secret_that_does_not_keep_still_takes_the_picture_with_it(page, site):
    learn(ONE)
    await page.goto(site.make("/restless", RESTLESS.format(s=ONE)))
    picture = opened(await page.screenshot(picture_format="png"))
    assert picture.getcolors() == [(picture.width * picture.height, SECRET_COLOUR)]


async def test_a_page_without_secrets_is_pictured_as_it_is(page, site):
    learn(ONE)
    await page.goto(f"{site.url}/widgets.html")
    await page.observe()
    picture = await page.screenshot(picture_format="png")
    assert difference(picture, await page._tabs.active.picture()) is None


async def test_what_is_typed_into_a_password_field_is_a_secret_from_then_on(page, site, act):
    await page.goto(
        site.make(
            "/echo",
            """<label>Password <input type=password oninput="o.textContent = value"></label>
            <p style="font:16px monospace">now: <span id=o></span></p>""",
        )
    )
    left: list[bytes] = []
    for typed in ("Fresh-one-1", "Clean-two-2"):
        await act("type", "Password", text=typed)
        assert await page.raw.evaluate("o.textContent") == typed
        left.append(await page.screenshot(picture_format="png"))
    assert difference(*left) is None


async def test_a_frame_that_is_not_let_in_is_no_reason_to_paint_anything_over(page, site):
    learn(ONE)
    await page.goto(site.make("/shut", '<iframe src="http://shut.example/"></iframe><p>Open</p>'))
    await page.observe()
    picture = await page.screenshot(picture_format="png")
    assert difference(picture, await page._tabs.active.picture()) is None


async def test_a_frame_that_does_not_answer_is_painted_over_whole(page, site):
    html = '<iframe srcdoc="<p>x" style="border:0;width:300px;height:200px"></iframe>'
    await page.goto(site.make("/around", html))
    tab = page._tabs.active
    _, frame = await tab._world.frames()
    tab._observer._stuck.add((frame.id, frame.context))  # as one is that has been waited for
    picture = opened(await page.screenshot(picture_format="png"))
    assert picture.crop((10, 10, 300, 200)).getcolors() == [(290 * 190, SECRET_COLOUR)]
