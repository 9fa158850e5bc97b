"""The literal policy on controls and entries that are elsewhere than the text says."""

import pytest

from tests.policy.policy_reader import Reader, told

NAV = """
<nav aria-label="Compute"><a href="#h">Overview</a><h3>Machines</h3><ul><li><a href="#i">Instances
</a></li><li><a href="#k" onclick="window.went='keys'">Key pairs</a></li></ul>
<h3>Monitoring</h3><ul><li><a href="#q">Quotas</a></li></ul></nav>
<main><h1>Instances</h1><p>All your instances.</p></main>
"""


@pytest.mark.parametrize(
    ("under", "reported"),
    [
        ("Machines", []),
        ("Monitoring", [("moved_control", "Key pairs")]),
        ("Access", [("moved_control", "Key pairs")]),  # the heading is gone with its last entry
        ("Instances", []),  # the page that is open: no heading of the navigation
    ],
)
async def test_an_entry_is_below_the_heading_that_the_text_names(
    reader: Reader, under: str, reported: list[tuple[str, str]]
) -> None:
    steps = f"1. In the navigation on the left, under **{under}**, click **Key pairs**."
    done = await reader.follow(NAV, steps)
    assert (await reader.value("window.went"), told(done)) == ("keys", reported)


@pytest.mark.parametrize(("under", "reported"), [("Machines", 0), ("Monitoring", 1)])
async def test_a_chinese_text_names_the_heading_of_an_entry(
    reader: Reader, under: str, reported: int
) -> None:
    done = await reader.follow(NAV, f"1. 在左侧导航栏的**{under}**下，单击**Key pairs**。")
    assert [k for k, _ in told(done)] == ["moved_control"] * reported


async def test_an_entry_below_no_heading_is_not_below_the_one_named(reader: Reader) -> None:
    steps = "1. In the navigation on the left, under **Monitoring**, click **Overview**."
    assert told(await reader.follow(NAV, steps)) == [("moved_control", "Overview")]


NESTED = """
<nav aria-label="Main"><ul><li><button aria-expanded="true">Project</button><ul>
<li><a href="#a">API access</a></li><li><button aria-expanded="true">Network</button>
<ul><li><a href="#n" onclick="window.went='networks'">Networks</a></li></ul></li></ul></li>
<li><button aria-expanded="true">Identity</button><ul><li><a href="#p">Projects</a></li></ul></li>
</ul></nav><main><h1>Home</h1></main>
"""


async def test_an_entry_in_a_group_of_the_group_named_is_below_it(reader: Reader) -> None:
    done = await reader.follow(
        NESTED, "1. In the navigation, under **Project**, click **Networks**."
    )
    assert (await reader.value("window.went"), told(done)) == ("networks", [])


FOLDED = """
<nav aria-label="Compute"><h2>Compute</h2><ul><li><a href="#o">Overview</a></li></ul>
<button aria-expanded="true" aria-controls="a">Machines</button><ul id="a">
<li><a href="#i">Instances</a></li><li><a href="#k" onclick="window.went='keys'">Key pairs</a></li>
</ul><button aria-expanded="true" aria-controls="b">Access</button><ul id="b"></ul>
<button aria-expanded="true" aria-controls="c">Audit</button><ul id="c">
<li><a href="#q">Quotas</a></li></ul></nav><main><h1>Home</h1></main>
"""


@pytest.mark.parametrize(
    ("under", "entry", "reported"),
    [
        ("Access", "Key pairs", 1),  # a part without entries
        ("Access", "Overview", 1),
        ("Access", "Quotas", 1),
        ("Machines", "Key pairs", 0),
        ("Compute", "Key pairs", 0),
        ("Compute", "Overview", 0),
    ],
)
async def test_an_entry_is_not_in_a_part_of_the_menu_that_has_no_entries(
    reader: Reader, under: str, entry: str, reported: int
) -> None:
    steps = f"1. In the navigation on the left, under **{under}**, click **{entry}**."
    done = await reader.follow(FOLDED, steps)
    assert told(done) == [("moved_control", entry)] * reported


