"""One thing that is untrue is one finding, at its own words; what no page can tell is none."""

import pytest

from tests.policy.policy_reader import Reader, told

CONFIRMED = """
<h1>Keys</h1>
<table><tr><td>demo-key</td><td><button onclick="document.querySelector('dialog').showModal()">
Disable</button></td></tr></table>
<dialog aria-label="Disable key"><h2>Disable key</h2><p>Nobody can use it then.</p>
<form method="dialog" onsubmit="document.querySelector('output').textContent = 'Disabled'">
<button type="button" onclick="document.querySelector('dialog').close()">Cancel</button>
<button>OK</button></form></dialog>
<output role="status"></output>
"""


async def found(reader, html: str, text: str, **bindings: str) -> list[tuple[str, str, str]]:
    """Kind, quote and what is shown of each divergence."""
    done = await reader.follow(html, text, **bindings)
    return [(d.kind.value, d.quote, d.shown) for _, d in done.divergences()]


@pytest.mark.parametrize(
    "text",
    [
        "1. In the row of the key, click **Disable**, and in the dialog, click **Validate**.",
        "1. In the row of the key, click **Disable**.\n2. In the dialog, click **Proceed**.",
    ],
)
async def test_the_button_of_a_question_that_bears_another_name_is_a_rename(reader, text):
    ((kind, _, shown),) = await found(reader, CONFIRMED, text, key="demo-key")
    assert (kind, shown) == ("renamed_label", 'the button is called "OK"')


ASKS = """
<h1>Databases</h1>
<dialog aria-label="Delete database"><h2>Delete database</h2>
<form method="dialog" onsubmit="document.querySelector('output').textContent = 'Deleted'">
<label><input type="checkbox" onchange="document.querySelector('#go').disabled = !this.checked">
I have a copy</label>
<button id="go" disabled>Delete</button></form></dialog><output role="status"></output>
<script>document.querySelector('dialog').showModal()</script>
"""
TICKS = "1. In the **Delete database** dialog, select the check box **{}**.\n2. Click **Delete**."


async def test_what_a_form_needs_is_told_once_where_the_text_calls_it_otherwise(reader):
    ((kind, quote, _),) = await found(reader, ASKS, TICKS.format("Import from CSV"))
    assert (kind, quote) == ("missing_control", "Import from CSV")


async def test_what_a_form_needs_is_told_where_the_text_calls_nothing_otherwise(reader):
    ((kind, quote, shown),) = await found(reader, ASKS, "1. Click **Delete**.")
    assert (kind, quote) == ("missing_step", "Delete")
    assert '"I have a copy" must be ticked' in shown


LIST = """
<main><h1>Disks</h1><button onclick="document.querySelector('[role=dialog]').hidden = false">
Column settings</button><table><tr><th>Name</th><th>Status</th><th></th></tr>
<tr><td>d-1</td><td>In use</td><td><button onclick="this.closest('tr').remove()">Delete</button>
</td></tr></table><div role="dialog" aria-label="Columns" hidden>
<label><input type="checkbox" checked>Name</label>
<label><input type="checkbox" checked>Status</label>
<label><input type="checkbox">Owner</label>
<button onclick="document.querySelector('[role=dialog]').hidden = true">Cancel</button></div>
<output role="status"></output></main>
"""
FIXED = LIST.replace("Column settings", "Refresh")


@pytest.mark.parametrize(
    ("html", "column", "quotes"),
    [
        (LIST, "Status", []),
        (LIST, "Owner", []),  # it can be shown
        (LIST, "Location", ["Location"]),
        (FIXED, "Location", ["Location"]),  # the row is gone, its list is not
        (FIXED, "Status", []),
    ],
)
async def test_a_column_that_a_list_cannot_show(reader, html, column, quotes):
    text = f"1. In the row of the disk, click **Delete**. The **{column}** column shows it."
    said = await found(reader, html, text, disk="d-1")
    assert [quote for _, quote, _ in said] == quotes


WIZARD = """
<main><h1>Create alert</h1><ol style="list-style: none"><li><span>1</span> <span>Basics</span></li>
<li><span>2</span> <span>Condition</span></li></ol><form onsubmit="return false"><h2>Basics</h2>
<label>Name <input></label><button>Next</button></form></main>
"""


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("Basics", []),
        ("Condition", []),  # the text may be ahead of the reader
        ("Billing", [("renamed_label", "Billing", 'the step is called "Basics"')]),
    ],
)
async def test_a_step_that_a_wizard_does_not_have(reader, step, said):
    text = f"1. In the **{step}** step, enter a **Name**."
    assert await found(reader, WIZARD, text) == said


async def test_a_page_that_counts_nothing_up_is_no_wizard(reader):
    html = WIZARD.replace("<span>2</span>", "")
    assert await found(reader, html, "1. In the **Billing** step, enter a **Name**.") == []


MENU = """
<main><h1>Users</h1><table><tr><th>Name</th><th></th></tr><tr><td>ann</td><td>
<button aria-haspopup="menu" aria-expanded="false" onclick="
this.setAttribute('aria-expanded', 'true'); document.querySelector('[role=menu]').hidden = false">
More</button></td></tr></table></main><div role="menu" hidden><button role="menuitem"
onclick="document.querySelector('output').textContent = 'Done'">Suspend</button></div>
<output role="status"></output>
"""


