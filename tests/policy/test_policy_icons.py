# ruff: noqa: E501 - pages
"""Icons that are nothing but a drawing, as texts speak of them."""

import pytest

from appliance.core.verdict import StepStatus
from tests.drawn_icons import CARET, DOTS, DRAWN, PENCIL, svg
from tests.policy.policy_reader import Reader, told

_TRASH, _COPY = DRAWN["lucide"][1], DRAWN["material"][1]
_SAYS = "onclick=\"o.textContent += this.id + ' '\""
_PAGE = f"""<h1>Networks</h1><p id=o></p>
<button id=copy {_SAYS}>{_COPY}</button><button id=rename aria-label="Rename" {_SAYS}>{svg(PENCIL)}</button>
<button id=other aria-label="Order" {_SAYS}><svg width=20 height=20><path d='M1 2L3 9'/></svg></button>"""


@pytest.mark.parametrize(
    ("step", "went"),
    [
        ("Click the pencil icon.", "rename"),
        ("Click the edit icon.", "rename"),
        ("Click the copy icon.", "copy"),
        ("点击铅笔图标。", "rename"),
        ("点击复制图标。", "copy"),
    ],
)
async def test_an_icon_is_found_by_its_looks(reader: Reader, step: str, went: str) -> None:
    done = await reader.follow(_PAGE, f"1. {step}")
    assert told(done) == []
    assert [r.status for r in done.reports()] == [StepStatus.AS_WRITTEN]
    assert str(await reader.value("o.textContent")).split() == [went]


_ROWS = "".join(
    f'<tr><td>{name}<td><button id={name}-menu onclick="open_({n})">{svg(DOTS)}</button>'
    for n, name in enumerate(("web-1", "web-2"))
)
_TABLE = f"""<h1>Servers</h1><p id=o></p><table><tr><th>Name<th></tr>{_ROWS}</table>
<div id=d role=menu hidden><button role=menuitem onclick="o.textContent = d.dataset.row">Details</button>
</div><script>function open_(row) {{ d.hidden = false; d.dataset.row = row; }}</script>"""


async def test_drawn_dots_of_a_row_are_its_menu(reader: Reader) -> None:
    steps = "1. Click the three dots next to web-2.\n2. Choose **Details**."
    done = await reader.follow(_TABLE, steps)
    assert told(done) == []
    assert await reader.value("o.textContent") == "1"


_ACTIONS = f"""<h1>web-1</h1><p id=o></p>
<button type=button onclick="d.hidden = !d.hidden">Tools {svg(CARET)}</button>
<button type=button id=bad onclick="o.textContent += 'deleted'">Delete {svg(CARET)}</button>
<div id=d hidden role=menu><button role=menuitem onclick="o.textContent += 'shown'">Show log</button>
</div>"""


async def test_what_is_not_there_is_looked_for_behind_a_caret(reader: Reader) -> None:
    done = await reader.follow(_ACTIONS, "1. Click **Show log**.")
    assert await reader.value("o.textContent") == "shown"
    assert {r.status for r in done.reports()} <= {StepStatus.AS_WRITTEN, StepStatus.DIVERGED}


async def test_a_caret_behind_an_act_is_not_opened_in_search(reader: Reader) -> None:
    done = await reader.follow(_ACTIONS, "1. Click **Publish**.")
    assert await reader.value("o.textContent") == ""
    assert told(done) != []
