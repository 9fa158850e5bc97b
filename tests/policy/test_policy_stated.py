"""Defaults, places, columns and passing states: seen, or not said to be."""

import pytest

from appliance.core.claims import ClaimStatus
from appliance.documents import parse_document
from appliance.policy.literal import read_procedure
from appliance.policy.literal.read.whereabouts import stated_positions
from appliance.verification.claims import claims_of
from tests.policy.policy_reader import Reader, told

C, N = ClaimStatus.CONFIRMED, ClaimStatus.NOT_CHECKED

WHERE = {
    "Click **Keys** in the navigation on the left.": ["navigation left: Keys"],
    "Open **Disks**, then **Snapshots** on the left.": ["left: Snapshots"],
    "In the top bar, open **Products**.": ["top: Products"],
    "Click **Delete** above the list.": ["above_list: Delete"],
    "Click **Help** in the upper right corner of the page.": ["top right: Help"],
    "In the row of the disk, click **More**.": ["row: More"],
    "Click **Edit** in the row of the image, and click **Save**.": ["row: Edit"],
    "在左侧导航栏，单击**密钥**。": ["navigation left: 密钥"],
    "单击列表上方的**删除**。": ["above_list: 删除"],
    "在页面右上角，单击**设置**。": ["top right: 设置"],
    "在目标实例所在行，单击**更多**。": ["row: 更多"],
    "选择**产品**，在左侧导航栏单击**密钥**。": ["navigation left: 密钥"],
    "Go to **Products**, and in the navigation on the left click **Keys**.": [
        "navigation left: Keys",
    ],
    "The box on the left of **Name** is empty.": [],
    "The newest is at the bottom, in red.": [],
}


def first(text: str):
    parsed = parse_document(f"# T\n\n1. Click **A**.\n2. {text}\n", "docs/a.md", "markdown")
    return parsed.procedures[0].steps[1]


@pytest.mark.parametrize(("text", "said"), WHERE.items())
def test_where_a_thing_is_said_to_stand(text: str, said: list[str]) -> None:
    found = stated_positions(first(text).body[0])
    assert [f"{' '.join(one.kinds)}: {one.label.text}" for one in found] == said


def plan(text: str) -> list[str]:
    steps = f"# T\n\n1. Click **A**.\n2. {text}\n"
    procedure = parse_document(steps, "docs/a.md", "markdown").procedures[0]
    return [
        " ".join(w for w in (i.kind, i.label.text if i.label else "", i.noun,
                             f"= {i.value.text}" if i.value else "") if w)
        for i in read_procedure(procedure)[1:]
    ]  # fmt: skip


CLAIMS = {
    "The status is **A** first, then it changes to **B**.": [
        "expect_text A status", "expect_text B status",
    ],
    "The database goes from **A** to **B**.": ["expect_text A status", "expect_text B status"],
    "The status changes to **A** and back to **B**.": [
        "expect_text A status", "expect_text B status",
    ],
    "A message says **Saved**, and the row shows **Public** in the **Access** column.": [
        "expect_text Saved message", "expect_text Public status",
    ],
    "The **Kept for** column shows the new value.": ["expect_field Kept for column"],
    "The **Save this** window shows the key.": ["expect_open Save this window"],
    "The panel **Members** has two lists.": ["expect_open Members panel"],
    "The **Name** is `root` by default.": ["expect_default Name = root"],
    "The default of **Size** is `5`.": ["expect_default Size = 5"],
    "**Read** is selected already.": ["expect_default Read on", "inform"],
    "Leave **Zone** empty to use all.": ["expect_default Zone empty"],
}  # fmt: skip


@pytest.mark.parametrize(("text", "claims"), CLAIMS.items())
def test_what_a_sentence_says_is_shown(text: str, claims: list[str]) -> None:
    assert plan(text) == claims


