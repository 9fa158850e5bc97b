"""The literal policy on small pages in a real browser: what it does, and what it says."""

import pytest

from appliance.core.verdict import DivergenceKind, StepStatus
from appliance.documents import parse_document
from appliance.policy.literal import read_procedure
from appliance.verification.trajectory import Trajectory
from tests.policy.policy_reader import Reader, told

WIZARD = """
<main><h1>Launch</h1>
<form onsubmit="return false">
  <fieldset><legend>Security groups</legend>
    <label><input type="checkbox" id="inside">inside</label>
    <label><input type="checkbox" id="outside">outside</label>
  </fieldset>
  <button type="button" onclick="window.nexts = (window.nexts || 0) + 1">Next</button>
</form></main>
"""


async def test_what_is_chosen_under_a_heading_of_boxes_is_ticked_there(reader: Reader) -> None:
    steps = "1. Under **Security groups**, select the security group.\n2. Click **Next**."
    done = await reader.follow(WIZARD, steps, security_group="inside")
    assert await reader.value("[inside.checked, outside.checked, window.nexts]") == [True, False, 1]
    assert list(done.divergences()) == []


async def test_a_button_that_leads_on_turns_no_pages_of_a_list(reader: Reader) -> None:
    steps = "1. Select the disk.\n2. Click **Next**."
    await reader.follow(WIZARD, steps, disk="nowhere")
    assert await reader.value("window.nexts || 0") <= 1


TABS = """
<nav aria-label="Virtual networks"><a href="#a" onclick="window.went='nav'">Listeners</a></nav>
<main><h1>gate-1</h1><div role="tablist"><button role="tab" aria-selected="true">Details</button>
<button role="tab" aria-selected="false" onclick="window.went='tab'">Listeners</button></div></main>
"""


@pytest.mark.parametrize(
    "step",
    [
        "Switch to the **Listeners** tab.",
        "Open the tab **Listeners**.",
        "切换到**Listeners**页签。",
    ],
)
async def test_a_tab_is_a_tab_first(reader: Reader, step: str) -> None:
    before = "点击**Details**。" if "页" in step else "Click **Details**."
    await reader.follow(TABS, f"1. {before}\n2. {step}")
    assert await reader.value("window.went") == "tab"


async def test_an_entry_of_the_navigation_is_no_tab(reader: Reader) -> None:
    steps = "1. Click **Details**.\n2. In the navigation on the left, click **Listeners**."
    await reader.follow(TABS, steps)
    assert await reader.value("window.went") == "nav"


STATED = {
    "The default is 3. Set it to `5`.": "5",
    "Enter `7` (the default is 3).": "7",
    "The default is `3`.": "3",
    "`2026`, or pick it in the calendar.": "2026",
    "Enter a number, for example `8`.": "3",
    "Enter `8`, or leave it empty.": "3",
    "Type `Ber` and select **9** from the list.": "9",
}
STATED_ZH = {
    "输入`11`，仅对该目录下的对象生效。留空时对全部生效。": "11",
    "输入`180`，默认为 3 天。": "180",
    "设置为`500`。": "500",
    "默认为`3`，无需修改。": "3",
    "输入数字，例如`12`。": "3",
}


@pytest.mark.parametrize(
    ("stated", "lead"),
    [(STATED, "Click **Go**, and then fill in:"), (STATED_ZH, "点击**Go**，填写以下参数：")],
)
async def test_a_value_that_an_entry_states_is_entered(
    reader: Reader, stated: dict[str, str], lead: str
) -> None:
    names = [f"Field {chr(65 + n)}" for n in range(len(stated))]
    fields = "".join(f'<label>{name} <input type="text" value="3"></label><br>' for name in names)
    head = "   | Field | Value |\n   | --- | --- |\n"
    rows = "".join(f"   | **{a}** | {b} |\n" for a, b in zip(names, stated, strict=True))
    html = f"<main><h1>New</h1><form><button type=button>Go</button>{fields}</form></main>"
    await reader.follow(html, f"1. {lead}\n\n{head}{rows}\n2. {lead[:-1]}")
    entered = await reader.value("[...document.querySelectorAll('input')].map(e => e.value)")
    assert entered == list(stated.values())


