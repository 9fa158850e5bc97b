# ruff: noqa: E501 - pages
"""Where a text begins that does not say it: the reader goes there through the navigation."""

import pytest

from appliance.core.verdict import StepStatus
from appliance.verification.goal.ui_evidence import has_acted
from appliance.verification.trajectory import Trajectory
from tests.policy.policy_reader import Reader, thoughts, told

# A console whose pages are entries of a menu that is hidden until its button is clicked.
SITE = """
<header><button id="burger" aria-label="Open site navigation">☰</button></header>
<nav aria-label="Main" id="main" hidden>
  <a role="menuitem" tabindex="0" data-page="team">Team</a>
  <a role="menuitem" tabindex="0" data-page="office">Office</a>
  <a role="menuitem" tabindex="0" data-page="out">Sign out</a>
</nav>
<main><h1 id="title">Welcome</h1><div id="here"></div></main>
<dialog id="asked" aria-label="Add"><label>Name <input></label><button type="submit">Save</button></dialog>
<script>
window.opened = []
const pages = {
  team: ['Team', '<button>Delete everybody</button><table><tr><th>Name</th></tr>'
    + '<tr><td><a href="#" data-page="ann">Ann Lee</a></td></tr>'
    + '<tr><td><a href="#" data-page="bo">Bo Berg</a></td></tr></table>'
    + '<button onclick="asked.showModal()">Add</button>'],
  office: ['Office', '<button onclick="asked.showModal()">Add</button>'],
  ann: ['Ann Lee', '<h2>Keys</h2><button>Renew keys</button>'],
  bo: ['Bo Berg', '<h2>Keys</h2><button>Renew keys</button>'],
  out: ['Bye', ''],
}
burger.onclick = () => { main.hidden = !main.hidden }
document.onclick = (event) => {
  const page = event.target.dataset?.page
  if (event.target.tagName == 'BUTTON') opened.push(event.target.textContent)
  if (!page) return
  opened.push(page); document.title = title.textContent = pages[page][0]
  here.innerHTML = pages[page][1]; main.hidden = true
}
</script>
"""


def note_of(done: Trajectory) -> str:
    """What is said of the beginning."""
    return " ".join(r.note for r in done.reports() if r.note)


@pytest.fixture
def anywhere(reader: Reader) -> Reader:
    """A reader whose log-in has led to any page."""
    return Reader(reader.page, reader.folder, start_is_known=False)


@pytest.mark.parametrize(
    "intro", ["You add people on the **Office** page.", "In the **Office** tab:"]
)
async def test_the_introduction_says_where(anywhere: Reader, intro: str) -> None:
    text = f"{intro}\n\n1. Click **Add**.\n2. Enter `x` in **Name**.\n3. Click **Save**."
    done = await anywhere.follow(SITE, text)
    assert await anywhere.value("document.title") == "Office"
    assert told(done) == []


async def test_where_it_was_found_is_told(anywhere: Reader) -> None:
    done = await anywhere.follow(
        SITE, "You add people on the **Office** page.\n\n1. Click **Add**."
    )
    assert note_of(done).startswith("found under Office")


async def test_titles_tell_where_no_sentence_does(anywhere: Reader) -> None:
    text = "## Manage the office\n\n1. Click **Add**.\n2. Enter `x` in **Name**."
    done = await anywhere.follow(SITE, text)
    assert await anywhere.value("document.title") == "Office"
    assert note_of(done).startswith("the text does not say where; found under Office")


async def test_the_page_is_called_as_the_section_is(anywhere: Reader) -> None:
    text = "# Settings\n\n## Office\n\n### Rooms\n\n#### Filling a room\n\n1. Click **Add**."
    await anywhere.follow(SITE, text)
    assert await anywhere.value("document.title") == "Office"


async def test_of_a_bound_thing_the_own_page_is_meant(anywhere: Reader) -> None:
    page = SITE.replace(
        '<div id="here"></div>',
        """<div id="here"><button>Renew keys</button>
        <a href="#" data-page="bo">Bo Berg</a></div>""",
    )
    await anywhere.follow(page, "1. Click **Renew keys**.", person="Bo Berg")
    assert await anywhere.value("document.title") == "Bo Berg"
    await anywhere.follow(
        page, "1. Click **Renew keys**.\n2. Enter `x` in **Name**.", Name="Bo Berg"
    )
    assert await anywhere.value("document.title") == "Page"


