"""Cards whose buttons show when the pointer comes near, switches, parts of a page that unfold."""

import pytest

from appliance.core.actions import Click
from appliance.core.verdict import Basis, DivergenceKind, StepStatus
from appliance.documents import parse_document
from tests.policy.policy_reader import Reader, thoughts, told

_CARDS = """<style>.card{width:240px;height:80px;position:relative;border:1px solid}
.acts{opacity:0;position:absolute;inset:0}.card:hover .acts{opacity:1}</style>
<p id=o></p><button onclick="d.hidden = false">Add strategy</button>
<div id=d hidden role=dialog aria-modal=true aria-label="Add strategy">
<button>All</button>
<div class=card><div><span>Gradual rollout</span><p>To some of your users.</p></div>
<div class=acts><button onclick="o.textContent += 'gradual '">Configure</button></div></div>
<div class=card><div><span>Standard</span><p>On or off for all.</p></div>
<div class=acts><button onclick="o.textContent += 'standard '">Configure</button></div></div>
</div>"""


@pytest.mark.parametrize(
    ("step", "went"),
    [
        ("select **Standard**, and click **Configure**", "standard "),
        ("select **Gradual rollout**, and click **Configure**", "gradual "),
        ("select your desired strategy type, and click **Configure**", "gradual "),
    ],
)
async def test_a_card_is_chosen_by_its_own_button(reader: Reader, step: str, went: str) -> None:
    done = await reader.follow(_CARDS, f"1. Click **Add strategy**, {step}.")
    assert (await reader.value("o.textContent"), told(done)) == (went, [])


_FLAG = """<p id=o></p><h1>dark-mode</h1>
<button aria-expanded=false
 onclick="ariaExpanded = 'true'; a.hidden = false">Environment dev</button>
<label>dev <input type=checkbox role=switch
 onchange="o.textContent += 'dev ' + checked"></label>
<div id=a hidden><button onclick="o.textContent += 'in dev'">Add strategy</button></div>
<button aria-expanded=false
 onclick="ariaExpanded = 'true'; b.hidden = false">Environment prod</button>
<label>prod <input type=checkbox role=switch checked
 onchange="o.textContent += 'prod ' + checked"></label>
<div id=b hidden><button onclick="o.textContent += 'in prod'">Add strategy</button></div>
<script>a.hidden = b.hidden = false</script>"""


@pytest.mark.parametrize(
    ("step", "environment", "went"),
    [
        ("Use the main environment toggle to enable the flag.", "dev", "dev true"),
        ("Toggle the environment you want to enable.", "dev", "dev true"),
        ('Toggle the flag to the "off" position in the prod environment.', "", "prod false"),
        ("Toggle the environment.", "dev", ""),
        ("Select the environment and click **Add strategy**.", "prod", "in prod"),
        ("Select the environment and click **Add strategy**.", "dev", "in dev"),
        ("Select the [environment](/environments) that you want, and click **Add strategy**.",
         "", "in dev"),
        ("Open the strategy that you want to change.", "dev", ""),
    ],
)  # fmt: skip
async def test_switches_and_parts_are_those_of_the_thing(
    reader: Reader, step: str, environment: str, went: str
) -> None:
    given = {"environment": environment} if environment else {}
    done = await reader.follow(_FLAG, f"1. {step}", flag="dark-mode", **given)
    assert (await reader.value("o.textContent"), told(done)) == (went, [])


_NAMED = """<p id=o></p><button aria-expanded=true>Environment dev</button>
<div><button aria-label='Edit strategy for "dev"' onclick="o.textContent = 'dev'">x</button></div>
<button aria-expanded=true>Environment prod</button>
<div><button aria-label='Edit strategy for "prod"' onclick="o.textContent = 'prod'">x</button>
</div>"""