@pytest.mark.parametrize(
    ("where", "quotes"), [("above the list", ["above the list"]), ("in the row of the user", [])]
)
async def test_what_is_in_the_menu_of_a_row_is_not_above_the_list(reader, where, quotes):
    text = f"1. In the row of the user, click **More** > **Suspend**. **Suspend** is {where}."
    said = await found(reader, MENU, text, user="ann")
    assert [quote for _, quote, _ in said] == quotes


STATES = """<main><h1>Zones</h1><table><tr><th>Name</th><th>Status</th></tr>
<tr><td>z-1</td><td>{}</td></tr></table><button>Pause</button></main>"""


@pytest.mark.parametrize(
    ("shown", "is_true"),
    [("Paused", True), ("● Paused by Ann", True), ("Not paused", False), ("Custom paused", False)],
)
async def test_a_state_with_a_word_before_it_is_another(
    reader: Reader, shown: str, is_true: bool
) -> None:
    steps = "1. Click **Pause**.\n2. Wait until the status of the zone is **Paused**."
    done = await reader.follow(STATES.format(shown), steps, zone="z-1")
    assert told(done) == ([] if is_true else [("wrong_result", "Paused")])


@pytest.mark.parametrize(
    ("area", "findings"),
    [
        ('aria-label="File (general)"', [("renamed_label", "File")]),
        ('aria-label="File"', []),
        ("", []),  # whoever has no name is not called otherwise
    ],
)
async def test_the_area_for_a_file_is_called_otherwise(reader, area, findings):
    page = f"""<main><h1>Upload</h1><input type=file {area}><button>Upload</button></main>"""
    steps = "1. Under **File**, click the area with the dashed border and pick the file."
    done = await reader.follow(page, steps)
    assert told(done) == findings


@pytest.mark.parametrize(
    ("chosen", "findings"), [("Dedicated", [("changed_default", "Shared")]), ("Shared", [])]
)
async def test_the_default_of_a_choice_between_buttons(reader, chosen, findings):
    options = "".join(
        f"<label><input type=radio name=c {'checked' * (name == chosen)}> {name}</label>"
        for name in ("Shared", "Dedicated")
    )
    page = f"""<main><h1>Create balancer</h1><label>Name <input></label>
    <fieldset><legend>Class</legend>{options}</fieldset><button>Create</button></main>"""
    entries = "   - **Name**: `b1`\n   - **Class**: keep the default, **Shared**.\n"
    steps = f"1. Specify the following:\n\n{entries}"
    done = await reader.follow(page, steps)
    assert told(done) == findings
    remark = "It is **Shared** unless you say otherwise."
    for step in ("Enter `b1` in **Name**.", "For **Class**, choose **Dedicated**."):
        done = await reader.follow(page, f"1. {step} {remark}")
        assert told(done) == findings


async def test_what_is_asked_for_on_another_way_than_the_text_goes_is_no_untruth(reader):
    page = """<main><h1>Records</h1><button onclick="box.hidden = false">Add record</button>
    <form role=dialog aria-modal=true aria-label="Add record" id=box hidden
    onsubmit="box.hidden = true; return false"><label>Zone <input required></label>
    <label>Host <input></label><button>Save</button></form></main>"""
    steps = "2. Click **Add record**.\n3. Enter `www` in **Host**.\n4. Click **Save**."
    done = await reader.follow(page, f"1. Click **Open the zone**.\n{steps}")
    assert told(done) == [("missing_control", "Open the zone")]
    done = await reader.follow(page, f"1. Look around.\n{steps}")
    assert told(done) == [("missing_step", "Save")]


async def test_what_another_choice_asks_for_is_no_untruth_beside_the_choice_that_is_gone(reader):
    page = """<main><h1>Create rule</h1><form onsubmit="return false">
    <label>Protocol <select><option>TCP<option>UDP</select></label>
    <label>Ports <input required></label><button>Create</button></form></main>"""
    steps = "1. From the **Protocol** list, choose **ICMP**.\n2. Click **Create**."
    assert told(await reader.follow(page, steps)) == [("changed_option", "ICMP")]


@pytest.mark.parametrize(
    ("step", "findings"),
    [("Open the **Rules** tab.", [("missing_control", "Rules")]), ("Click **Rules**.", [])],
)
async def test_a_tab_of_what_was_opened_is_no_entry_of_the_navigation(reader, step, findings):
    page = """<nav><a href="#" onclick="window.left = 1">Rules</a></nav><main><h1>Groups</h1>
    <table id=list><tr><th>Name</th></tr><tr><td>
    <a href="#" onclick="more.hidden = false; list.remove()">web</a></td></tr></table>
    <div id=more hidden><div role=tablist><button role=tab aria-selected=true>Details</button>
    <button role=tab>Entries</button></div></div></main>"""
    steps = f"1. Click the name of the security group.\n2. {step}"
    done = await reader.follow(page, steps, **{"security_group": "web"})
    assert told(done) == findings
    assert await reader.value("window.left || 0") == (not findings)
