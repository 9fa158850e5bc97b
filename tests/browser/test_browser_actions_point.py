"""Clicking where there is no element: on what a page draws on a canvas."""

import pytest
import pytest_asyncio

from appliance.core import actions

pytestmark = pytest.mark.asyncio(loop_scope="session")

DRAWN = """<!doctype html><title>Topology</title><p id=out>nothing</p>
<canvas id=map width=600 height=300 style="position:absolute;left:50px;top:100px"></canvas>
<script>
  const map = document.getElementById('map'), pen = map.getContext('2d');
  pen.fillRect(200, 100, 80, 60);
  const say = (how) => (event) => {
    event.preventDefault();
    const x = event.offsetX, y = event.offsetY;
    const hit = x >= 200 && x < 280 && y >= 100 && y < 160;
    document.getElementById('out').textContent = how + (hit ? ' the router' : ' beside');
  };
  map.addEventListener('click', say('click'));
  map.addEventListener('dblclick', say('double'));
  map.addEventListener('contextmenu', say('right'));
</script>"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def page(pool, site):
    async with pool.page(frozenset({site.host})) as opened:
        await opened.goto(site.make("/drawn.html", DRAWN))
        yield opened


@pytest.mark.parametrize(
    ("point", "how", "said"),
    [
        ((290.0, 230.0), "", "click the router"),
        ((60.0, 110.0), "", "click beside"),
        ((290.0, 230.0), "double", "double the router"),
        ((290.0, 230.0), "right", "right the router"),
    ],
)
async def test_a_point_of_a_drawing_is_clicked(page, point, how, said):
    done = await page.perform(actions.ClickAt(point=point, how=how))
    assert done.ok, done.error
    view = await page.observe()
    assert any(said == text.text for text in view.texts)


@pytest.mark.parametrize("point", [(-1.0, 10.0), (10.0, 5000.0)])
async def test_a_point_out_of_view_is_an_error_in_words(page, point):
    done = await page.perform(actions.ClickAt(point=point))
    assert not done.ok
    assert "is not in view" in done.error