@pytest.mark.parametrize("label", ["Edit strategy for `<name>`", "Edit strategy for 'environment'"])
async def test_a_part_of_a_label_stands_for_a_name(reader: Reader, label: str) -> None:
    steps = f"1. Choose the environment you want to edit.\n2. Click **{label}**."
    done = await reader.follow(_NAMED, steps, environment="prod")
    assert (await reader.value("o.textContent"), told(done)) == ("prod", [])
    done = await reader.follow(_NAMED, f"1. Click **{label}**.")
    assert (await reader.value("o.textContent"), told(done)) == ("", [])  # which one is left open


def test_bold_around_a_placeholder_is_one_label() -> None:
    text = "# T\n\n1. Click **Edit `<name>` now**.\n2. Click **Run `ls`**.\n"
    steps = parse_document(text, "a.md", "markdown").procedures[0].walk()
    labels = [[i.text for i in s.labels()] for step in steps for s in step.body]  # type: ignore[union-attr]
    assert labels == [["Edit <name> now"], []]


_FORM = """<p id=o></p><div role=tablist><button role=tab aria-selected=true>General</button>
<button role=tab>Targeting 0</button><button role=tab>Variants 0</button></div>
<form onsubmit="o.textContent = 'sent'; return false"><label>Rollout percentage
<input type=number value=50></label><button>Save</button></form>"""


@pytest.mark.parametrize(
    ("step", "is_understood"),
    [
        ("Configure your rollout, targeting, and variants, then click **Save**.", True),
        ("Select your rollout percentage and click **Save**.", True),
        ("Configure the firewall and the routes, then click **Save**.", False),
    ],
)
async def test_what_the_text_leaves_open_stays_as_it_is(
    reader: Reader, step: str, is_understood: bool
) -> None:
    done = await reader.follow(_FORM, f"1. {step}")
    notes = [report.note for turn in done.turns for report in turn.decision.reports]
    assert told(done) == []
    assert any("not understood" in note for note in notes) is not is_understood


_VARIANTS = """<p id=o></p><form onsubmit="return false">
<button type=button onclick="const l = document.createElement('label'); l.innerHTML =
 'Variant name <input required>'; this.after(l)">Add variant</button>
<button onclick="o.textContent = [...new Set([...document.querySelectorAll('input')].map((i) =>
 i.value))].length">Save</button></form>"""


async def test_one_more_of_the_same_is_filled_in_as_the_first(reader: Reader) -> None:
    steps = (
        "1. Click **Add variant**.\n2. Enter the variant name.\n"
        "3. Click **Add variant** again to add another one.\n4. Click **Save**."
    )
    done = await reader.follow(_VARIANTS, steps)
    assert (await reader.value("o.textContent"), told(done)) == ("2", [])


async def test_a_name_that_was_typed_is_not_that_of_another_kind_of_thing(reader: Reader) -> None:
    html = "<form><label>Segment name <input></label><button>Create segment</button></form>"
    steps = (
        "1. Enter a **Segment name**.\n2. (Optional) Select a project.\n"
        "3. Click **Create segment**."
    )
    done = await reader.follow(html, steps)
    assert [r.status for t in done.turns for r in t.decision.reports if r.step == "2"] == [
        StepStatus.SKIPPED
    ]
    assert isinstance(done.turns[-2].decision.action, Click), thoughts(done)


_DRAWER = """<p id=o></p><form role=dialog aria-label="Edit" onsubmit="this.remove(); return false">
<label>Name <input value=VIP></label><button>Save</button></form>"""


@pytest.mark.parametrize(
    ("named", "basis"),
    [("the Edit Group button", Basis.PLACE), ("Edit Group", Basis.DOUBTFUL)],
)
async def test_capitals_before_the_word_button_are_surely_a_name(
    reader: Reader, named: str, basis: Basis
) -> None:
    done = await reader.follow(
        _DRAWER, f"1. Edit the group's name.\n2. Click on {named}.", group="VIP"
    )
    assert [(d.kind, d.basis, d.suggestion) for _, d in done.divergences()] == [
        (DivergenceKind.RENAMED_LABEL, basis, "Save")
    ]


_CUSTOMER = """<p id=o></p><form onsubmit="o.textContent = 'sent'; return false">
<label>First name <input></label><label>Last name <input></label><label>Email <input></label>
<button>Create</button></form>"""