NEEDY = """
<main><h1>New</h1><form onsubmit="event.preventDefault(); window.sent = zone.value">
  <label>Name <input id="name" type="text"></label>
  <label>Zone <input id="zone" type="text" required></label>
  <button type="submit">Create</button>
</form></main>
"""


@pytest.mark.parametrize(
    ("words", "quotes"),
    [
        ("Enter a **Name**.", ["Create"]),
        ("As for the **Zone**, do as your team does.", []),
        ("Enter a name and a zone.", []),
        ("Optional: enter a **Zone**.", ["Zone"]),
        ("Leave **Zone** empty.", ["Zone"]),
    ],
)
async def test_only_what_the_text_does_not_ask_for_is_missing_in_it(
    reader: Reader, words: str, quotes: list[str]
) -> None:
    done = await reader.follow(
        NEEDY, f"1. Type `a` into **Name**.\n2. {words}\n3. Click **Create**."
    )
    missing = [d.quote for _, d in done.divergences() if d.kind is DivergenceKind.MISSING_STEP]
    assert missing == quotes
    assert await reader.value("window.sent")


TRANSFER = """
<main><h1>Add listener</h1><form onsubmit="event.preventDefault(); window.sent = list()">
<fieldset><legend>Targets</legend>
<ul role="listbox" aria-label="Available" aria-multiselectable="true" id="from">
  <li role="option" tabindex="0" aria-selected="false">web-1</li>
  <li role="option" tabindex="0" aria-selected="false">web-2</li></ul>
<button type="button" id="add" disabled>Add</button>
<ul role="listbox" aria-label="Selected" aria-multiselectable="true" id="to"></ul></fieldset>
<button type="submit">Add</button></form></main>
<script>
const chosen = () => [...from.children].filter(e => e.ariaSelected === "true");
const list = () => [...to.children].map(e => e.textContent).join();
from.onclick = event => { event.target.ariaSelected = "true"; add.disabled = false; };
add.onclick = () => { to.append(...chosen()); add.disabled = true; };
</script>
"""


@pytest.mark.parametrize(
    "words",
    [
        "Under **Targets**, select the instance in the list of what is there, and select **Add**.",
        "Under **Targets**, select the instance.",
        "In the **Available** list, select the instance, then click **Add**.",
    ],
)
async def test_what_is_moved_between_lists_is_moved_once(reader: Reader, words: str) -> None:
    steps = f"1. {words}\n2. Click **Add** at the bottom of the form."
    await reader.follow(TRANSFER, steps, instance="web-2")
    assert await reader.value("[list(), window.sent]") == ["web-2", "web-2"]


def test_a_dialog_named_after_its_noun_is_expected() -> None:
    text = "# T\n\n1. Click **A**. The dialog **New account** opens.\n2. Click **B**.\n"
    plan = read_procedure(parse_document(text, "docs/a.md", "markdown").procedures[0])
    said = [(i.kind.value, i.label.text) for i in plan if i.label]
    assert said == [("open", "A"), ("expect_open", "New account"), ("open", "B")]


MENU = """
<nav aria-label="Products"><section><h3>Storage</h3><a href="#b">Buckets</a></section>
<section><h3>Networking</h3><a href="#d" onclick="window.went=1">Disks</a></section></nav>
<main><h1>Home</h1></main>
"""


@pytest.mark.parametrize(("heading", "kinds"), [("Storage", ["moved_control"]), ("Networking", [])])
async def test_an_entry_is_looked_for_below_its_heading(
    reader: Reader, heading: str, kinds: list[str]
) -> None:
    done = await reader.follow(MENU, f"1. Open **{heading}** > **Disks**.\n2. Click **Disks**.")
    assert await reader.value("window.went") == 1
    assert [d.kind.value for _, d in done.divergences()] == kinds


DRAWER = """
<main><h1>Backups</h1><button onclick="box.hidden = false">Open</button>
<form id="box" hidden role="dialog" aria-modal="true" aria-label="New backup"
  onsubmit="event.preventDefault(); window.sent = (window.sent || 0) + 1">
<label>Name <input></label><button type="button" onclick="box.hidden = true">Cancel</button>
<button type="submit">Create backup</button></form></main>
"""


