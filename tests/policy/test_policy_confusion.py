"""A reader who may be on the wrong page holds nothing against it, and guesses only aloud."""

import pytest

from appliance.core.verdict import Severity, StepStatus
from appliance.verification.trajectory import Trajectory
from tests.policy.policy_reader import Reader, told

# A console of links: each shows a page of its own, or does nothing at all.
SITE = """
<nav aria-label="Main"><a href="#zones" id="zones">Zones</a> <a href="#" id="dead">Mail</a></nav>
<main><h1 id="title">Dashboard</h1><p>Welcome</p><div id="here"><button>Add</button></div></main>
<script>
document.getElementById('dead').onclick = (event) => event.preventDefault()
zones.onclick = () => {
  title.textContent = 'Zones'; document.title = 'Zones'
  here.innerHTML = '<button onclick="asked.showModal()">Add</button>'
}
</script>
<dialog id="asked" aria-label="Add zone"><label>Domain <input></label>
<button type="submit">Save</button></dialog>
"""
UNREAD = "1. Frobnicate the wombat the way you always do."


def steps_of(done: Trajectory, status: StepStatus) -> list[str]:
    return list(dict.fromkeys(r.step for r in done.statuses(status)))


@pytest.mark.parametrize("label", ["Details", "Delegate a zone"])
async def test_after_what_was_not_understood_nothing_is_missing(reader: Reader, label: str) -> None:
    done = await reader.follow(SITE, f"{UNREAD}\n2. Click **{label}**.")
    assert told(done) == []
    assert steps_of(done, StepStatus.UNREACHED) == ["2"]
    done = await reader.follow(SITE, f"1. Click **{label}**.")
    assert told(done) == [("missing_control", label)]


async def test_a_choice_of_a_form_that_has_not_come_is_no_entry_of_the_navigation(
    reader: Reader,
) -> None:
    form = "2. In the **Records** step, select **Zones** and enter `a` in **Name**."
    done = await reader.follow(SITE, f"{UNREAD}\n{form}\n3. Click **Next**.")
    assert told(done) == []
    assert await reader.value("document.title") != "Zones"
    assert steps_of(done, StepStatus.UNREACHED) == ["2", "3"]


async def test_what_is_greyed_out_may_wait_for_what_was_not_understood(reader: Reader) -> None:
    form = "<main><h1>Zones</h1><button disabled>Save changes</button></main>"
    done = await reader.follow(form, "1. Under **Mail**, frobnicate.\n2. Click **Save changes**.")
    assert told(done) == []
    assert done.statuses(StepStatus.UNREACHED)[0].note == (
        "not reachable: step 1 was not understood"
    )
    done = await reader.follow(form, "1. Click **Save changes**.")
    assert told(done) == [("missing_control", "Save changes")]


@pytest.mark.parametrize("step", ["Click **Delegate a zone**.", "Open **Records** > **Delegate**."])
async def test_where_nobody_knows_the_start_nothing_is_missing_there(
    reader: Reader, step: str
) -> None:
    """The log-in of a console without an adapter leads to any page."""
    done = await reader_anywhere(reader).follow(SITE, f"1. {step}\n2. Enter `a` in **Name**.")
    assert told(done) == []
    assert steps_of(done, StepStatus.UNREACHED) == ["1", "2"]
    assert steps_of(done, StepStatus.STUCK) == []
    begin = "the text does not say on which page it begins"
    assert done.statuses(StepStatus.UNREACHED)[0].note.startswith(begin)


@pytest.mark.parametrize(
    "step",
    ["Click **Zones**.", "On the **Dashboard** page, click **Add**.", "Click **Zones** > **Add**."],
)
async def test_where_something_of_the_text_is_there_the_rest_is_missing(
    reader: Reader, step: str
) -> None:
    steps = f"1. {step}\n2. Click **Delegate a zone**."
    done = await reader_anywhere(reader).follow(SITE, steps)
    assert told(done) == [("missing_control", "Delegate a zone")]


def reader_anywhere(reader: Reader) -> Reader:
    return Reader(reader.page, reader.folder, start_is_known=False)


async def test_what_is_not_understood_is_quoted(reader: Reader) -> None:
    sentence = "Click to arrange the selector by User type to see filtering options."
    done = await reader.follow(SITE, f"1. {sentence.replace('User type', '**User type**')}")
    (skipped,) = done.statuses(StepStatus.SKIPPED)
    assert skipped.note == f'not understood: "{sentence}"'