@pytest.mark.parametrize(
    ("fields", "told_of"),
    [
        ("first name, last name, email, and password", [("missing_control", Basis.ABSENT)]),
        ("details, last name, and password", [("missing_control", Basis.DOUBTFUL)] * 2),
    ],
)
async def test_of_several_fields_one_is_missing_where_the_others_are_called_so(
    reader: Reader, fields: str, told_of: list[tuple[str, Basis]]
) -> None:
    text = f"1. In the form, enter the customer's {fields}.\n2. Click **Create**."
    done = await reader.follow(_CUSTOMER, text)
    assert [(d.kind, d.basis) for _, d in done.divergences()] == told_of


_EITHER = """<p id=o></p><button onclick="o.textContent = 'applied'">Apply</button>
<button onclick="o.innerHTML = '<button role=tab>Targeting</button>'">Configure</button>"""


@pytest.mark.parametrize(
    ("step", "told_of"),
    [
        ("Click **Apply** or **Configure**.", []),
        ("Click **Apply**.", [("missing_control", "Targeting")]),
    ],
)
async def test_what_follows_may_be_for_the_other_of_two(
    reader: Reader, step: str, told_of: list[tuple[str, str]]
) -> None:
    done = await reader.follow(
        _EITHER, f"1. {step}\n2. In the **Targeting** tab, click **Add constraint**."
    )
    assert told(done) == told_of


_UNTITLED = """<p id=o></p><div role=dialog id=d><table><tr><td><input type=checkbox></td>
<td>asha@shop.example</td></tr></table><div><button>Cancel</button>
<button style="background:#18181b" onclick="d.remove(); o.textContent = 'sent'">Save</button>
</div></div>"""


async def test_a_dialog_without_a_title_is_sent_by_its_main_button(reader: Reader) -> None:
    text = "1. Check the box next to the customer.\n2. Click on the Add button."
    done = await reader.follow(_UNTITLED, text, customer="asha@shop.example")
    assert (await reader.value("o.textContent"), told(done)) == ("sent", [("renamed_label", "Add")])


_FILTERS = """<h1>Flags</h1><button onclick="show('new-checkout')">Active flags 1</button>
<button onclick="show('old-banner')">Archived 1</button><table><tbody id=t></tbody></table>
<p id=o></p><script>function show(name) { t.innerHTML = `<tr><td>${name}</td><td>
<button onclick="o.textContent = '${name}'">Revive</button></td></tr>` }
show('new-checkout')</script>"""


async def test_what_shows_the_thing_that_is_spoken_of_next_was_meant(reader: Reader) -> None:
    text = "1. Click **View archived flags**.\n2. Find the flag you want and click **Revive**."
    done = await reader.follow(_FILTERS, text, flag="old-banner")
    assert await reader.value("o.textContent") == "old-banner"
    assert told(done) == [("renamed_label", "View archived flags")]


async def test_what_a_missing_section_holds_is_found_without_it(reader: Reader) -> None:
    html = "<p id=o></p><button onclick=\"o.textContent = 'adds'\">Add tag</button>"
    text = "1. Go to the **Tags for this flag** section.\n2. Click **Add tag**."
    done = await reader.follow(html, text)
    assert await reader.value("o.textContent") == "adds"
    assert told(done) == [("missing_control", "Tags for this flag")]


async def test_what_somebody_has_is_not_he(reader: Reader) -> None:
    html = "<h1>ben</h1><h2>Orders</h2><p>None yet.</p>"
    text = (
        "1. Go to the customer's details page.\n"
        "2. Find the customer's orders under the **Orders** section."
    )
    done = await reader.follow(html, text, customer="ben")
    statuses = [r.status for t in done.turns for r in t.decision.reports]
    assert statuses == [StepStatus.AS_WRITTEN] * 2


