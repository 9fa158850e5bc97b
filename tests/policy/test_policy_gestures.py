"""Keys, other clicks, dragging and forms: read in both languages, and done in the browser."""

import pytest

from appliance.core.verdict import StepStatus
from tests.policy.policy_reader import Reader, told

PAGE = """<main><h1>Board</h1><label>Name <input id=name></label>
<label>Zone <input id=zone></label>
<ul><li><button id=web draggable=true>web</button></li><li><button id=bin>Archive</button></li></ul>
<p id=out></p><button id=del>Drop all</button></main><script>
const say = text => out.textContent += text + ";";
document.getElementById("name").onkeydown = e => { if (e.key == "Enter") say("enter in name"); };
web.ondblclick = () => say("double");
web.oncontextmenu = e => { e.preventDefault(); say("right"); };
web.onmouseenter = () => say("hover");
web.ondragstart = e => e.dataTransfer.setData("text", "web");
bin.ondragover = e => e.preventDefault();
bin.ondrop = e => { e.preventDefault(); say("dropped " + e.dataTransfer.getData("text")); };
</script>"""
DONE = [
    ("Enter `a` in **Name** and press Enter.", "enter in name"),
    ("Enter `a` in **Name** and press <kbd>Enter</kbd>.", "enter in name"),
    ("在**名称**中输入`a`，然后按回车键。", "enter in name"),
    ("Double-click **web**.", "double"),
    ("双击**web**。", "double"),
    ("Right-click **web**.", "right"),
    ("右键单击**web**。", "right"),
    ("Hover over **web**.", "hover"),
    ("将鼠标悬停在**web**上。", "hover"),
    ("Drag **web** onto **Archive**.", "dropped web"),
    ("将**web**拖到**Archive**上。", "dropped web"),
]


@pytest.mark.parametrize(("text", "said"), DONE)
async def test_it_is_done(reader: Reader, text: str, said: str) -> None:
    page = PAGE if text.isascii() else PAGE.replace("Name <input", "名称 <input")
    done = await reader.follow(page, f"1. {text}")
    assert said in str(await reader.value("out.textContent")).split(";")
    assert told(done) == []


async def test_a_form_is_filled_in_as_far_as_values_are_bound(reader: Reader) -> None:
    await reader.follow(PAGE, "1. Fill in the form and click **Archive**.", Name="n-1")
    assert (
        await reader.value("[...document.querySelectorAll('input')].map(e => e.value).join()")
        == "n-1,"
    )


FORMS = """<main><h1>Disks</h1><button id=one>Add owner</button><button id=two>Add disk</button>
<dialog id=first aria-label="Add owner"><form method=dialog><label>Person <input required></label>
<button>Add</button></form></dialog>
<dialog id=second aria-label="Add disk"><form method=dialog><label>Size <input id=size></label>
<label>Zone <input required></label><button>Create</button></form></dialog>
</main><script>
one.onclick = () => first.showModal();
two.onclick = () => second.showModal();
</script>"""


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (
            "1. Click **Add owner**.\n2. Fill in the form and click **Add**.\n"
            "3. Click **Add disk**.\n4. Enter `10` in **Size** and click **Create**.",
            ["Create"],
        ),
        (
            "1. Click **Add disk**.\n2. Enter `10` in **Size**.\n"
            "3. Fill in the form and click **Create**.",
            [],
        ),
        (
            "1. 单击**Add owner**。\n2. 填写表单，然后单击**Add**。\n"
            "3. 单击**Add disk**。\n4. 在**Size**中输入`10`，单击**Create**。",
            ["Create"],
        ),
    ],
)
async def test_who_says_to_fill_in_a_form_speaks_of_no_other_form(
    reader: Reader, text: str, missing: list[str]
) -> None:
    done = await reader.follow(FORMS, text)
    assert told(done) == [("missing_step", quote) for quote in missing]


ASKS = """<main><h1>Flags</h1><table><tr><th>Name<th>Actions</tr><tr><td>beta-1
<td><button id=one>Delete</button></tr></table><dialog id=asks aria-labelledby=h>
<h2 id=h>Delete flag</h2><p>This deletes the flag beta-1.</p>BUTTONS</dialog><p id=out></p></main>
<script>one.onclick = () => asks.showModal();
document.querySelectorAll("dialog button").forEach(
  b => b.onclick = () => { out.textContent = b.textContent; asks.close(); });</script>"""


@pytest.mark.parametrize(
    ("buttons", "pressed"),
    [
        (("Cancel", "Save"), "Save"),
        (("Save", "Show details", "Keep it"), "Save"),
        (("Cancel", "Save", "Archive instead"), ""),  # nobody knows which is meant
    ],
)
async def test_a_question_that_sends_no_form_is_confirmed_by_its_only_answer(
    reader: Reader, buttons: tuple[str, ...], pressed: str
) -> None:
    page = ASKS.replace("BUTTONS", "".join(f"<button type=button>{b}</button>" for b in buttons))
    await reader.follow(page, "1. In the row of the flag `beta-1`, click **Delete**, and confirm.")
    assert await reader.value("out.textContent") == pressed


async def test_no_key_is_pressed_where_the_way_is_lost(reader: Reader) -> None:
    await reader.follow(PAGE, "1. Frobnicate the server.\n2. Press Enter.")
    assert await reader.value("out.textContent") == ""


async def test_a_key_that_deletes_is_held_back(reader: Reader) -> None:
    done = await reader.follow(PAGE, "1. Click **Archive**.\n2. Press <kbd>Delete</kbd>.")
    assert any("Delete" in str(turn) for turn in done.turns)
    assert done.turns[-1].decision.action.kind != "complete" or any(
        t.performed and not t.performed.ok for t in done.turns
    )


async def test_a_name_without_a_mark_raises_no_alarm(reader: Reader) -> None:
    done = await reader.follow(PAGE, "1. Click **Archive**.\n2. Open the Billing tab.")
    assert [d.basis for _, d in done.divergences()] in ([], ["doubtful"])


CHOICE = """<main><h1>Create key</h1><label>Algorithm <select><option>Ed25519</option>
<option>RSA 4096</option></select></label></main>"""


@pytest.mark.parametrize(
    ("condition", "chosen"),
    [("you need more security", "RSA 4096"), ("the site is old", "Ed25519")],
)
@pytest.mark.parametrize(("option", "reported"), [("RSA 4096", []), ("RSA 8192", ["RSA 8192"])])
async def test_what_is_chosen_on_a_condition_is_offered_all_the_same(
    reader: Reader, option: str, reported: list[str], condition: str, chosen: str
) -> None:
    """What is left to the reader is tried; what depends on something else is left."""
    text = f"1. Under **Algorithm**, choose **{option}** if {condition}."
    done = await reader.follow(CHOICE, text)
    assert [quote for _, quote in told(done)] == reported
    value = await reader.value("document.querySelector('select').value")
    assert value == (chosen if not reported else "Ed25519")


async def test_whichever_a_drop_down_offers_is_taken_as_written(reader: Reader) -> None:
    page = """<main><h1>New card</h1><div role=combobox aria-label="Colour" aria-haspopup=listbox
    tabindex=0 onclick="list.hidden = false">Choose</div><ul role=listbox id=list hidden>
    <li role=option onclick="out.textContent = 'red'; list.hidden = true">Red</li></ul>
    <p id=out></p></main>"""
    done = await reader.follow(page, "1. Select a colour.")
    assert await reader.value("out.textContent") == "red"
    assert [r.status for r in done.statuses(StepStatus.AS_WRITTEN)] == [StepStatus.AS_WRITTEN]
