"""Generated pages with known controls: all are listed, none twice, and each can be acted on."""

import json
import random
from collections import Counter
from itertools import count

import pytest
from playwright.async_api import TimeoutError

from appliance.browser import describe
from appliance.core import actions

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True

ROLES = {
    "button": "button", "link": "link", "aria": "button", "pointer": "button",
    "listener": "button", "labelled": "button", "icon": "button", "tab": "tab",
    "menuitem": "menuitem", "switch": "switch", "textbox": "textbox", "area": "textbox",
    "checkbox": "checkbox", "drawn": "checkbox", "radio": "radio", "select": "combobox",
    "editable": "textbox", "disabled": "button",
}  # fmt: skip
PLACES = (
    "div", "section", "list", "scroller", "fieldset", "row", "open", "closed", "slot",
    "frame", "foreign",
)  # fmt: skip
LISTED = 14
ACTED = 6
DEEPEST = 5


def grown(rng, host, numbers, depth=0):
    """A random tree: places hold places and controls."""
    nodes = []
    for _ in range(rng.randint(1, 3) if depth else LISTED // 3):
        if depth < DEEPEST and rng.random() < 0.6:
            place = rng.choice(PLACES)
            node = {"in": place, "kids": grown(rng, host, numbers, depth + 1)}
            nodes.append(node | {"key": f"key {next(numbers)}", "host": host})
        else:
            nodes.append({"kind": rng.choice(list(ROLES)), "name": f"control {next(numbers)}"})
    return nodes


def controls(nodes, row=None):
    """The controls of a tree, each with the key of the row around it."""
    for node in nodes:
        if "kind" in node:
            yield node["name"], node["kind"], row
        else:
            inner = node["key"] if node["in"] == "row" else row
            yield from controls(node["kids"], None if node["in"] in ("frame", "foreign") else inner)


@pytest.fixture
def opened(page, site):
    """Serve a tree and open it."""
    script = "build(document.body, JSON.parse(decodeURIComponent(location.hash.slice(1))))"
    page_of = "<!doctype html><meta charset=utf-8><title>{}</title><script src=/build.js></script>"
    site.make("/built", page_of.format("built") + f"<body><script>{script}</script>")

    async def opened(tree):
        body = f"<body><script>build(document.body, {json.dumps(tree)})</script>"
        await page.goto(site.make("/tree", page_of.format("tree") + body))
        return await page.observe()

    return opened


async def acts(page, view, name):
    """Click a control, and wait until the page tells that it heard of it."""
    (element,) = [e for e in view.elements if e.name == name]
    await page.raw.evaluate("hits.length = 0")
    done = await page.perform(actions.Click(element.id))
    assert done.ok, done.error
    try:
        await page.raw.wait_for_function("hits.length > 0", timeout=3000)
    except TimeoutError:
        pytest.fail(f"nothing heard of the click on {element}\n{describe(view)}")
    assert await page.raw.evaluate("hits") == [name], f"{element}\n{describe(view)}"


@pytest.mark.parametrize("seed", range(24))
async def test_every_control_is_listed_once_and_acts(page, site, opened, seed):
    rng = random.Random(seed)
    tree = grown(rng, f"localhost:{site.server_address[1]}", count(1))
    known = list(controls(tree))
    view = await opened(tree)
    told = f"{json.dumps(tree)}\n{describe(view)}"
    names = Counter(e.name for e in view.elements)
    wanted = Counter(name for name, _, _ in known)
    assert (wanted - names, names - wanted) == ({}, {}), told
    listed = {e.name: e for e in view.elements}
    for name, kind, row in known:
        assert listed[name].role == ROLES[kind], f"{name} {kind}\n{told}"
        assert ("disabled" in listed[name].states) == (kind == "disabled"), told
        if row is not None:
            assert (listed[name].row or "").startswith(row), f"{name} in {row}\n{told}"
    able = [name for name, kind, _ in known if kind not in ("disabled", "select")]
    for name in rng.sample(able, min(ACTED, len(able))):
        await acts(page, view, name)


@pytest.mark.parametrize("seed", range(100, 104))
async def test_only_what_a_modal_holds_is_listed(page, site, opened, seed):
    rng = random.Random(seed)
    host, numbers = f"localhost:{site.server_address[1]}", count(1)
    behind = grown(rng, host, numbers)
    inside = [{"kind": kind, "name": f"control {next(numbers)}"} for kind in ROLES]
    view = await opened([*behind, {"in": "modal", "kids": inside}])
    in_view = {e.name for e in view.elements if e.dialog is not None}
    assert in_view == {node["name"] for node in inside}, describe(view)
    assert [e.name for e in view.elements if e.dialog is None] == [], describe(view)
    await acts(page, view, inside[0]["name"])