HEADINGS = """
<nav aria-label="Main"><h2>Project</h2><a href="#a">API access</a><h3>Network</h3>
<a href="#n" onclick="window.went='networks'">Networks</a><h2>Identity</h2><a href="#p">Projects</a>
</nav><main><h1>Home</h1></main>
"""


@pytest.mark.parametrize(("under", "reported"), [("Project", 0), ("Network", 0), ("Identity", 1)])
async def test_an_entry_below_a_heading_of_the_heading_named_is_below_it(
    reader: Reader, under: str, reported: int
) -> None:
    steps = f"1. In the navigation, under **{under}**, click **Networks**."
    done = await reader.follow(HEADINGS, steps)
    assert (await reader.value("window.went"), len(told(done))) == ("networks", reported)


# A list whose thing has a page of its own; what the rows and that page offer is put in.
LIST = """
<main id="list"><h1>Disks</h1><table><thead><tr><th>Name</th><th>Actions</th></tr></thead>
<tbody><tr><td><a href="#d" onclick="list.hidden = true; page.hidden = false; return false">red</a>
</td><td>ROW</td></tr></tbody></table></main>
<main id="page" hidden><h1>red</h1><div role="toolbar">PAGE</div>
<div role="menu" id="inside" hidden><button role="menuitem" onclick="window.went='inside'">Rename
</button></div></main>
<nav aria-label="Side"><a href="#d" onclick="window.went='nav'">Disks</a></nav>
"""
MORE = """
<button aria-haspopup="menu" aria-expanded="false"
  onclick="menu.hidden = !menu.hidden; this.ariaExpanded = String(!menu.hidden)">More</button>
<div role="menu" id="menu" hidden>
<button role="menuitem" onclick="window.went='menu'">ENTRY</button></div>
"""
MORE_INSIDE = """
<button aria-haspopup="menu" aria-expanded="false"
  onclick="inside.hidden = !inside.hidden; this.ariaExpanded = String(!inside.hidden)">More</button>
"""
RENAME = "<button onclick=\"window.went='button'\">Rename</button>"


def a_list(row: str = "", page: str = "") -> str:
    """The list with that in its row, and on the page of the disk."""
    return LIST.replace("ROW", row).replace("PAGE", page)


IN_ROW = "1. In the row of the disk, click **Rename**."
IN_MENU = "1. In the row of the disk, choose **More** > **Rename**."
ZH_ROW = "1. 在云硬盘所在行，单击**Rename**。"
OPEN_PLACE = "1. Select the disk, then click **Rename**."
MOVED = [("moved_control", "Rename")]


@pytest.mark.parametrize("steps", [IN_ROW, ZH_ROW])
@pytest.mark.parametrize(("page", "went"), [(RENAME, "button"), (MORE_INSIDE, "inside")])
async def test_what_left_the_row_for_the_page_of_the_thing_is_told(
    reader: Reader, steps: str, page: str, went: str
) -> None:
    done = await reader.follow(a_list(page=page), steps, disk="red", 云硬盘="red")
    assert (await reader.value("window.went"), told(done)) == (went, MOVED)
    assert "red" in next(d.shown for _, d in done.divergences())


async def test_what_left_the_menu_of_the_row_for_the_page_of_the_thing_is_told(
    reader: Reader,
) -> None:
    page = a_list(MORE.replace("ENTRY", "Delete"), RENAME)
    assert told(await reader.follow(page, IN_MENU, disk="red")) == MOVED
    assert await reader.value("window.went") == "button"


async def test_where_the_text_leaves_the_place_open_nothing_is_moved(reader: Reader) -> None:
    assert told(await reader.follow(a_list(page=RENAME), OPEN_PLACE, disk="red")) == []
    assert await reader.value("window.went") == "button"


@pytest.mark.parametrize(
    "steps", [IN_MENU, "1. In the row of the disk, click **More** and choose **Rename**."]
)
async def test_what_left_the_menu_for_the_row_itself_is_told(reader: Reader, steps: str) -> None:
    page = a_list(RENAME + MORE.replace("ENTRY", "Delete"))
    done = await reader.follow(page, steps, disk="red")
    assert (await reader.value("window.went"), told(done)) == ("button", MOVED)