_ASKS = """<p id=o></p><label>prod <input type=checkbox role=switch checked
onchange="d.hidden = false"></label><div role=dialog id=d hidden aria-label="Disable environment">
<p>WARNING. You are about to make changes.</p><div><button onclick="d.remove()">Cancel</button>
<button style="background:#6c65e5" onclick="d.remove(); o.textContent = 'off'">Disable environment
</button></div></div>"""


async def test_a_switch_may_ask_a_question(reader: Reader) -> None:
    done = await reader.follow(_ASKS, "1. Turn off **prod**.")
    assert (await reader.value("o.textContent"), told(done)) == ("off", [("missing_step", "prod")])


_MENU = """<h1>Shirt</h1><button aria-haspopup=menu onclick="m.hidden = false">Actions</button>
<div role=menu id=m hidden><button role=menuitem onclick="f.hidden = false; m.hidden = true">Edit
</button><button role=menuitem>Delete</button></div>
<form id=f hidden onsubmit="o.textContent = 'sent'; return false"><label>Title <input></label>
<button>Save</button></form><p id=o></p>"""


async def test_the_only_entry_that_edits_is_taken_for_what_edits(reader: Reader) -> None:
    text = (
        "1. Click **Actions**.\n2. Choose **Edit General Information** from the menu.\n"
        "3. Enter a **Title**.\n4. Click **Save**."
    )
    done = await reader.follow(_MENU, text)
    assert await reader.value("o.textContent") == "sent"
    assert told(done) == [("renamed_label", "Edit General Information")]


_SURE = """<p id=o></p><button onclick="d.hidden = false">Refresh</button>
<div role=alertdialog aria-modal=true id=d hidden aria-label="Are you sure?">
<p>It takes a minute.</p><div><button onclick="d.remove()">Cancel</button>
<button style="background:#c00" onclick="d.remove(); o.textContent = 'gone'">Refresh it</button>
</div></div>"""


async def test_what_answers_a_question_may_be_called_otherwise(reader: Reader) -> None:
    text = "1. Click **Refresh**.\n2. Click **Yes, confirm**."
    done = await reader.follow(_SURE, text)
    assert await reader.value("o.textContent") == "gone"
    assert told(done) == [("renamed_label", "Yes, confirm")]


_FOLDED_NAVIGATION = """<nav>
<button aria-expanded=true onclick="p.hidden = !p.hidden">Project</button><div id=p>
<button aria-expanded=false onclick="c.hidden = !c.hidden">Compute</button>
<div id=c hidden><a href="#k" onclick="o.textContent = 'keys'">Key Pairs</a></div></div>
<a href="#i">Projects</a></nav><main><h1>Home</h1><p id=o></p></main>"""


async def test_parts_of_the_navigation_may_be_called_tabs(reader: Reader) -> None:
    text = "1. On the **Project** tab, open the **Compute** tab.\n2. Click the **Key Pairs** tab."
    done = await reader.follow(_FOLDED_NAVIGATION, text)
    assert await reader.value("o.textContent") == "keys"
    assert told(done) == []


async def test_what_unfolds_the_navigation_is_no_tab_with_fields(reader: Reader) -> None:
    html = (
        '<nav><button aria-expanded=false onclick="o.textContent = 1">Settings</button></nav>'
        "<main><h1>Home</h1><p id=o></p><input aria-label=Search></main>"
    )
    text = (
        "In the **Settings** tab you will find:\n\n- **Go live**: When.\n- **Expiry**: Until when."
    )
    anywhere = Reader(reader.page, reader.folder, start_is_known=False)
    done = await anywhere.follow(html, f"## The settings tab\n\n{text}")
    assert told(done) == []


@pytest.mark.parametrize(("tag", "held"), [("list=l", 0), ("", 1)])
async def test_a_grey_button_may_wait_for_what_a_list_did_not_take(
    reader: Reader, tag: str, held: int
) -> None:
    html = (
        f"<div role=dialog aria-label=Tags><label>Value <input {tag}></label>"
        "<datalist id=l></datalist><button disabled>Save tags</button></div>"
    )
    done = await reader.follow(html, "1. Enter a value.\n2. Click **Save tags**.")
    assert len(told(done)) == held