async def test_a_form_is_not_sent_for_bearing_the_name_of_its_panel(reader: Reader) -> None:
    steps = "1. Click **Open**. The panel **Create backup** opens.\n2. Click **Cancel**."
    await reader.follow(DRAWER, steps)
    assert await reader.value("window.sent || 0") == 0


@pytest.mark.parametrize("title", ["Append backup", "New entry"])
async def test_a_panel_of_another_title_than_the_button_that_opened_it(
    reader: Reader, title: str
) -> None:
    page = DRAWER.replace("New backup", title).replace("hidden = false", "hidden = !box.hidden")
    page = page.replace(">Open<", ">Add backup<").replace(">Create backup<", ">Add backup<")
    page = page.replace("preventDefault();", "preventDefault(); box.hidden = true;")
    steps = "1. Click **Add backup**.\n2. In the **Add backup** panel, enter `b1` in **Name**.\n"
    steps += "3. Click **Add backup**."
    done = await reader.follow(page, steps)
    assert told(done) == [("renamed_label", "Add backup")]
    assert await reader.value("window.sent") == 1


def kinds(done: Trajectory) -> list[DivergenceKind]:
    return [divergence.kind for _, divergence in done.divergences()]


TURNED = """
<main><h1>Launch</h1>
<form onsubmit="return false">
  <div id="one"><label>Key <input id="key"></label></div>
  <div id="two" hidden><label>Network <input id="network"></label></div>
  <button type="button" onclick="one.hidden = true; two.hidden = false">Next</button>
</form></main>
"""


async def test_pages_of_a_wizard_that_come_in_another_order_without_titles(reader: Reader) -> None:
    start = '<p id="start"><button onclick="start.remove(); rest.hidden=false">Next</button></p>'
    html = f'{start}<div id="rest" hidden>{TURNED}</div>'
    steps = (
        "1. Click **Next**.\n2. In the **Network** field, enter `n1`. Click **Next**.\n"
        "3. In the **Key** field, enter `k1`. Click **Next**."
    )
    done = await reader.follow(html, steps)
    assert await reader.value("[network.value, key.value]") == ["n1", "k1"]
    assert kinds(done) == [DivergenceKind.WRONG_ORDER]


async def test_what_the_navigation_shows_is_no_page_of_a_wizard(reader: Reader) -> None:
    html = """<nav><a href="#" onclick="window.left = true">Network</a></nav>""" + TURNED
    steps = (
        "1. 单击**Go**。\n2. 在**网络**步骤，选择**Network**，单击**Next**。\n"
        "3. 在**Key**中输入`k1`，单击**Next**。"
    )
    html = html.replace("<h1>Launch</h1>", "<h1>Launch</h1><button>Go</button>")
    html = html.replace('<input id="network">', '<select id="network"><option>n1</select>')
    done = await reader.follow(html, steps)
    assert kinds(done) == [DivergenceKind.WRONG_ORDER]
    assert await reader.value("window.left") is None


async def test_the_first_step_of_a_wizard_is_blamed_by_the_name_that_the_text_gives_it(
    reader,
) -> None:
    start = '<p id="start"><button onclick="start.remove(); rest.hidden=false">Create</button></p>'
    html = f'{start}<div id="rest" hidden>{TURNED}</div>'
    steps = (
        "1. Click **Create**.\n2. In the first step, **Basics**, specify the following:\n"
        "   - **Network**: enter `n1`.\n3. Click **Next**.\n"
        "4. In the **Key** field, enter `k1`. Click **Next**."
    )
    done = await reader.follow(html, steps)
    assert await reader.value("[network.value, key.value]") == ["n1", "k1"]
    ((_, found),) = done.divergences()
    assert (found.kind, found.quote) == (DivergenceKind.WRONG_ORDER, "Basics")


PORT = """
<main><h1>{title}</h1><button>Begin</button>
<form onsubmit="return false"><label>Port <input id="port" value="9090"></label></form></main>
"""
PORT_STEPS = "1. Click **Begin**.\n2. Change the **Port** to `8443`. The default is 8080."


async def test_a_default_that_is_told_behind_the_value_is_held_against_the_form(reader) -> None:
    done = await reader.follow(PORT.format(title="Create listener"), PORT_STEPS)
    assert await reader.value("port.value") == "8443"
    assert kinds(done) == [DivergenceKind.CHANGED_DEFAULT]