async def test_what_is_in_the_menu_named_has_not_moved(reader: Reader) -> None:
    done = await reader.follow(a_list(MORE.replace("ENTRY", "Rename")), IN_MENU, disk="red")
    assert (await reader.value("window.went"), told(done)) == ("menu", [])


async def test_what_is_asked_of_a_row_is_no_entry_of_the_navigation(reader: Reader) -> None:
    page = a_list(page=RENAME.replace("Rename", "Choose disks"))
    done = await reader.follow(page, IN_ROW.replace("Rename", "Choose disks"), disk="red")
    assert (await reader.value("window.went"), told(done)) == (
        "button",
        [("moved_control", "Choose disks")],
    )


async def test_where_the_way_is_lost_no_menu_is_searched(reader: Reader) -> None:
    page = a_list(page=MORE.replace("ENTRY", "Delete"))
    steps = "1. In the row of the disk, click **Retire**.\n2. Click **Delete**."
    done = await reader.follow(page, steps, disk="red")
    assert (await reader.value("window.went"), told(done)) == (
        None,
        [("missing_control", "Retire")],
    )


@pytest.mark.parametrize(
    "steps",
    [
        "1. Select the disk. From the Actions drop-down list, select **Rename**.",
        "1. Select the disk, and then select **Rename** from the **Actions** list.",
    ],
)
async def test_the_list_that_is_called_like_a_column_is_the_menu_of_the_row(
    reader: Reader, steps: str
) -> None:
    done = await reader.follow(a_list(MORE.replace("ENTRY", "Rename")), steps, disk="red")
    assert (await reader.value("window.went"), told(done)) == ("menu", [])


BATCH = """<main><h1>Groups</h1><div><button id=gone disabled>Delete</button></div>
<table><tr><th></th><th>Name</th><th>Actions</th></tr>
<tr><td><input type=checkbox aria-label="Select g-1" onchange="gone.disabled = !checked"></td>
<td>g-1</td><td><button>Rename</button></td></tr></table></main>"""


@pytest.mark.parametrize(
    ("step", "reported"),
    [
        ("In the row of the group, click **Delete**.", [("moved_control", "Delete")]),
        ("在组所在行，单击**Delete**。", [("moved_control", "Delete")]),
        ("Select the check box in the row of the group, and click **Delete**.", []),
        ("In the row of the group, click **Rename**.", []),
    ],
)
async def test_a_control_above_the_list_is_not_in_the_row(
    reader: Reader, step: str, reported: list[tuple[str, str]]
) -> None:
    done = await reader.follow(BATCH, f"1. {step}", group="g-1", 组="g-1")
    assert told(done) == reported


async def test_the_row_s_own_control_by_another_word_comes_before_that_of_the_page(
    reader: Reader,
) -> None:
    """ "Delete" above the list deletes what the list belongs to."""
    page = BATCH.replace("<button id=gone disabled>", "<button onclick='window.went=1'>")
    page = page.replace(">Rename<", ">Destroy<")
    done = await reader.follow(page, "1. In the row of the rule, click **Delete**.", rule="g-1")
    assert told(done) == [("renamed_label", "Delete")]
    assert await reader.value("window.went") is None


FORM = """<main><h1>Notes</h1><input aria-label="Title">
<button onclick="window.went='ok'">{}</button><button>Help</button></main>"""


@pytest.mark.parametrize(
    ("step", "button", "went", "has_finding"),
    [
        ("Click the publish button.", "Publish", "ok", False),
        # it is described: no name is untrue
        ("Click the publish button.", "Create", None, False),
        ('Click the "publish" button.', "Create", None, True),  # in quotes it is a name
    ],
)
async def test_a_button_that_is_described_and_not_named(
    reader: Reader, step: str, button: str, went: str | None, has_finding: bool
) -> None:
    done = await reader.follow(FORM.format(button), f"1. {step}")
    assert (await reader.value("window.went ?? null"), bool(told(done))) == (went, has_finding)