@pytest.mark.parametrize(("row", "told_of"), [("db-1", 1), ("web-9", 0)])
async def test_a_state_is_that_of_the_thing_where_it_is_listed(
    reader: Reader, row: str, told_of: int
) -> None:
    html = f"<button>Refresh</button><table><tr><td>{row}</td><td>Off</td></tr></table>"
    text = "1. Click **Refresh**.\n\nThe state of the instance changes to **Running**."
    done = await reader.follow(html, text, instance="db-1")
    assert len(told(done)) == told_of


_VOLUME = """<h1>Add a volume</h1><p id=o></p><form onsubmit="return false">
<label>Name <input></label><label>Read only <input type=checkbox checked
 onchange="o.textContent += 'ro ' + checked"></label><label>Use NFS <input type=checkbox
 role=switch onchange="o.textContent += 'nfs ' + checked"></label><button>Create</button></form>"""


@pytest.mark.parametrize(
    ("nfs", "read_only", "went"),
    [
        ("Toggle this on.", "Turn this off.", "ro falsenfs true"),
        ("Enable this option.", "Untick this box.", "ro falsenfs true"),
        ("打开此开关。", "取消勾选", "ro falsenfs true"),
        ("Toggle this on to use NFS.", "Check this box if nothing is to be written.", ""),
    ],
)
async def test_a_field_table_says_what_a_switch_is_set_to(
    reader: Reader, nfs: str, read_only: str, went: str
) -> None:
    text = "1. Fill in the form:\n\n   | Field | Overview |\n   | --- | --- |\n"
    text += f"   | Read only | {read_only} |\n   | Use NFS | {nfs} |\n\n2. Click **Create**."
    done = await reader.follow(_VOLUME, text)
    assert (await reader.value("o.textContent"), told(done)) == (went, [])


_SCHEDULE = """<h1>Clean up</h1><form onsubmit="return false">
<label>Schedule <select><option>None<option>Hourly<option>Custom</select></label>
<label>Keep <input role=combobox aria-expanded=false></label><button>Save</button></form>"""


@pytest.mark.parametrize(
    ("lead", "found"),
    [
        ("Use the drop-down menu to select how often to run.", []),
        ("Fill in these fields:", ["missing_control", "missing_control"]),
    ],
)
async def test_what_there_is_to_choose_is_no_list_of_fields(
    reader: Reader, lead: str, found: list[str]
) -> None:
    text = f"1. {lead}\n   - **Hourly**: every hour.\n   - **Never**: not at all.\n"
    done = await reader.follow(_SCHEDULE, f"{text}\n2. Click **Save**.")
    assert [kind for kind, _ in told(done)] == found


_OFTEN = """<h1>Clean up</h1><form onsubmit="return false">
<label>Schedule <select><option>Hourly<option>Daily<option>Custom</select></label>
<button>Save</button></form>"""
_OFTEN_BY_RADIO = """<h1>Clean up</h1><form onsubmit="return false">
<fieldset><legend>Schedule</legend>
<label><input type=radio name=s>Hourly</label><label><input type=radio name=s>Daily</label>
<label><input type=radio name=s>Custom</label></fieldset><button>Save</button></form>"""


@pytest.mark.parametrize("page", [_OFTEN, _OFTEN_BY_RADIO])
@pytest.mark.parametrize(
    ("listed", "gone"),
    [
        ("Hourly,Daily,Weekly", ["Weekly"]),
        ("Hourly,Daily,Custom", []),
        ("Hourly,Nightly,Weekly", []),  # one alone may be of another list
    ],
)
async def test_a_choice_that_is_gone_is_told_where_the_others_are_offered(
    reader: Reader, page: str, listed: str, gone: list[str]
) -> None:
    choices = "".join(f"   - **{one}**: as it says.\n" for one in listed.split(","))
    text = f"1. Choose how often to run:\n{choices}\n2. Click **Save**."
    done = await reader.follow(page, text)
    assert [(kind, words) for kind, words in told(done)] == [("changed_option", g) for g in gone]
