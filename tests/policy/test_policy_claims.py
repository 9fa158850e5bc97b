"""Claims: what is called confirmed was seen, and a sentence is only as good as its last word."""

import pytest

from appliance.core.claims import ClaimStatus
from appliance.documents import parse_document
from appliance.policy.literal import stated_claims
from appliance.verification.claims import claims_of

FORM = """
<h1>Create bucket</h1>
<form onsubmit="event.preventDefault(); document.querySelector('output').textContent = 'Done'">
<label>Name <input id="name" required></label>
<label>Class <select><option>Standard</option><option>Archive</option></select></label>
<label><input type="checkbox"> Versioning</label>
<button>Create</button></form><output role="status"></output>
"""


def procedure(text: str, language: str = "en"):
    name = "a.zh.md" if language == "zh" else "a.md"
    return parse_document(f"# Buckets\n\n{text}\n", name, "markdown").procedures[0]


async def seen(reader, text: str, **bindings: str) -> dict[str, ClaimStatus]:
    """What became of each claim of a text that is followed on the form."""
    done = await reader.follow(FORM, text, **bindings)
    said = parse_document(f"# T\n\n{text}\n", "docs/a.md", "markdown").procedures[0]
    return {claim.text: claim.status for claim in claims_of(said, done, ())}


LIES = [
    "Click **Create**, which is in red.",
    "Click **Create** to delete the bucket.",
    "Click **Create**. The newest bucket is at the bottom.",
    "Click **Create**. It takes about an hour.",
    "Click **Create**. Only administrators may do this.",
    "In **Class**, choose **Archive**, which keeps data on tape.",
    "Leave **Name** empty. It is not required.",
    "Click **Create** twice.",
]


@pytest.mark.parametrize("text", LIES)
def test_what_no_reading_accounts_for_is_a_claim_of_its_own(text: str):
    assert any(not claim.is_read for claim in stated_claims(procedure(f"1. {text}")))


@pytest.mark.parametrize(
    "text",
    [
        "单击**创建**，它是红色的。",
        "单击**创建**，需要管理员权限。",
        "单击**创建**，大约需要一小时。",
        "选择**归档**，数据保存在磁带上。",
    ],
)
def test_in_chinese_too(text: str):
    assert any(not claim.is_read for claim in stated_claims(procedure(f"1. {text}", "zh")))


@pytest.mark.parametrize(
    "text",
    ["Click **Create**.", "In **Name**, enter a name, then click **Create**.",
     "From the **Class** list, select **Archive**.", "Go to **Products** > **Buckets**."],
)  # fmt: skip
def test_a_plain_instruction_says_nothing_else(text: str):
    assert all(claim.is_read for claim in stated_claims(procedure(f"1. {text}")))


def test_each_claim_stands_once_and_where_its_words_are():
    text = "1. Click **Create**.\n2. Fill in the form:\n\n   | Field | Enter |\n   | --- | --- |\n"
    text += "   | **Name** | At most 9 characters. |"
    of = procedure(text)
    claims = stated_claims(of)
    assert len({(c.span, c.text) for c in claims}) == len(claims)
    assert [c.text for c in claims] == ["Create", "Name", "At most 9 characters"]
    assert [c.kind.value for c in claims[1:3]] == ["field", "limit"]


async def test_what_was_used_by_its_name_is_confirmed_and_the_rest_is_not(reader):
    claims = await seen(
        reader,
        "1. In **Name**, enter `b-1`. It is at most 4 characters long.\n"
        "2. In **Class**, choose **Archive**.\n3. Click **Create**. A message says **Done**.",
    )
    assert claims.pop("at most 4 characters long") is ClaimStatus.NOT_CHECKED
    assert set(claims.values()) == {ClaimStatus.CONFIRMED}
    assert {"Name", "b-1", "Class", "Archive", "Create", "Done"} <= claims.keys()


async def test_another_name_or_value_confirms_nothing(reader):
    claims = await seen(
        reader, "1. In **Title**, enter `b-1`.\n2. Tick the **Versions** check box."
    )
    assert ClaimStatus.CONFIRMED not in claims.values()
    claims = await seen(reader, "1. In **Name**, enter `b-1`.", **{"b-1": "docs-2"})
    assert claims == {"Name": ClaimStatus.CONFIRMED, "b-1": ClaimStatus.NOT_CHECKED}


async def test_what_a_thing_is_called_is_looked_at(reader):
    claims = await seen(reader, "1. Select the **Class** check box.")
    assert claims["Class"] is not ClaimStatus.CONFIRMED


async def test_a_place_where_it_does_not_stand_is_not_confirmed(reader):
    claims = await seen(reader, "1. In the **Network** section, click **Create**.")
    assert ClaimStatus.CONFIRMED not in claims.values()


async def test_what_an_optional_part_names_is_there_though_nothing_was_done(reader):
    claims = await seen(reader, "1. Optionally, tick **Versioning** to keep old files.")
    assert ClaimStatus.NOT_CHECKED in claims.values()


MENU = """<header role="banner"><button aria-haspopup="menu" aria-expanded="false"
 onclick="m.hidden=!m.hidden">Products</button><div id="m" role="menu" hidden>
<a role="menuitem" href="#b">Buckets</a><a role="menuitem" href="#d">Disks</a>
<a role="menuitem" href="#q">Queues</a></div></header><main><h1>Home</h1><p>Snapshots</p></main>"""


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("**Products** > **Disks**", ClaimStatus.CONFIRMED),
        ("**Products** > **Snapshots**", ClaimStatus.NOT_CHECKED),  # of that name is something else
    ],
)
async def test_a_path_that_is_only_named_is_looked_for_in_its_menu(
    reader, path: str, status: ClaimStatus
) -> None:
    steps = f"What they use is under {path}.\n\n1. Go to **Products** > **Buckets**."
    done = await reader.follow(MENU, steps)
    said = parse_document(f"# T\n\n{steps}\n", "docs/a.md", "markdown").procedures[0]
    [claim] = [c for c in claims_of(said, done, ()) if c.text == path.replace("*", "")]
    assert claim.status is status


PANEL = """<main><h1>Users</h1><button onclick="d.show()">Change groups</button></main>
<dialog id="d" aria-label="Change groups"><h2>Change groups</h2><fieldset><legend>Days</legend>
<label>Group <input></label></fieldset><button>Save</button></dialog>"""


@pytest.mark.parametrize(
    ("said", "reported"),
    [
        ("The **Change groups** panel", []),
        ("The **Days** panel", []),  # a part of it
        ("The **Team membership** panel", [("renamed_label", "Team membership")]),
        ("The **Team membership** wizard", [("renamed_label", "Team membership")]),
    ],
)
async def test_a_panel_that_a_click_has_opened_has_its_title(reader, said: str, reported) -> None:
    done = await reader.follow(PANEL, f"1. Click **Change groups**. {said} opens.")
    assert [(d.kind.value, d.quote) for _, d in done.divergences()] == reported
