"""What prose says of a field with marked words, in both languages: read, held against the form."""

import re

import pytest

from appliance.core.claims import ClaimStatus
from appliance.documents import parse_document
from appliance.policy.literal import read_procedure, stated_claims
from appliance.policy.literal.read.leftover import only_refers
from appliance.policy.literal.read.marked_facts import marked_facts
from appliance.verification.claims import claims_of
from tests.policy.policy_reader import Reader, told

C, N = ClaimStatus.CONFIRMED, ClaimStatus.NOT_CHECKED

READ = {
    "**Class** also offers **Tape**.": ["offers Tape of Class"],
    "The list also offers **Tape**.": ["offers Tape"],
    "`7` is accepted as **Size**, too.": ["takes 7 of Size"],
    "Large sites enter `7` as **Size**.": ["takes 7 of Size"],
    "**Size** stands in the **Extras** section.": ["section Extras of Size"],
    "**Size** is the last field, at the bottom.": ["last is the last field, at the bottom of Size"],
    "**Size** is the first field.": ["first is the first field of Size"],
    "Unless you change it, **Size** is 7.": ["holds 7 of Size"],
    "Fill in **Alias** as well.": ["beside Alias"],
    "同时填写**别名**。": ["beside 别名"],
    "**类型**还支持选择**磁带**。": ["offers 磁带 of 类型"],
    "**容量**也可以填写`7`。": ["takes 7 of 容量"],
    "**容量** 位于 **扩展** 区域。": ["section 扩展 of 容量"],
    "**容量**位于表单的最下方。": ["last 位于表单的最下方 of 容量"],
    "如不修改，**容量**为 7。": ["holds 7 of 容量"],
    "**容量**默认为**7**。": ["holds 7 of 容量"],
    "If you need it, **Class** also offers **Tape**.": [],
    "**Class** also offers **Tape** only for old buckets.": ["offers Tape of Class"],
    "`7` is not accepted as **Size**.": [],
    "如果需要，**类型**还支持选择**磁带**。": [],
}


def sentence(text: str):
    name = "a.md" if text.isascii() else "a.zh.md"
    return (
        parse_document(f"# T\n\n1. Click **A**.\n2. {text}\n", name, "markdown")
        .procedures[0]
        .steps[1]
        .body[0]
    )


@pytest.mark.parametrize(("text", "facts"), READ.items())
def test_what_marked_words_say(text: str, facts: list[str]) -> None:
    found = marked_facts(sentence(text))
    assert [
        f"{one.fact.kind} {one.words.text}" + (f" of {one.field.text}" if one.field else "")
        for one in found
    ] == facts


FORM = """<main><h1>Create disk</h1><form onsubmit="return false"><h2>Basics</h2>
<p><label>Name <input required maxlength=30 pattern="[a-z0-9]+"></label></p>
<p><label>Size <input type=number min=10 max=500 value=40></label></p>
<p><label>Class <select><option>Fast</option><option>Slow</option></select></label></p>
<p><label>Note <input></label></p></form></main>"""
SAID = [
    ("**Class** also offers **Slow**.", "Slow", C, []),
    ("**Class** also offers **Tape**.", "Tape", N, ["Tape"]),
    ("`300` is accepted as **Size**, too.", "300", C, []),
    ("`3000` is accepted as **Size**, too.", "3000", N, ["3000"]),
    ("`Disk one` is accepted as **Name**, too.", "Disk one", N, ["Disk one"]),
    ("**Size** stands in the **Basics** section.", "Basics", C, []),
    ("**Size** stands in the **Extras** section.", "Extras", N, ["Extras"]),
    ("**Size** stands in the **Fast** section.", "Fast", N, []),  # something is called so
    ("**Name** is the last field.", "is the last field", N, ["is the last field"]),
    ("**Name** is the first field.", "is the first field", N, []),
    ("Unless you change it, **Size** is 40.", "40", C, []),
    ("Unless you change it, **Size** is 92.", "92", N, ["92"]),
    ("The largest value of **Size** is 500.", "largest value of Size is 500", C, []),
    ("The largest value of **Size** is 92.", "largest value of Size is 92", N,
     ["largest value of Size is 92"]),
    ("**Name** may be left empty.", "may be left empty", N, ["may be left empty"]),
    ("**Note** may be left empty.", "may be left empty", C, []),
]  # fmt: skip
STEPS = (
    "1. Enter `a` in **Name**.\n2. Change **Size** to `50`.\n3. From **Class**, select **Slow**.\n"
    "4. Enter `b` in **Note**."
)


@pytest.mark.parametrize(("text", "words", "status", "reported"), SAID)
@pytest.mark.parametrize("place", ["before", "beside", "behind"])
async def test_it_is_held_wherever_it_stands(
    reader: Reader, text: str, words: str, status: ClaimStatus, reported: list[str], place: str
) -> None:
    steps = STEPS.replace("`50`.", f"`50`. {text}") if place == "beside" else STEPS
    whole = {"before": f"{text}\n\n{steps}", "beside": steps, "behind": f"{steps}\n\n{text}"}[place]
    done = await reader.follow(FORM, whole)
    said = parse_document(f"# T\n\n{whole}\n", "docs/a.md", "markdown").procedures[0]
    claims = {claim.text: claim.status for claim in claims_of(said, done, ())}
    assert (claims[words], [quote for _, quote in told(done)]) == (status, reported)