PAGE = """<style>body{margin:0} nav{position:absolute;left:0;top:90px;width:150px}
main{position:absolute;left:200px;top:90px;width:1000px} header{height:60px}
#more{position:absolute;right:10px;top:10px}</style>
<header><button>Products</button><button id=more>Help</button></header>
<nav><a href="#a">Keys</a></nav><main><h1>Disks</h1><button>Refresh</button>
<table><tr><th>Name</th><th>Access</th><th></th></tr>
<tr><td>d-1</td><td>Public</td><td><button>Edit</button></td></tr>
<tr><td>d-2</td><td>Private</td><td><button>Edit</button></td></tr></table></main>
<script>onclick = e => document.querySelector("h1").textContent = e.target.textContent</script>"""


async def seen(reader: Reader, html: str, steps: str, **bindings: str):
    """What became of each claim, and what was reported."""
    done = await reader.follow(html, steps, **bindings)
    said = parse_document(f"# T\n\n{steps}\n", "docs/a.md", "markdown").procedures[0]
    return {c.text: c.status for c in claims_of(said, done, ())}, [q for _, q in told(done)]


PLACES = [
    ("Click **Keys** in the navigation on the left.", "in the navigation on the left", C, []),
    ("Click **Keys** in the upper right corner.", "in the upper right corner", N,
     ["in the upper right corner"]),
    ("Click **Help** in the upper right corner.", "in the upper right corner", C, []),
    ("Click **Help** on the left.", "on the left", N, ["on the left"]),
    ("Click **Refresh** above the list.", "above the list", C, []),
    ("Click **Keys** above the list.", "above the list", N, None),
    ("Click **Edit** in the row of the disk.", "in the row of the disk", C, []),
    ("Click **Refresh** in the row of the disk.", "in the row of the disk", N, None),
    ("On the left, click **Keys** > **Edit**.", "On the left", C, None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words", "status", "reported"), PLACES)
async def test_a_thing_stands_where_the_text_says(
    reader: Reader, text: str, words: str, status: ClaimStatus, reported: list[str] | None
) -> None:
    claims, quotes = await seen(reader, PAGE, f"1. {text}", disk="d-2")
    assert claims[words] is status
    assert reported is None or quotes == reported


FORM = """<main><h1>Create disk</h1><form onsubmit="return false">
<label>Name <input value="disk"></label><label>Zone <input></label>
<label>Type * <input required></label>
<label>Compression <select><option>zstd<option>gzip</select></label>
<label><input type=checkbox checked> Encrypt</label>
<label><input type=checkbox> Keep a copy</label>
<button type=button aria-expanded=false
 onclick="this.ariaExpanded='true'; more.hidden=false">Advanced</button>
<div id=more hidden><label>Comment <input></label></div>
<div role=tablist><button type=button role=tab aria-selected=true>Main</button>
<button type=button role=tab aria-selected=false onclick="tags.hidden=false">Tags</button></div>
<div id=tags hidden><label>Owner <input></label></div></form></main>"""
DEFAULTS = [
    ("Enter a **Type**. Leave **Zone** empty.", "Zone", C, []),
    ("Enter a **Type**. Leave **Cost centre** empty.", "Cost centre", N, ["Cost centre"]),
    ("Enter a **Zone**. The **Name** is `disk` by default.", "disk", C, []),
    ("Enter a **Name**. It is shown everywhere; its default is `disk`.", "disk", C, []),
    ("Enter a **Name**. It is shown everywhere; its default is `root`.", "root", N, ["root"]),
    ("Enter a **Zone**. The **Name** is `root` by default.", "root", N, ["root"]),
    ("Tick **Keep a copy**. It is cleared by default.", "It is cleared by default.", C, []),
    ("Tick **Keep a copy**. It is selected by default.", "It is selected by default.", N,
     ["It is selected by default."]),
    ("Clear **Encrypt**. It is selected by default.", "It is selected by default.", C, []),
    ("Enter a **Type**. It is compressed with **zstd** unless you choose something else.",
     "zstd", C, []),
    ("Enter a **Type**. It is compressed with **gzip** unless you choose something else.",
     "gzip", N, ["gzip"]),
    ("Choose **gzip** as **Compression**. It is **zstd** unless you say otherwise.", "zstd", C, []),
    ("Enter a **Type** and a **Comment**.", "Comment", C, []),
    ("Enter a **Type** and an **Owner**.", "Owner", C, []),
    ("Enter a **Type** and a **Colour**.", "Colour", N, ["Colour"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words", "status", "reported"), DEFAULTS)
async def test_what_a_form_holds_before_it_is_touched(
    reader: Reader, text: str, words: str, status: ClaimStatus, reported: list[str]
) -> None:
    claims, quotes = await seen(reader, FORM, f"1. {text}")
    assert (claims[words], quotes) == (status, reported)


LIST = """<main><h1>Disks</h1><button onclick="go()">Start</button>
<table><tr><th>Name</th><th>Status</th><th>Access</th></tr>
<tr><td>d-1</td><td id=s>Stopped</td><td>Public</td></tr></table><output role=status></output>
</main><script>const go = () => { s.textContent = 'Starting';
document.querySelector('output').textContent = 'Done';
setTimeout(() => s.textContent = 'Running', 1200) }</script>"""
STATES = [
    ("The status changes to **Starting** and then to **Running**.", "Starting", C, []),
    ("The status changes to **Warming up** and then to **Running**.", "Warming up", N, []),
    ("The status changes to **Stopped** and then to **Running**.", "Stopped", N, []),
    ("The status changes to **Starting** and then to **Broken**.", "Broken", N, ["Broken"]),
    ("The row shows **Public** in the **Access** column.", "Access", C, []),
    ("The row shows **Public** in the **Owner** column.", "Owner", N, ["Owner"]),
    ("The row shows **Public** in the **Name** column.", "Public", N, []),
    ("The **Access** column shows who may use it.", "Access", C, []),
    ("The **Owner** column shows who may use it.", "Owner", N, ["Owner"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words", "status", "reported"), STATES)
async def test_states_that_pass_and_columns(
    reader: Reader, text: str, words: str, status: ClaimStatus, reported: list[str]
) -> None:
    steps = f"1. Select the disk.\n2. Click **Start**. {text}"
    claims, quotes = await seen(reader, LIST, steps, disk="d-1")
    assert (claims[words], quotes) == (status, reported)


async def test_a_state_passes_on_the_page_of_the_thing_too(reader: Reader) -> None:
    page = LIST.replace("<table>", "<p>Status: </p><table hidden>").replace(
        "<td id=s>Stopped</td>", "<td></td>"
    )
    page = page.replace("<output", "<p id=s>Stopped</p><output")
    for state, status in (("Starting", C), ("Stopped", N)):
        said = f"The status changes to **{state}** and then to **Running**."
        claims, quotes = await seen(reader, page, f"1. Click **Start**. {said}")
        assert (claims[state], claims["Running"], quotes) == (status, C, []), state


async def test_a_value_that_is_refused_is_not_confirmed(reader: Reader) -> None:
    form = """<main><h1>Add</h1><form onsubmit="e.hidden=false; return false"><div class=form-group>
    <label>TTL <input></label><span id=e hidden class=field-error>Too small</span></div>
    <button>Add</button></form></main>"""
    table = "   | Field | Value |\n   | --- | --- |\n   | **TTL** | `5` |\n"
    claims, _ = await seen(reader, form, f"1. Fill in:\n\n{table}2. Click **Add**.")
    assert claims["5"] is not C


@pytest.mark.parametrize(
    "text",
    [
        "If **Replicate** is already selected, clear it.",
        "The status is **A** and the page shows **B**.",
        "The status is **A**. The **B** button is on the left of **C**.",
    ],
)
def test_what_says_nothing_of_the_kind_is_not_looked_for(text: str) -> None:
    told = [line for line in plan(text) if line.startswith("expect")]
    assert told in ([], ["expect_text A status"])