async def test_what_is_edited_has_its_own_value_and_not_the_default(reader: Reader) -> None:
    done = await reader.follow(PORT.format(title="Edit listener"), PORT_STEPS)
    assert list(done.divergences()) == []


async def test_a_field_called_optional_that_the_console_requires(reader: Reader) -> None:
    html = """<main><h1>Create</h1><button>Begin</button><form onsubmit="return false">
    <label>Description <input id="about" required></label></form></main>"""
    table = "   | Field | Text |\n   |--|--|\n   | **Description** | Optional. Enter `x`. |"
    steps = f"1. Click **Begin**.\n2. Enter:\n\n{table}"
    done = await reader.follow(html, steps)
    assert await reader.value("about.value") == "x"
    assert kinds(done) == [DivergenceKind.MISSING_STEP]


async def test_a_field_is_not_taken_for_another_that_the_text_names_itself(reader: Reader) -> None:
    html = """<main><h1>Add check</h1><button>Begin</button><form onsubmit="return false">
    <label>Health check path <input id="path"></label></form></main>"""
    steps = (
        "1. Click **Begin**.\n2. Set **Health check interval** to `20`.\n"
        "3. Enter `/ok` in the **Health check path** field."
    )
    done = await reader.follow(html, steps)
    assert await reader.value("path.value") == "/ok"
    assert kinds(done) == [DivergenceKind.MISSING_CONTROL]


DISKS = """
<main><h1>Disks</h1><button onclick="window.made = 1">Create volume</button>
<label>Type <select><option>All<option>Performance</select></label></main>
"""


async def test_the_only_button_that_makes_such_a_thing_has_another_name(reader: Reader) -> None:
    done = await reader.follow(DISKS, "1. Click **Create disk**.\n2. Choose **Performance**.")
    assert await reader.value("window.made") == 1
    assert kinds(done) == [DivergenceKind.RENAMED_LABEL]


async def test_a_button_that_makes_something_else_is_not_it(reader: Reader) -> None:
    done = await reader.follow(DISKS, "1. Click **Create network**.\n2. Choose **Performance**.")
    assert await reader.value("window.made || 0") == 0
    assert kinds(done) == [DivergenceKind.MISSING_CONTROL]


async def test_a_name_to_be_typed_where_nothing_is_asked_any_more(reader: Reader) -> None:
    html = """<main><h1>b1</h1><button onclick="box.hidden = false">Delete</button></main>
    <div role="dialog" aria-modal="true" aria-label="Delete bucket" id="box" hidden>
    <p>Really?</p><button onclick="box.hidden = true">Delete</button></div>"""
    steps = (
        "1. Click **Delete**.\n2. In the **Delete bucket** dialog, type the name of the bucket to "
        "confirm, and click **Delete**."
    )
    done = await reader.follow(html, steps, bucket="b1")
    assert kinds(done) == [DivergenceKind.EXTRA_STEP]


async def test_what_is_left_as_it_is_says_what_it_is(reader: Reader) -> None:
    html = """<main><h1>Create disk</h1><button>Begin</button><form onsubmit="return false">
    <label>Zone <select><option>Zone A<option selected>Zone B</select></label>
    <label>Type <select><option>Standard<option>Fast</select></label></form></main>"""
    steps = "1. Click **Begin**.\n2. Leave **Zone** at **Zone A** and **Type** as it is."
    done = await reader.follow(html, steps)
    assert kinds(done) == [DivergenceKind.CHANGED_DEFAULT]


MOVED = """
<main><h1>Create</h1><form onsubmit="return false">
  <div id="one"><label>Name <input id="called"></label></div>
  <div id="two" hidden>
  <label>Key <input id="key"></label><label>Size <input id="size"></label></div>
  <button type="button" onclick="one.hidden = true; two.hidden = false">Next</button>
</form></main>
"""


async def test_a_field_that_the_wizard_asks_for_on_a_later_page(reader: Reader) -> None:
    steps = (
        "1. Enter `n1` in the **Name** field.\n2. Enter `5` in the **Size** field.\n"
        "3. Click **Next**.\n4. Enter `k1` in the **Key** field."
    )
    done = await reader.follow(MOVED, steps)
    assert await reader.value("[called.value, size.value, key.value].join()") == "n1,5,k1"
    assert kinds(done) == [DivergenceKind.MOVED_CONTROL]