LIST = """<main><h1>Disks</h1><button>Create</button>
<table><tr><th>Name</th><th>Access</th><th></th></tr>
<tr><td>d-1</td><td>Public</td><td><button>Edit</button></td></tr></table><p>Page 1</p></main>"""
STANDS = [
    ("**Edit** stands above the list.", "above the list", ["above the list"]),
    ("**Edit** is below the list.", "below the list", ["below the list"]),
    ("The list shows more in the **Cost** column.", "Cost", ["Cost"]),
    ("The list shows more in the **Access** column.", "Access", []),
    ("The new text is shown in the **Cost** column.", "Cost", ["Cost"]),
]


@pytest.mark.parametrize(("text", "words", "reported"), STANDS)
async def test_remarks_about_the_list(
    reader: Reader, text: str, words: str, reported: list[str]
) -> None:
    whole = f"1. In the row of the disk, click **Edit**.\n\n> **Note:** {text}"
    done = await reader.follow(LIST, whole, disk="d-1")
    assert [quote for _, quote in told(done)] == reported


MENU = """<header role=banner><button aria-haspopup=menu aria-expanded=false
onclick="m.hidden=false">Products</button><ul role=menu id=m hidden><li role=menuitem>Disks</li>
<li role=menuitem onclick="document.querySelector('h1').textContent='Images'">Images</li>
<li role=menuitem>Networks</li></ul></header><main><h1>Start</h1></main>"""
PATHS = [
    ("The quickest way is **Products** > **Disks**.", []),
    ("The quickest way is **Products** > **Volumes**.", ["Products > Volumes"]),
    ("The quickest way is **Services** > **Volumes**.", []),
]


@pytest.mark.parametrize(("text", "reported"), PATHS)
async def test_a_way_that_is_only_named(reader: Reader, text: str, reported: list[str]) -> None:
    done = await reader.follow(MENU, f"{text}\n\n1. Go to **Products** > **Images**.")
    assert [quote for _, quote in told(done)] == reported


FURTHER = [("Fill in **Alias** as well.", ["Alias"]), ("Fill in **Note** as well.", [])]


@pytest.mark.parametrize(("text", "reported"), FURTHER)
async def test_a_field_that_a_list_names_in_passing(
    reader: Reader, text: str, reported: list[str]
) -> None:
    table = (
        f"1. Fill in:\n\n   | Field | Enter |\n   | --- | --- |\n   | **Size** | `50`. {text} |\n"
    )
    assert [quote for _, quote in told(await reader.follow(FORM, table))] == reported


RADIOS = """<main><h1>Create disk</h1><form><fieldset><legend>Class</legend>
<label><input type=radio name=c checked> Fast</label><label><input type=radio name=c> Slow</label>
</fieldset></form></main>"""


@pytest.mark.parametrize(("option", "reported"), [("Slow", []), ("Tape", ["Tape"])])
async def test_options_that_are_buttons(reader: Reader, option: str, reported: list[str]) -> None:
    text = f"1. Set **Class** to **Slow**.\n\n**Class** also offers **{option}**."
    assert [quote for _, quote in told(await reader.follow(RADIOS, text))] == reported


async def test_another_of_that_name_may_be_meant(reader: Reader) -> None:
    page = LIST.replace("<button>Create</button>", "<button>Edit</button>")
    whole = "1. In the row of the disk, click **Edit**.\n\n**Edit** above the list takes several."
    assert told(await reader.follow(page, whole, disk="d-1")) == []


NO_INSTRUCTION = [
    "**类型**还支持选择**磁带**。",
    "**名称**最多只能输入 16 个字符。",
    "**版本控制**默认关闭。",
    "**名称**也可以填写`b`。",
]


@pytest.mark.parametrize("text", NO_INSTRUCTION)
def test_what_is_possible_or_so_to_begin_with_is_not_done(text: str) -> None:
    steps = f"# T\n\n1. 单击**创建**。\n2. 在**名称**中输入`a`。{text}\n"
    plan = read_procedure(parse_document(steps, "a.zh.md", "markdown").procedures[0])
    assert [i.kind.value for i in plan if i.sentence.text == re.sub("[*`]", "", text)] in (
        [["inform"], ["expect_default", "inform"]]
    )


@pytest.mark.parametrize("text", ["列表的**费用**列显示更多信息。", "**费用**列显示创建人。"])
def test_columns_in_chinese(text: str) -> None:
    steps = f"# T\n\n1. 单击**创建**。\n2. {text}\n"
    plan = read_procedure(parse_document(steps, "a.zh.md", "markdown").procedures[0])
    assert [(i.kind.value, i.noun) for i in plan[1:]] == [("expect_field", "column")]


def test_every_sentence_around_the_steps_is_a_claim_and_references_are_none() -> None:
    text = "It costs nothing.\n\n1. Click **A**.\n\nIt is red.\n\nSee also: [C](c.md)."
    of = parse_document(f"# T\n\n{text}\n", "a.md", "markdown").procedures[0]
    unread = [c.text for c in stated_claims(of) if not c.is_read]
    assert unread == ["It costs nothing.", "It is red."]
    assert only_refers(of.remarks[-1])


@pytest.mark.parametrize(
    ("more", "done"),
    [
        ("", ["New user"]),
        ("Click **Add user** at the top.\n\nClick **OK**.\n\n", ["Add user", "OK"]),
    ],
)
def test_what_can_be_done_is_an_instruction_where_nothing_else_is_one(more, done):
    text = f"# Add a user\n\n{more}You can add a user by clicking on **New user**.\n"
    (procedure,) = parse_document(text, "docs/a.md", "markdown").procedures
    assert [i.label.text for i in read_procedure(procedure) if i.label] == done