async def test_what_is_in_a_menu_of_a_bound_thing_is_looked_for_there(anywhere: Reader) -> None:
    menu = "<button aria-haspopup=menu onclick='act.hidden=false'>Act</button><div id=act role=menu hidden>"
    entry = "<button role=menuitem onclick='opened.push(this.textContent)'>Retire</button></div>"
    page = SITE.replace(
        "<h2>Keys</h2><button>Renew keys</button>'],\n  out",
        f"{menu}{entry}".replace("'", "\\'") + "'],\n  out",
    )
    text = "# The team\n\n## Retire\n\n1. Choose **Retire** in the menu."
    done = await anywhere.follow(page, text, person="Bo Berg")
    assert await anywhere.value("opened.at(-1)") == "Retire"
    assert "office" not in str(await anywhere.value("opened.join()"))
    assert told(done) == []


async def test_the_part_of_the_place_that_is_called_as_the_section_is(anywhere: Reader) -> None:
    page = SITE.replace(
        "team: ['Team', '", 'team: [\'Team\', \'<a href="#" data-page="ann">Ann Lee</a>'
    )
    text = (
        "# Team\n\nIt is on the **Team** page.\n\n## Ann Lee\n\n### Fix\n\n1. Click **Renew all**."
    )
    done = await anywhere.follow(page, text)
    assert await anywhere.value("document.title") == "Ann Lee"
    assert told(done) == [("missing_control", "Renew all")]


async def test_a_thing_that_is_bound_is_opened(anywhere: Reader) -> None:
    text = "On the **Team** page:\n\n1. Click **Renew keys**."
    done = await anywhere.follow(SITE, text, person="Bo Berg")
    assert await anywhere.value("opened.at(-1)") == "Renew keys"
    assert await anywhere.value("document.title") == "Bo Berg"
    assert told(done) == []


async def test_what_is_not_where_the_text_says_is_missing(anywhere: Reader) -> None:
    done = await anywhere.follow(SITE, "On the **Team** page:\n\n1. Click **Grant leave**.")
    assert told(done) == [("missing_control", "Grant leave")]


async def test_nothing_is_held_against_pages_that_the_text_does_not_name(anywhere: Reader) -> None:
    done = await anywhere.follow(SITE, "1. Click **Grant leave**.")
    assert told(done) == []
    assert [r.step for r in done.statuses(StepStatus.UNREACHED)] == ["1"]


async def test_the_search_changes_nothing_and_does_not_log_out(anywhere: Reader) -> None:
    await anywhere.follow(SITE, "1. Click **Grant leave**.")
    opened = await anywhere.value("opened.join()")
    assert "team" in str(opened)
    assert "office" in str(opened)
    for harmful in ("out", "Add", "Delete everybody", "Renew keys"):
        assert harmful not in str(opened).split(",")


async def test_of_pages_that_fit_equally_a_person_is_asked_which(anywhere: Reader) -> None:
    done = await anywhere.follow(SITE, "1. Click **Add**.\n2. Enter `x` in **Name**.")
    assert told(done) == []
    assert "`start: Team`" in note_of(done) or "`start: Office`" in note_of(done)
    assert "Add" not in str(await anywhere.value("opened.join()")).split(",")


async def test_the_checks_say_where(anywhere: Reader) -> None:
    checks = "<!-- checks:\nstart: Office\n-->\n"
    done = await anywhere.follow(SITE, f"1. Click **Add**.\n2. Enter `x` in **Name**.\n{checks}")
    assert await anywhere.value("document.title") == "Office"
    assert any('"Office"' in one for one in thoughts(done))