async def test_a_filter_of_the_list_is_no_field_of_the_form_that_did_not_open(
    reader: Reader,
) -> None:
    page = """<h1>Records</h1><label>Record type <select><option>All<option>A<option>MX</select>
    </label><table><tr><th>Name</th></tr><tr><td>www</td></tr></table>
    <button onclick="more.hidden = false">Attach entry</button>"""
    text = """1. Click **Create record**.
2. From the **Record type** list, select **MX**.
3. Set **Priority** to `20`.
4. Click **Create**."""
    done = await reader.follow(page, text)
    assert told(done) == [("missing_control", "Create record")]
    assert steps_of(done, StepStatus.UNREACHED) == ["3", "4"]


FORM = "3. Click **Add**.\n4. Enter `red.example` in the **Domain name server** field."


async def test_a_word_that_is_on_every_page_is_no_sign_of_the_right_one(reader: Reader) -> None:
    """There is an "Add" on the dashboard, too."""
    page = SITE.replace("<button>Add</button>", "<button>Add</button><label>Colour <input></label>")
    done = await reader.follow(page, f"{UNREAD}\n2. Enter `a` in **Colour**.\n{FORM}")
    assert told(done) == []
    assert "4" in steps_of(done, StepStatus.UNREACHED)


@pytest.mark.parametrize(
    "seen_again",
    [
        "2. In the navigation, click **Zones**.\n3. Click **Add**.",
        "2. Click **Zones**.\n3. Click **Add**. The **Add zone** dialog opens.",
    ],
)
async def test_what_the_text_names_for_certain_ends_the_doubt(
    reader: Reader, seen_again: str
) -> None:
    steps = f"{UNREAD}\n{seen_again}\n4. Enter `a` in the **Frequency of changes** field."
    done = await reader.follow(SITE, steps)
    assert told(done) == [("missing_control", "Frequency of changes")]


@pytest.mark.parametrize(
    ("entry", "findings"), [("Mail", []), ("Zones", [("missing_control", "Delegate")])]
)
async def test_where_a_click_led_nowhere_nothing_is_missing(
    reader: Reader, entry: str, findings: list[tuple[str, str]]
) -> None:
    steps = f"1. In the navigation, click **{entry}**.\n2. Click **Delegate**."
    done = await reader.follow(SITE, steps)
    assert told(done) == findings
    assert ("2" in steps_of(done, StepStatus.UNREACHED)) is not findings


async def test_what_is_near_is_not_clicked_where_the_page_may_be_another(reader: Reader) -> None:
    page = SITE.replace("Add</button></div>", "Exporting reports</button></div>").replace(
        "<button>Exp", '<button onclick="window.went = 1">Exp'
    )
    await reader.follow(page, f"{UNREAD}\n2. Click **Export report**.")
    assert await reader.value("window.went") is None


# The words themselves are elsewhere on the page, and something like them is in sight.
TABS = """
<h1>Server</h1><div role="tablist"><button role="tab" aria-selected="true" id="t1"
 onclick="show(1)">General</button><button role="tab" aria-selected="false" id="t2"
 onclick="show(2)">Reports</button></div>
<div id="p1"><button onclick="window.went = 'near'">Export report as CSV</button></div>
<div id="p2" hidden><button onclick="window.went = 'exact'">Export report</button></div>
<script>function show(n) { for (const i of [1, 2]) {
  document.getElementById('p' + i).hidden = i !== n
  document.getElementById('t' + i).ariaSelected = String(i === n) } }</script>
"""
SECTION = """
<h1>Server</h1><button onclick="window.went = 'near'">Export report as CSV</button>
<button aria-expanded="false" onclick="this.ariaExpanded = 'true'; more.hidden = false"
>Advanced</button><div id="more" hidden>
<button onclick="window.went = 'exact'">Export report</button></div>
"""
DETAILS = """
<h1>Server</h1><button onclick="window.went = 'near'">Export report as CSV</button>
<details><summary>Advanced</summary>
<button onclick="window.went = 'exact'">Export report</button></details>
"""
MENU = """
<h1>Server</h1><button onclick="window.went = 'near'">Export report as CSV</button>
<button aria-haspopup="menu" aria-expanded="false" onclick="this.ariaExpanded = 'true';
 more.hidden = false">Actions</button><ul role="menu" id="more" hidden>
<li role="menuitem" tabindex="0" onclick="window.went = 'exact'">Export report</li></ul>
"""