async def test_a_field_that_the_wizard_has_asked_for_on_an_earlier_page(reader: Reader) -> None:
    steps = (
        "1. Click **Next**.\n2. Enter `k1` in the **Key** field.\n"
        "3. Enter `n1` in the **Name** field."
    )
    done = await reader.follow(MOVED, steps)
    assert await reader.value("key.value") == "k1"
    assert kinds(done) == [DivergenceKind.MOVED_CONTROL]


@pytest.mark.parametrize(
    "steps",
    [
        "1. Click **Next**.\n2. Enter `k1` in the **Key** field.\n"
        "3. For **Tell by**, select the **Text message** check box.",
        "1. 单击**Next**。\n2. 在**Key**中输入`k1`。\n3. **Tell by**勾选**Text message**。",
    ],
)
async def test_boxes_that_the_wizard_has_asked_for_on_an_earlier_page(
    reader: Reader, steps: str
) -> None:
    boxes = "<fieldset><legend>Tell by</legend><label><input type=checkbox> Text message</label>"
    page = MOVED.replace('id="called"></label>', f'id="called"></label>{boxes}</fieldset>')
    done = await reader.follow(page, steps)
    assert told(done) == [("moved_control", "Tell by")]


@pytest.mark.parametrize(
    ("is_there", "finding"), [(True, "moved_control"), (False, "missing_control")]
)
async def test_a_choice_that_the_wizard_asks_for_on_a_later_page_is_no_entry_of_the_navigation(
    reader: Reader, is_there: bool, finding: str
) -> None:
    store = "<label>Store <select><option>s1</select></label>" if is_there else ""
    page = MOVED.replace("<label>Key", f"{store}<label>Key")
    page = """<nav><a href="#" onclick="window.left = 1">Store</a></nav>""" + page
    steps = (
        "1. In the **Start** step, select **Store**, and enter `n1` in the **Name** field.\n"
        "2. Click **Next**.\n3. Enter `k1` in the **Key** field."
    )
    done = await reader.follow(page.replace("<h1>", "<h2>Start</h2><h1>"), steps)
    assert await reader.value("[window.left, called.value, key.value].join()") == ",n1,k1"
    assert told(done) == [(finding, "Store")]


@pytest.mark.parametrize(
    ("field", "finding"), [("Name", "moved_control"), ("Colour", "missing_control")]
)
async def test_what_may_be_left_has_moved_where_another_page_has_asked_for_it(
    reader: Reader, field: str, finding: str
) -> None:
    steps = f"1. Click **Next**.\n2. Enter `k1` in **Key**.\n3. Optional: change the **{field}**."
    done = await reader.follow(MOVED, steps)
    assert told(done) == [(finding, field)]


async def test_a_field_that_no_page_of_the_wizard_has(reader: Reader) -> None:
    steps = (
        "1. Enter `n1` in the **Name** field.\n2. Enter `5` in the **Colour** field.\n"
        "3. Click **Next**.\n4. Enter `k1` in the **Key** field."
    )
    done = await reader.follow(MOVED, steps)
    assert kinds(done) == [DivergenceKind.MISSING_CONTROL]


SUGGESTING = """
<main><h1>Create alarm</h1><button>Begin</button><form onsubmit="return false">
<label for="metric">Metric</label>
<input id="metric" role="combobox" aria-expanded="false" aria-controls="list" autocomplete="off">
<ul id="list" role="listbox" hidden><li role="option">Memory</li><li role="option">Disk</li></ul>
</form></main>
<script>
const open = (is) => { list.hidden = !is; metric.setAttribute("aria-expanded", String(is)); };
metric.onfocus = metric.onclick = () => open(true);
metric.oninput = () => { open(true); for (const li of list.children)
  li.hidden = !li.textContent.startsWith(metric.value); };
list.onclick = (e) => { metric.value = window.taken = e.target.textContent; open(false); };
</script>
"""


async def test_where_an_option_is_gone_the_reader_goes_on_with_another(reader: Reader) -> None:
    steps = "1. Click **Begin**.\n2. In the **Metric** field, choose **Processor**."
    done = await reader.follow(SUGGESTING, steps)
    assert kinds(done) == [DivergenceKind.CHANGED_OPTION]
    assert await reader.value("window.taken") == "Memory"