ROWS = """
<header><button aria-haspopup="true" onclick="opened.push('page')">Options</button></header>
<main><h1>Team</h1><table><tr><th>Name</th><th></th></tr>
<tr><td>Ann Lee</td><td><button aria-haspopup="true" onclick="show('ann')" style="width:32px">⋮</button></td></tr>
<tr><td>Bo Berg</td><td><button aria-haspopup="true" onclick="show('bo')" style="width:32px">⋮</button></td></tr>
</table></main><div id="menu" role="menu"></div>
<script>
window.opened = []
function show(whose) {
  opened.push(whose)
  menu.innerHTML = `<button role="menuitem" onclick="opened.push('rename ${whose}')">Rename</button>`
}
document.onkeydown = () => { menu.innerHTML = '' }
</script>
"""


async def test_three_dots_in_the_row_are_the_menu_that_the_text_means(reader: Reader) -> None:
    text = "1. Click the **OPTIONS** button for the chosen person and select **Rename**."
    done = await reader.follow(ROWS, text, person="Bo Berg")
    assert await reader.value("opened.join()") == "bo,rename bo"
    assert told(done) == []


async def test_where_it_is_greyed_out_is_not_where_it_begins(anywhere: Reader) -> None:
    grey = '<div id="here"><button disabled>Renew keys</button></div>'
    site = SITE.replace('<div id="here"></div>', grey)
    done = await anywhere.follow(site, "1. Click **Renew keys**.", user="Ann Lee")
    assert await anywhere.value("opened.slice(-2)") == ["ann", "Renew keys"]
    assert told(done) == []


SHOP = """<nav><a href="#p" onclick="out.textContent = 'products '">Products</a>
<a href="#c" onclick="out.textContent += 'categories'; h.textContent = 'Categories'">Categories</a></nav>
<main><h1 id="h">Orders</h1><p id="out"></p><button>Create</button></main>"""


async def test_a_path_begins_in_the_navigation_though_one_is_called_many(anywhere: Reader) -> None:
    done = await anywhere.follow(
        SHOP, "1. Go to the Product → Categories page.\n2. Click **Create**."
    )
    assert await anywhere.value("out.textContent") == "products categories"
    assert [d.suggestion for _, d in done.divergences()] == ["Products"]


async def test_to_look_for_the_beginning_is_to_do_nothing(reader: Reader) -> None:
    reader.start_is_known = False
    page = """<nav><a href="#r" onclick="m.innerHTML = '<h1>Reviews</h1><button>Revoke</button>'">
Reviews</a></nav><main id=m><h1>Start</h1></main>"""
    done = await reader.follow(page, "1. If you filed a review, click **Revoke**.")
    assert "Revoke" in str(await reader.value("m.innerText")), "it was found"
    assert not has_acted(done)


async def test_on_the_page_of_a_bound_thing_a_near_name_is_meant(anywhere: Reader) -> None:
    page = SITE.replace("<button>Renew keys</button>'],\n  out", "<button>Renew</button>'],\n  out")
    done = await anywhere.follow(page, "1. Click **Renew keys**.", person="Bo Berg")
    assert await anywhere.value("opened.at(-1)") == "Renew"
    assert told(done) == [("renamed_label", "Renew keys")]


CHOICE = """<header><a href="#" onclick="m.hidden = !m.hidden; return false">Manage portlets</a>
<div role="menu" id="m" hidden><a role="menuitem" href="#left">Left column</a>
<a role="menuitem" href="#footer">Footer</a></div></header><main><h1>Welcome</h1></main>"""


async def test_an_open_menu_is_no_page_that_something_is_missing_on(anywhere: Reader) -> None:
    intro = "Use the **Manage portlets** item on the toolbar. From here, you choose which region."
    done = await anywhere.follow(CHOICE, f"{intro}\n\n1. Click the **up or down arrow**.")
    assert told(done) == []
    assert [r.step for r in done.statuses(StepStatus.UNREACHED)] == ["1"]


async def test_what_a_menu_is_said_to_have_is_missing_in_it(anywhere: Reader) -> None:
    intro = "Open the **Manage portlets** menu."
    done = await anywhere.follow(CHOICE, f"{intro}\n\n1. In that menu, click **Right column**.")
    assert told(done) == [("missing_control", "Right column")]