@pytest.mark.parametrize("page", [TABS, SECTION, DETAILS, MENU])
async def test_the_words_themselves_come_before_what_is_like_them(
    reader: Reader, page: str
) -> None:
    done = await reader.follow(page, "1. Click **Export report**.")
    assert await reader.value("window.went") == "exact"
    assert [kind for kind, _ in told(done)] in (["moved_control"], ["missing_step"])
    twin = page.replace("Export report<", "Close<")
    done = await reader.follow(twin, "1. Click **Export report**.")
    assert await reader.value("window.went") == "near"
    assert told(done) == [("renamed_label", "Export report")]
    assert [d.is_guess for _, d in done.divergences()] == [True]


async def test_a_tab_that_holds_nothing_is_left_again(reader: Reader) -> None:
    page = TABS.replace("Export report<", "Close<")
    done = await reader.follow(page, "1. Click **Rotate logs**.")
    assert told(done) == [("missing_control", "Rotate logs")]
    assert await reader.value("t1.ariaSelected") == "true"


# The menu of a row, in which the entry has another name.
ROW = """
<h1>Buckets</h1><table><tr><th>Name</th><th>Actions</th></tr><tr><td>logs</td><td>
<button aria-haspopup="menu" aria-expanded="false" onclick="this.ariaExpanded = 'true';
 more.hidden = false">More</button><ul role="menu" id="more" hidden>
ENTRIES</ul></td></tr></table>
<dialog id="asked" aria-label="Edit versioning"><label><input type="checkbox"> Versioning</label>
<button type="submit" onclick="asked.close()">Save</button></dialog>
"""
STEPS = """1. In the row of the bucket, click **More** > **Edit versioning**.
2. In the **Edit versioning** dialog, turn on **Versioning**.
3. Click **Save**."""


def entry(name: str) -> str:
    click = f"window.went = '{name}'; more.hidden = true; asked.showModal()"
    return f'<li role="menuitem" tabindex="0" onclick="{click}">{name}</li>'


async def test_the_likeliest_entry_of_an_open_menu_is_tried(reader: Reader) -> None:
    entries = "".join(map(entry, ("Edit tags", "Versioning settings", "Delete")))
    done = await reader.follow(ROW.replace("ENTRIES", entries), STEPS, bucket="logs")
    assert await reader.value("window.went") == "Versioning settings"
    (_, noted) = next(done.divergences())
    assert (noted.kind, noted.suggestion) == ("renamed_label", "Versioning settings")
    assert noted.is_guess
    assert noted.box is None  # the picture is that of the click, where it is boxed
    assert len(told(done)) == 1
    assert steps_of(done, StepStatus.UNREACHED) == steps_of(done, StepStatus.STUCK) == []


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("Create alarm rule", "Set up alarm rule"),
        ("Add alarm rule", "Append alarm rule"),
        ("创建报警规则", "新增报警规则项"),
    ],
)
async def test_what_makes_the_same_is_tried(reader: Reader, label: str, shown: str) -> None:
    page = f"""<h1>Alarms</h1><button>Import alarm rule</button>
    <button onclick="box.hidden = false">{shown}</button><div role=dialog id=box hidden
    aria-modal=true aria-label="{label}"><label>Threshold <input></label></div>"""
    steps = f"1. Click **{label}**.\n2. Enter `5` in **Threshold**."
    if label > "\u4e00":
        steps = f"1. 单击**{label}**。\n2. 在**Threshold**中输入`5`。"
    done = await reader.follow(page, steps)
    (_, noted) = next(done.divergences())
    assert told(done) == [("renamed_label", label)]
    assert (noted.suggestion, noted.is_guess) == (shown, True)


async def test_what_is_imported_is_not_made_anew(reader: Reader) -> None:
    page = """<h1>Keys</h1><button onclick="box.hidden = false">Import key pair</button>
    <div role=dialog id=box hidden aria-modal=true><label>Comment <input></label></div>"""
    done = await reader.follow(page, "1. Click **Create key pair**.\n2. Enter `5` in **Comment**.")
    assert told(done) == [("missing_control", "Create key pair")]


@pytest.mark.parametrize(
    "names",
    [
        ("Edit tags", "Delete"),
        ("Edit tags", "Delete versioning"),
    ],
)
async def test_nothing_is_tried_that_is_not_likely_or_may_harm(
    reader: Reader, names: tuple[str, ...]
) -> None:
    page = ROW.replace("ENTRIES", "".join(map(entry, names)))
    done = await reader.follow(page, STEPS, bucket="logs")
    assert await reader.value("window.went") is None
    assert told(done) == [("missing_control", "Edit versioning")]
    assert steps_of(done, StepStatus.UNREACHED) == ["2", "3"]