LONG = """
<main><h1>Disks</h1><table><thead><tr><th>Name</th><th>State</th><th></th></tr></thead>
<tbody id="rows"></tbody></table></main>
<script>
rows.innerHTML = Array.from({ length: 2000 }, (_, n) =>
  `<tr><td><a href="#">disk-${n}</a></td><td>Ready</td><td><button>Delete</button></td></tr>`
).join('');
rows.onclick = (event) => {
  window.deleted = [...(window.deleted || []), event.target.closest('tr').cells[0].textContent];
};
</script>
"""


@pytest.mark.parametrize("disk", ["disk-3", "disk-1734"])
async def test_the_row_that_a_long_list_keeps_back(reader: Reader, disk: str) -> None:
    done = await reader.follow(LONG, "1. In the row of the disk, click **Delete**.", disk=disk)
    assert await reader.value("window.deleted") == [disk]
    assert list(done.divergences()) == []


async def test_a_row_that_no_long_list_has(reader: Reader) -> None:
    await reader.follow(LONG, "1. In the row of the disk, click **Delete**.", disk="disk-x")
    assert await reader.value("window.deleted || []") == []


DRAWN = """
<style>#list{display:none;position:absolute;left:8px;width:300px;background:#fff}
#list div{height:36px}</style>
<main><h1>Add record</h1><form onsubmit="window.sent=v.value;return false">
<div id="t" role="combobox" aria-label="Record type" tabindex="0" style="width:300px;height:28px"
 onclick="list.style.top=t.getBoundingClientRect().bottom+'px';
 list.style.display='block'">A</div>
<p><label>Value <input id="v"></label></p><button>Save</button></form></main>
<div id="list"><div tabindex="0" onclick="pick(this)">A</div>
<div tabindex="0" onclick="pick(this)">AAAA</div>
<div tabindex="0" onclick="pick(this)">MX</div></div>
<script>function pick(e){document.querySelector('#t').textContent=e.textContent;
e.parentNode.style.display='none'}</script>
"""


async def test_a_drawn_list_without_the_option_is_not_left_open_over_the_form(
    reader: Reader,
) -> None:
    steps = (
        "1. From the **Record type** list, choose **CNAME**.\n"
        "2. Enter `x.example` in **Value**.\n3. Click **Save**."
    )
    done = await reader.follow(DRAWN, steps)
    assert told(done) == [("changed_option", "CNAME")]
    assert await reader.value("window.sent") == "x.example"


PAGES = """
<main><h1>Create alarm</h1><form onsubmit="return false">
<div id="p1"><label>Threshold <input id="t"></label>
<button type="button" onclick="p1.hidden=true;p2.hidden=false">Next</button></div>
<div id="p2" hidden><h2>Whom to tell</h2><label>Contact <input></label>
<button type="button" onclick="p2.hidden=true;p3.hidden=false">Next</button></div>
<div id="p3" hidden><h2>Overview</h2><p>All is well.</p>
<button onclick="window.made=true">Create alarm</button></div></form></main>
"""


async def test_a_field_that_no_page_of_a_wizard_has_is_missing_and_not_out_of_order(
    reader: Reader,
) -> None:
    steps = (
        "1. Fill in the form:\n\n   - **Comparison**: choose **Above**.\n   - **Threshold**: `90`\n"
        "\n2. Click **Next**.\n3. In the **Whom to tell** step, enter `kim` in **Contact**.\n"
        "4. Click **Next**, and then **Create alarm**."
    )
    done = await reader.follow(PAGES, steps)
    assert told(done) == [("missing_control", "Comparison")]
    assert await reader.value("window.made")


async def test_a_form_that_only_a_heading_names_is_not_missing(reader: Reader) -> None:
    text = "## The Promote tab\n\n- **Slug:** A part of the address.\n- **Title:** A line.\n"
    page = "<main><h1>Pages</h1><button>Add page</button><label>Title <input></label></main>"
    done = await reader.follow(page, text)
    assert told(done) == []
    assert [r.status for r in done.reports()][:2] == [StepStatus.STUCK, StepStatus.UNREACHED]
