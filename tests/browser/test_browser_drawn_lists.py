"""Lists that a library draws beside a hidden native one, as select2, Chosen and Selectize do."""

import pytest

from appliance.core import actions

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True

OPTIONS = "<option value=''>---------<option value=a>Active<option value=b>Planned"
CLIP = (
    "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);clip-path:inset(50%)"
)
OPENING = """<script>
const list = document.querySelector('#entries'), native = document.querySelector('select');
const drawn = document.querySelector('#drawn');
drawn.addEventListener('mousedown', () => { list.hidden = !list.hidden; });
list.addEventListener('click', (event) => {
  const option = [...native.options].find((one) => one.text === event.target.textContent);
  if (!option) return;
  native.value = option.value;
  document.querySelector('#shown').textContent = option.text;
  list.hidden = true;
});
</script>"""


@pytest.fixture
def see(see):
    """What is seen of a form."""
    return lambda form: see(f"<form>{form}</form>")


def told(view):
    return [(e.role, e.name, e.value or "") for e in view.elements]


def select2(entries):
    return (
        f"<label for=s>Status</label><select id=s required tabindex=-1 style='{CLIP}'>{OPTIONS}"
        f"</select><span><span id=drawn role=combobox aria-expanded=false tabindex=0"
        " aria-labelledby=shown><span id=shown title=Active>Active</span></span></span>"
        f"{entries}<script>document.querySelector('select').value = 'a'</script>{OPENING}"
    )


def chosen(entries):
    return (
        f"<label for=s>Status</label><select id=s style='display:none'>{OPTIONS}</select>"
        "<div><a id=drawn style='cursor:pointer'><span id=shown>---------</span></a>"
        f"{entries}</div>{OPENING}"
    )


def selectize(entries):
    return (
        f"<label for=s-drawn>Status</label><select id=s style='display:none'>{OPTIONS}</select>"
        "<div><div id=drawn style='cursor:text'><span id=shown></span>"
        "<input type=text id=s-drawn></div>"
        f"{entries}</div>{OPENING}"
    )


ENTRIES = (
    "<ul id=entries hidden><li role=option>---------</li><li role=option>Active</li>"
    "<li role=option>Planned</li></ul>"
)
# One box listens for all its entries.
BOXES = "<div id=entries hidden><div>Active</div><div>Planned</div></div>"
KINDS = [select2(ENTRIES), chosen(ENTRIES), selectize(ENTRIES), chosen(BOXES), selectize(BOXES)]


@pytest.mark.parametrize("form", KINDS)
async def test_a_drawn_list_is_called_by_the_label_of_the_hidden_one(see, form):
    view = await see(form)
    [only] = [e for e in view.elements if e.role == "combobox"]
    assert only.name == "Status"


@pytest.mark.parametrize("form", KINDS)
async def test_its_entry_is_chosen_as_a_person_would(page, see, form):
    view = await see(form)
    [only] = [e for e in view.elements if e.role == "combobox"]
    done = await page.perform(actions.Select(only.id, "Planned"))
    assert done.ok, done.error
    assert await page.raw.evaluate("document.querySelector('select').value") == "b"
    view = await page.observe()
    assert [e.value for e in view.elements if e.name == "Status"] == ["Planned"]


async def test_a_drawn_list_says_what_the_native_one_says(see):
    view = await see(select2(ENTRIES))
    [only] = [e for e in view.elements if e.role == "combobox"]
    assert only.value == "Active"
    assert "required" in only.states


async def test_an_entry_that_is_not_there_is_told_and_nothing_is_chosen(page, see):
    view = await see(chosen(ENTRIES))
    done = await page.perform(actions.Select(view.elements[0].id, "Retired"))
    assert not done.ok
    assert "has no option 'Retired'" in done.error
    assert await page.raw.evaluate("document.querySelector('select').value") == ""


async def test_a_hidden_list_takes_nothing_from_what_stands_beside_it(see):
    view = await see(
        f"<label for=a>Reason</label><select id=a style='display:none'>{OPTIONS}</select>"
        "<button type=button>Apply</button>"
        f"<div style='display:none'><label for=b>Unit</label><select id=b>{OPTIONS}</select></div>"
        "<div><label id=l>Zone</label>"
        "<div role=combobox tabindex=0 aria-labelledby=l>North</div></div>"
        f"<select id=c aria-label=Kind style='display:none'>{OPTIONS}</select>"
        "<input name=q aria-label=Query>"
    )
    assert told(view) == [
        ("button", "Apply", ""),
        ("combobox", "Zone", "North"),
        ("textbox", "Query", ""),
    ]


async def test_a_list_that_takes_several_is_closed_afterwards(page, see):
    form = chosen(ENTRIES).replace("<select", "<select multiple").replace("list.hidden = true;", "")
    view = await see(form)
    done = await page.perform(actions.Select(view.elements[0].id, "Planned"))
    assert done.ok, done.error
    assert await page.raw.evaluate("document.querySelector('#entries').hidden")