async def test_what_leads_elsewhere_was_not_meant(reader: Reader) -> None:
    """What opens has nothing of what the text names next: closed again, and said as a question."""
    page = ROW.replace("ENTRIES", entry("Versioning settings"))
    page = page.replace('aria-label="Edit versioning"', 'aria-label="About"')
    page = page.replace('<label><input type="checkbox"> Versioning</label>', "Since 2019")
    done = await reader.follow(page.replace("Save", "Close"), STEPS, bucket="logs")
    assert told(done) == [("missing_control", "Edit versioning")]
    (_, noted) = next(done.divergences())
    assert 'did you mean "Versioning settings"' in noted.shown
    assert noted.suggestion is None
    assert await reader.value("asked.open") is False
    assert steps_of(done, StepStatus.UNREACHED) == ["2", "3"]


@pytest.mark.parametrize(
    ("shown", "severity"),
    [
        ("Key pair", Severity.COSMETIC),
        ("Key-Pairs", Severity.COSMETIC),
        ("Policies", Severity.COSMETIC),
        ("Key pairs list", Severity.MISLEADS),
    ],
)
async def test_one_for_many_and_strokes_are_small_things(
    reader: Reader, shown: str, severity: Severity
) -> None:
    label = "Policy" if shown == "Policies" else "Key pairs"
    page = f"<h1>Home</h1><button>{shown}</button>"
    done = await reader.follow(page, f"1. Click **{label}**.")
    assert [(d.severity, d.is_guess) for _, d in done.divergences()] == [
        (severity, severity is Severity.MISLEADS)
    ]
    done = await reader.follow(page, f"1. Click **{shown}**.")
    assert told(done) == []


SCHEDULE = """<main><h1>Policies</h1><button id=edit>Edit schedule</button>
<dialog id=box aria-label="Edit schedule"><form method=dialog>
<label>Start time <input value="01:00"></label><fieldset><legend>Weekdays</legend>
<label><input type=checkbox>Monday</label><label><input type=checkbox>Tuesday</label></fieldset>
<button>Save</button></form></dialog><p id=out></p></main><script>
edit.onclick = () => box.showModal();
box.onclose = () => { out.textContent = "saved"; };
</script>"""


async def test_what_the_text_names_later_is_not_taken_for_what_is_missing_now(
    reader: Reader,
) -> None:
    steps = (
        "1. Click **Edit schedule**.\n2. In the **Edit schedule** drawer, change **Start time** to"
        " `05:15` and also select **Sunday**.\n3. Click **Save**."
    )
    done = await reader.follow(SCHEDULE, steps)
    assert told(done) == [("missing_control", "Sunday")]
    assert await reader.value("out.textContent") == "saved"


async def test_a_dialog_that_the_text_comes_to_yet_asks_for_no_answer(reader: Reader) -> None:
    steps = (
        "1. Click **Edit schedule**. Then click **Import**.\n2. Tick **Monday**.\n"
        "3. Click **Save**."
    )
    done = await reader.follow(SCHEDULE, steps)
    assert told(done) == [("missing_control", "Import")]


@pytest.mark.parametrize(
    ("form", "is_missed"), [("", False), ("<label>Name <input></label>", True)]
)
async def test_what_sends_a_form_is_not_missed_where_none_is(
    reader: Reader, form: str, is_missed: bool
) -> None:
    steps = "1. Go to **Zones**.\n2. You can also browse to the zone.\n3. Click **Save**."
    page = f"<nav><a href='#z'>Zones</a></nav><main><h1>Zones</h1>{form}<p>example.org</p></main>"
    done = await reader.follow(page, steps)
    assert told(done) == [("missing_control", "Save")] * is_missed


async def test_a_choice_where_only_its_name_is_shown_was_not_made(reader: Reader) -> None:
    page = "<main><h1>Device</h1><p>Tenant</p><label>Name <input></label></main>"
    done = await reader.follow(page, "1. Choose a value from the **Tenant** drop-down.")
    assert told(done) == []
    assert [r.status for r in done.reports()] == [StepStatus.STUCK]


async def test_what_may_come_of_an_offer_that_was_not_taken_is_not_missed(reader: Reader) -> None:
    text = (
        "1. Click **Connect**.\n2. You can fill in all of it, or you can click the link below.\n"
        "3. Please note that a port may be closed.\n4. Click **Test connection**."
    )
    page = (
        '<main><h1>Databases</h1><button onclick="box.showModal()">Connect</button></main>'
        "<dialog id=box aria-label=Connect><label>Host <input></label>"
        "<a href='#'>By address</a></dialog>"
    )
    done = await reader.follow(page, text)
    assert told(done) == []
