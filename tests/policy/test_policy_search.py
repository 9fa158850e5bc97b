"""How the literal policy looks for what is not in sight, and what it takes for what is named."""

import pytest

from tests.policy.policy_reader import Reader, thoughts, told

# A side menu of which one part is open at a time, as Horizon's.
ACCORDION = """
<nav aria-label="Main"><button aria-expanded="true">Project</button><div>
<button aria-expanded="false">Compute</button><div hidden><a href="#i">Instances</a></div>
<button aria-expanded="false">Volumes</button><div hidden><a href="#v">Backups</a></div>
<button aria-expanded="false">Network</button><div hidden>
<a href="#n" onclick="window.went='routers'">Routers</a></div></div>
<a href="#s" onclick="home.textContent = this.textContent">Support</a>
<button aria-expanded="false">Admin</button><div hidden><a href="#a">Flavors</a></div>
<button aria-expanded="false">Identity</button><div hidden><a href="#p">Users</a></div></nav>
<main><h1 id="home">Home</h1><a href="#o" onclick="window.went='overview'">Overview</a></main>
<script>
const toggles = [...document.querySelectorAll('nav button')]
for (const toggle of toggles) toggle.onclick = () => {
  const at = toggles.filter((other) => other.parentElement === toggle.parentElement)
  const isOpen = toggle.ariaExpanded === 'true'
  for (const other of at) {
    other.ariaExpanded = String(other === toggle && !isOpen)
    other.nextElementSibling.hidden = other.ariaExpanded !== 'true'
  }
}
</script>
"""


async def test_what_is_nowhere_is_looked_for_once_in_each_part_of_a_menu(reader: Reader) -> None:
    steps = "1. In the navigation, click **Support**.\n2. Click **Metrics**."
    done = await reader.follow(ACCORDION, steps)
    assert told(done) == [("missing_control", "Metrics")]
    opened = [t for t in thoughts(done) if t.startswith("look for") and "below" in t]
    assert len(opened) == len(set(opened)) == 5
    assert [t for t in thoughts(done) if "wait for the list" in t] == []


async def test_a_part_of_the_menu_that_another_part_hides_is_looked_into(reader: Reader) -> None:
    # what is below the entry clicked last comes first: Admin and Identity, which fold Project
    steps = "1. In the navigation, click **Support**.\n2. Click **Routers**."
    done = await reader.follow(ACCORDION, steps)
    assert await reader.value("window.went") == "routers"
    assert [t for t in thoughts(done) if "wait for the list" in t] == []


CREATE = """
<dialog open aria-modal="true" aria-label="Create Image">
<div role="tablist"><button role="tab" aria-selected="true" id="first">Details</button>
<button role="tab" aria-selected="false" onclick="a.hidden = true; b.hidden = false;
 first.ariaSelected = 'false'; this.ariaSelected = 'true'; window.went = 1">Metadata</button></div>
<div id="a"><label>Image Name <input id="near"></label><label>FIELD <input></label></div>
<div id="b" hidden><h4>Name</h4><label>OTHER <input id="far"></label></div>
<button type="submit">Create</button></dialog>
"""


async def test_the_name_in_a_dialog_is_the_name_of_what_it_makes(reader: Reader) -> None:
    page = CREATE.replace("FIELD", "Description").replace("OTHER", "Filter")
    done = await reader.follow(page, "1. Enter `red` in the **Name** field.")
    assert await reader.value("[near.value, window.went]") == ["red", None]
    assert told(done) == [("renamed_label", "Name")]


# of another thing than the dialog makes, or of two
@pytest.mark.parametrize("field", ["Kernel", "Image File"])
async def test_a_label_that_ends_another_name_is_looked_for_on_other_tabs(
    reader: Reader, field: str
) -> None:
    page = CREATE.replace("Image Name", f"{field} Type").replace("FIELD", "Image Type")
    page = page.replace("OTHER", "Type")
    await reader.follow(page, "1. Enter `red` in the **Type** field.")
    assert await reader.value("far.value") == "red"


async def test_nobody_is_asked_for_what_is_not_in_sight(reader: Reader) -> None:
    page = "".join(
        f'<button aria-expanded="false" onclick="this.ariaExpanded = true; window.went = 1">{name}'
        "</button>"
        for name in ("AI Assistant", "Help", "智能助手", "Give feedback")
    )
    done = await reader.follow(f"<main><h1>Disks</h1>{page}</main>", "1. Click **Metrics**.")
    assert told(done) == [("missing_control", "Metrics")]
    assert await reader.value("window.went") is None
