"""What is a procedure and what is not, and what its parts are."""

import re
from pathlib import Path

import pytest
from documents_checks import check_shape
from markdown_it import MarkdownIt

from appliance.core.procedure import WAY, Field, InlineRole, Note, Procedure, Sentence, Step
from appliance.documents import load_documents, parse_document
from appliance.documents._candidates import names_task

SAMPLES = Path(__file__).parent / "samples"


def read(text: str, format: str = "markdown") -> tuple[Procedure, ...]:
    document = parse_document(text, "guide/page", format)
    check_shape(document)
    return document.procedures


def one(text: str, format: str = "markdown") -> Procedure:
    (procedure,) = read(text, format)
    return procedure


def texts(steps: tuple[Step, ...]) -> list[str]:
    return [f"{s.index} {s.text}" for s in steps]


def labels(step: Step) -> list[str]:
    return [label.text for field in step.fields for label in field.labels]


@pytest.mark.parametrize(
    "text",
    [
        "You can launch from:\n\n* Images\n* Snapshots\n",
        "You can do the following:\n\n* Create **A**.\n* Delete **B**.\n",
        "1. Cheap\n2. Durable\n3. Fast\n",
        "* **Overview**: View reports.\n* **Images**: Create, edit and delete images.\n",
        "Click **Help** at any time.\n",
        "Buckets hold objects. **Objects** are files.\n",
        "- Very good: should work as expected\n- Poor: does not look good\n",
        "```\n1. Click **A**.\n```\n",
        "| A | B |\n|---|---|\n| Click **A** | then **B** |\n",
        "> 1. Cheap\n",
    ],
)
def test_what_is_no_procedure(text):
    assert read("# T\n\n" + text) == ()


def test_lists_with_text_between_them_go_on():
    procedure = one(
        "# T\n\n1. Click **A**.\n\nThe page opens.\n\n2. Click **B**.\n\n"
        "| F | D |\n|--|--|\n| X | Y. |\n"
        "\n![p](p.png)\n\n1. Click **C**.\n"
    )
    assert texts(procedure.steps) == ["1 Click A. The page opens.", "2 Click B.", "3 Click C."]
    assert labels(procedure.steps[1]) == ["X"]


def test_numbers_are_those_of_the_text():
    assert [s.index for s in one("# T\n\n3. Click **A**.\n4. Click **B**.\n").steps] == ["3", "4"]


@pytest.mark.parametrize(
    ("leads", "titles"),
    [
        (("To add one:", "To remove one, do this:"), ["To add one", "To remove one"]),
        (("Add it first:", "To remove one:"), ["T", "To remove one"]),
        (("Follow these steps to add one:", "To remove one:"), ["Add one", "To remove one"]),
        (("**Add one**", "**Remove one**"), ["Add one", "Remove one"]),
        (("如需添加规则，请执行以下步骤：", "删除规则："), ["如需添加规则", "删除规则"]),
        (("To go on:", "Then look here:"), ["T"]),
        (("要添加：", "然后执行以下操作："), ["T"]),
    ],
)
def test_a_lead_in_opens_another_procedure(leads, titles):
    text = "# D\n\n## T\n\n" + "".join(
        f"{lead}\n\n1. Click **A**.\n2. 单击**B**。\n\n" for lead in leads
    )
    found = read(text)
    assert [p.title for p in found] == titles


def test_bold_lines_are_headings_only_above_steps():
    found = read(
        "# D\n\n## T\n\n**Prerequisites**\n\n* An account.\n\n**Procedure**\n\n"
        "1. Click **A**.\n\n   **X**\n\n**Table of quotas**\n\n| a | b |\n|--|--|\n| c | d |\n"
    )
    assert [p.title_path for p in found] == [("D", "T")]
    assert [s.text for s in found[0].prerequisites] == ["An account."]


@pytest.mark.parametrize(
    "heads",
    [
        ("Step 1: Open it", "Step 2: Close it"),
        ("Step 1", "Step 2"),
        ("步骤一：打开", "步骤二：关闭"),
        ("第一步 打开", "第二步 关闭"),
        ("1. Open it", "2. Close it"),
    ],
)
def test_headings_can_be_steps(heads):
    procedure = one("# D\n\n## T\n\n" + "".join(f"### {h}\n\nClick **A**.\n\n" for h in heads))
    assert procedure.title_path == ("D", "T")
    assert texts(procedure.steps) == ["1 Click A.", "2 Click A."]


def test_a_heading_without_text_is_the_step():
    procedure = one("# T\n\n## Step 1: Click **A**\n\n## Step 2: Click **B**\n")
    assert texts(procedure.steps) == ["1 Click A", "2 Click B"]


def test_numbered_chapters_are_no_steps():
    found = read(
        "# T\n\n## 1. Create it\n\n1. Click **A**.\n\n## 2. Delete it\n\n1. Click **B**.\n"
    )
    assert [p.title for p in found] == ["1. Create it", "2. Delete it"]


def test_a_long_sentence_is_a_procedure():
    procedure = one("# T\n\nTo save, click **File**, then **Save**, and click **OK**. It is saved.")
    assert texts(procedure.steps) == [
        "1 To save, click File, then Save, and click OK. It is saved."
    ]


def test_bullets_can_be_steps():
    procedure = one(
        "# T\n\nFollow these steps:\n\n* Click **A**.\n* In **B**, click **C**.\n\nIt is shown."
    )
    assert texts(procedure.steps) == ["1 Click A.", "2 In B, click C."]
    assert [s.text for s in procedure.results] == ["It is shown."]


def test_bullets_after_what_they_are_for_are_all_steps():
    bullets = ["Click your name.", "Select **A**.", "Pick a role.", "Hit **B**."]
    items = "".join(f"* {bullet}\n" for bullet in bullets)
    procedure = one(f"# T\n\nTo invite people:\n\n{items}")
    assert texts(procedure.steps) == [
        f"{n} {bullet.replace('**', '')}" for n, bullet in enumerate(bullets, start=1)
    ]
    assert not read(f"# T\n\nTo save, you can do this:\n\n{items}")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("**Name**: a name", ["Name"]),
        ("**Name:** a name", ["Name"]),
        ("**Name** (optional): a name", ["Name"]),
        ("**File** or **URL**: one", ["File", "URL"]),
        ("**名称**：输入名称", ["名称"]),
        ("* Name: a name", ["Name"]),
        ("* Enable DHCP: tick it", ["Enable DHCP"]),
        ("* **Name** - a name", ["Name"]),
        ("* `Rule`: the rule", ["Rule"]),
        ("* *Interval*: how often", ["Interval"]),
        ("* 名称：必填", ["名称"]),
        ("* 绑定弹性IP：选择**是**", ["绑定弹性IP"]),
        ("* **Record type**: **A**, which is the default.", ["Record type"]),
        ("* **Load balancer name**: a unique name.", ["Load balancer name"]),
        ("* **Name**\n\n  A name.", ["Name"]),
        ("Name\n: a name", ["Name"]),
        ("| **Name** | a name |\n|--|--|\n| **A** or B* | x |", ["A"]),
        (
            "| Name | What |\n|--|--|\n| A or B | x |\n| **Group** | |\n| C (必选) | y |",
            ["A", "B", "C"],
        ),
        ("| 参数 | 是否必选 | 说明 |\n|--|--|--|\n| 名称 | 是 | 输入名称。 |", ["名称"]),
        ("For example: a name", []),
        ("**Note**: a name", []),
        ("* Select one of: a, b", []),
        ("* click here: now", []),
        ("**Network** tab", []),
        ("| A | B |\n|--|--|\n| " + "long " * 20 + "| x |", []),
    ],
)
def test_fields(text, names):
    indented = text.replace("\n", "\n   ")
    procedure = one(f"# T\n\n1. Enter the values.\n\n   {indented}\n")
    assert labels(procedure.steps[0]) == names


def test_choices_below_a_field_are_its_options():
    step = one(
        "# T\n\n1. Enter:\n\n   **SourceText**: Select one of the following options:\n\n"
        "   * None, empty: Nothing. At all.\n   * **Image** or more\n   * Own\n\n"
        "   **Size**: A size.\n\n   * Hint: not an option of the size\n\n"
        "   **Kind**: Select one of:\n\n"
        "   * If you have an account that is older than this paragraph is long, the first.\n"
    ).steps[0]
    assert labels(step) == ["SourceText", "Size", "Hint", "Kind"]
    source, _, _, kind = step.fields
    assert [o.labels[0].text for o in source.options] == ["None, empty", "Image", "Own"]
    assert [s.text for s in source.options[0].description] == ["Nothing.", "At all."]
    assert kind.options == () and len(kind.description) == 2


def test_imperative_bullets_in_a_step_are_examples_unless_they_are_in_order():
    step = one("# T\n\n1. You can change it:\n   * Change the name.\n   * Clear **A**.\n").steps[0]
    assert step.substeps == ()
    assert step.text == "You can change it: Change the name. Clear A."
    step = one("# T\n\n1. Do this:\n   * Click **A**.\n   * Then click **B**.\n").steps[0]
    assert texts(step.substeps) == ["1.1 Click A.", "1.2 Then click B."]


@pytest.mark.parametrize(
    ("text", "optional", "condition"),
    [
        ("Optional: Click **A**.", True, None),
        ("(Optional) Click **A**.", True, None),
        ("Optionally, click **A**.", True, None),
        ("**(Optional)** Click **A**.", True, None),
        ("（可选）单击**A**。", True, None),
        ("可选：单击**A**。", True, None),
        ("If you have one, click **A**.", False, "If you have one"),
        ("(Optional) If you have one, click **A**.", True, "If you have one"),
        ("When asked, click **A**.", False, "When asked"),
        ("To save, click **A**.", False, None),
        ("如果您已登录，单击**A**。", False, "如果您已登录"),
        ("若未登录，请单击**A**。", False, "若未登录"),
        ("Click **A** if you like.", False, None),
    ],
)
def test_optional_and_conditional_steps(text, optional, condition):
    step = one(f"# T\n\n1. {text}\n").steps[0]
    assert (step.is_optional, step.condition) == (optional, condition)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("> [!TIP]\n> x", "tip"),
        ("!!! warning\n    x", "warning"),
        ('??? note "Title"\n    x', "note"),
        (":::caution Title\nx\n:::", "caution"),
        ('::callout{icon="mdi:info"}\nx\n::', "callout"),
        ("::note\n---\ntitle: Title\n---\nx\n::", "note"),
        ("> x", "quote"),
        ("**Note:** x", "note"),
        ("Note: x", "note"),
        ("注意：x", "attention"),
        ("**说明** ：x", "note"),
        ("<div class='alert alert-info'>x</div>", "info"),
    ],
)
def test_notes(text, kind):
    step = one("# T\n\n1. Click **A**.\n\n   " + text.replace("\n", "\n   ") + "\n").steps[0]
    (note,) = [p for p in step.body if isinstance(p, Note)]
    assert (note.kind, [s.text for s in note.sentences]) == (kind, ["x"])
    assert step.text == "Click A."


def test_components_between_colons_are_read_and_not_claimed():
    text = (
        "# T\n\n:cta-cloud\n\n::steps\n1. Click **A**.\n\n:::tip\nx\n:::\n\n2. Click **B**.\n::\n\n"
        ':video{id="v"}\n\nA list::\nof two.\n'
    )
    procedure = one(text)
    assert [s.text for s in procedure.steps] == ["Click A.", "Click B."]
    assert procedure.introduction == ()
    assert [s.text for s in procedure.results] == ["A list:: of two."]


def test_tabs_between_colons_are_alternatives():
    linux = ':::tab{label="Linux"}\nClick **A**.\n:::\n'
    tabs = f"::tabs\n{linux}{linux.replace('Linux', 'Windows').replace('A', 'B')}::\n"
    step = one("# T\n\n1. Choose.\n\n   " + tabs.replace("\n", "\n   ") + "\n").steps[0]
    assert [(s.condition, s.text) for s in step.substeps] == [
        ("Linux", "Click A."),
        ("Windows", "Click B."),
    ]


def test_a_bold_summary_is_no_label():
    step = one(
        "# T\n\n1. **Open the page**: Click **A**.\n"
        "2. **Save everything you did**\n\n   Click **B**.\n"
    ).steps
    assert [s.text for s in step] == ["Click A.", "Click B."]
    assert [p.kind for s in step for p in s.body if isinstance(p, Note)] == ["summary"] * 2


def test_tabs_in_a_step_are_alternatives():
    tabs = '    === "Linux"\n        Click **A**.\n\n    === "Windows"\n        Click **B**.\n'
    text = f"# T\n\n1. Choose.\n\n{tabs}"
    step = one(text).steps[0]
    assert [(s.condition, s.text) for s in step.substeps] == [
        ("Linux", "Click A."),
        ("Windows", "Click B."),
    ]


def test_prerequisites_of_document_and_section():
    procedures = read(
        "# D\n\nYou must have an account.\n\n## Before you begin\n\n1. Read it.\n2. A plan.\n\n"
        "## A\n\nMake sure that a bucket exists. A bucket is a thing.\n\n1. Click **A**.\n\n"
        "### Prerequisites\n\nA key.\n\n## B\n\n1. Click **B**.\n"
    )
    assert [[s.text for s in p.prerequisites] for p in procedures] == [
        [
            "Read it.",
            "A plan.",
            "You must have an account.",
            "A key.",
            "Make sure that a bucket exists.",
        ],
        ["Read it.", "A plan.", "You must have an account."],
    ]


@pytest.mark.parametrize(
    ("said", "is_one"),
    [
        ("Only a stopped instance can be resized.", True),
        ("Only instances that are stopped can be resized.", True),
        ("You can only resize an instance that is stopped.", True),
        ("An instance can be resized only while it is in the **Stopped** state.", True),
        ("The disk must be detached.", True),
        ("Before you resize an instance, it has to be stopped.", True),
        ("只有已停止的实例才能变更规格。", True),
        ("仅支持对处于**已停止**状态的实例变更规格。", True),
        ("实例必须处于已停止状态。", True),
        ("A stopped instance keeps its disk.", False),
        ("Only the owner can delete a bucket.", False),
        ("The name must be unique.", False),
        ("Once it is stopped, an instance can be started again.", False),
        ("You only pay for disks that are attached.", False),
        ("停止实例后，磁盘上的数据会保留。", False),
        ("只有管理员才能创建用户。", False),
    ],
)
def test_a_state_that_the_introduction_asks_for_is_a_prerequisite(said, is_one):
    procedure = one(f"# T\n\n{said}\n\n1. Click **A**.\n2. Click **B**.")
    assert len(procedure.prerequisites) == is_one


def test_results_say_what_is_now_the_case():
    procedure = one(
        "# T\n\n1. Click **A**.\n\nThe bucket is listed. To delete it, click **B**. "
        "You can also copy it.\n\n"
        "If you want more, see the manual.\n\n"
        "A message appears. When it is ready, its status changes to **Running**.\n\n"
        "## Expected result\n\nAll is well.\n"
    )
    assert [s.text for s in procedure.results] == [
        "The bucket is listed.",
        "A message appears.",
        "When it is ready, its status changes to Running.",
        "All is well.",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A b. C d.", ["A b.", "C d."]),
        ("Use it, e.g. One or two. Go.", ["Use it, e.g. One or two.", "Go."]),
        ("Size (GB). It is 1.5 or 2. Then go.", ["Size (GB).", "It is 1.5 or 2.", "Then go."]),
        ("Open `a. B` and **C. D** now. E.", ["Open a. B and C. D now.", "E."]),
        ("Go (see it. Or not) there. Go.", ["Go (see it. Or not) there.", "Go."]),
        ("It asks: sure? Click **Yes**! Done.", ["It asks: sure?", "Click Yes!", "Done."]),
        (
            "Click **Browse...** and look. **A** is shown.",
            ["Click Browse... and look.", "A is shown."],
        ),
        ("(Note: It is so.) Go.", ["(Note: It is so.)", "Go."]),
        ("单击A。选择B！完成？是；否", ["单击A。", "选择B！", "完成？", "是；", "否"]),
        ("Enter `400`. The default is 100.", ["Enter 400.", "The default is 100."]),
        ("Enter the values, etc. Then go.", ["Enter the values, etc.", "Then go."]),
        ("Click file.txt. Then: a, b", ["Click file.txt.", "Then: a, b"]),
    ],
)
def test_sentences(text, expected):
    procedure = one(f"# T\n\n1. Click it.\n\n   {text}\n")
    assert [p.text for p in procedure.steps[0].body] == ["Click it.", *expected]


@pytest.mark.parametrize(
    ("text", "role", "parts"),
    [
        ("**A > B**", InlineRole.MENU_PATH, ("A", "B")),
        ("**A** → **B** → **C**", InlineRole.MENU_PATH, ("A", "B", "C")),
        ("在**网络**>**子网**", InlineRole.MENU_PATH, ("网络", "子网")),
        ("「网络」 > 「子网」", InlineRole.MENU_PATH, ("网络", "子网")),
        ("**Presets >> Data Profiles**", InlineRole.MENU_PATH, ("Presets", "Data Profiles")),
        ("**SEARCH::Search plans**", InlineRole.MENU_PATH, ("SEARCH", "Search plans")),
        ("**AWS::S3::Bucket**", InlineRole.UI_LABEL, ()),
        ("单击“确定”", InlineRole.UI_LABEL, ()),
        ("输入“确定”", InlineRole.LITERAL, ()),
        ("**not** here", InlineRole.EMPHASIS, ()),
        ("**This is a whole sentence.**", InlineRole.EMPHASIS, ()),
        ("**[A](b)**", InlineRole.UI_LABEL, ()),
        ("**`a`**", InlineRole.LITERAL, ()),
        ("<span class='guilabel'>A</span>", InlineRole.UI_LABEL, ()),
        ("**A**{ .button }", InlineRole.UI_LABEL, ()),
        ("<https://a.b>", InlineRole.LINK, ()),
    ],
)
def test_marks(text, role, parts):
    sentence = one(f"# T\n\n1. Click {text} please.\n").steps[0].body[0]
    assert [(i.role, i.parts) for i in sentence.inlines] == [(role, parts)]


@pytest.mark.parametrize("name", ["buckets.md", "networks.rst", "security.html"])
def test_ids_stay_when_other_text_changes(name):
    text = (SAMPLES / "guide" / name).read_text()
    format = {".md": "markdown", ".rst": "rst", ".html": "html"}[Path(name).suffix]
    before = [p.id for p in read(text, format)]
    changed = re.sub(r"(Click|单击)", r"\1 on the next", text)
    more = {"markdown": "\n\nMore.\n", "rst": "\n\nMore.\n", "html": "<p>More.</p>"}[format]
    assert before and before == [p.id for p in read(changed + more, format)]


def test_equal_titles_get_numbers():
    found = read("# T\n\n## A\n\n1. Click **A**.\n\n## a!\n\n1. Click **B**.\n")
    assert [p.id for p in found] == ["guide/page/a", "guide/page/a-2"]


def test_markdown_and_the_html_made_of_it_read_the_same():
    text = (SAMPLES / "guide" / "buckets.md").read_text().partition("---\n\n")[2]
    text = re.sub(r"(?m)^( *)(?:!!!|===).*\n(?:\1 .*\n|\n)*", "", text).replace(" {#create}", "")
    page = MarkdownIt("commonmark").enable("table").render(text)
    ours, theirs = read(text), read(f"<nav>x</nav><main>{page}</main>", "html")
    assert len(ours) == 6

    def shape(step: Step) -> object:
        fields = [(labels(step), [s.text for s in f.description]) for f in step.fields]
        return step.index, step.text, fields, [shape(s) for s in step.substeps], step.condition

    for a, b in zip(ours, theirs, strict=True):
        assert (a.id, a.title_path) == (b.id, b.title_path)
        assert [shape(s) for s in a.steps] == [shape(s) for s in b.steps]
        assert [s.text for s in a.results] == [s.text for s in b.results]


def test_only_the_main_part_of_a_page_is_read():
    page = (
        "<header><ol><li>Click <b>A</b></ol></header>"
        "<div class='sidebar'><ol><li>Click <b>B</b></ol></div>"
        "<div class=content><h1>T</h1><ol><li>Click <b>C</b></ol></div>"
        "<footer><ol><li>Click <b>D</b></ol>"
    )
    assert texts(one(page, "html").steps) == ["1 Click C"]


def test_a_field_knows_where_it_is():
    field = one("# T\n\n1. Enter:\n   * **Size** of it: big\n   * Kind: small\n").steps[0].fields
    assert [(f.labels[0].text, f.span.line, f.span.column) for f in field] == [("Kind", 5, 6)]
    assert isinstance(field[0], Field)


AROUND = """# Disks

A disk belongs to a zone.

## Create a disk

Before you begin, sign in.

Disks are billed by the hour.

1. Click **Create**.

   > **Note:** It takes a minute.

2. Click **OK**.

A message says **Created**.

!!! note
    Names are for people.

![The list](list.png)

### Limits

At most ten disks.

## Delete a disk

1. Click **Delete**.
2. Click **OK**.

See also [Zones](zones.md).
"""


def test_what_is_said_around_the_steps_belongs_to_their_procedure():
    create, delete = read(AROUND)
    assert [s.text for s in create.introduction] == [
        "A disk belongs to a zone.",
        "Disks are billed by the hour.",
    ]
    assert [s.text for s in create.prerequisites] == ["Before you begin, sign in."]
    assert [s.text for s in create.results] == ["A message says Created."]
    assert [s.text for s in create.remarks] == [
        "Names are for people.",
        "The list",
        "At most ten disks.",
    ]
    assert delete.introduction == ()
    assert [s.text for s in delete.remarks] == ["See also Zones."]
    assert create.remarks[2].span.line == 26


def test_a_caption_of_html_stands_where_it_is():
    page = """<h1>T</h1><ol><li>Click <b>A</b>.</li><li>Click <b>B</b>.</li></ol>
<figure><img src="p.png"><figcaption>Red rows are late.</figcaption></figure>"""
    (caption,) = one(page, "html").remarks
    assert (caption.text, caption.span.line) == ("Red rows are late.", 2)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (
            "To add a user, click **Add user**. Enter a name in the **Name** field.\n\n"
            "When you are done, click **Save**.\n",
            [
                "1 To add a user, click Add user.",
                "2 Enter a name in the Name field.",
                "3 When you are done, click Save.",
            ],
        ),
        (
            "You can add a user by clicking on _New user_.\n\n![p](p.png)\n\nA form comes.\n",
            ["1 You can add a user by clicking on New user."],
        ),
        (
            "To add a user, go to a group and select _Users_ under _People_.\n\n"
            "At the top, click on the button _New user_.\n",
            [
                "1 To add a user, go to a group and select Users under People.",
                "2 At the top, click on the button New user.",
            ],
        ),
        (
            "- Click on _More_ and then _Copy_.\n\n![p](p.png)\n\n- The form opens.\n"
            "- Press the _Copy this page_ button.\n",
            ["1 Click on More and then Copy.", "2 Press the Copy this page button."],
        ),
        (
            "Users are found in the **Settings** menu.\n\nClick the 'Add' button, and then"
            " click **OK**.\n\nEnter a name and click **Save**.\n",
            [
                "0 Users are found in the Settings menu.",
                "1 Click the 'Add' button, and then click OK.",
                "2 Enter a name and click Save.",
            ],
        ),
        (
            "Open **Settings** > **Users**.\n\n1. Click **Add**.\n",
            ["0 Open Settings > Users.", "1 Click Add."],
        ),
        (
            "Navigate to the **Images** section and select a collection from the menu.\n",
            ["1 Navigate to the Images section and select a collection from the menu."],
        ),
        (
            "Old flags cost. To archive a flag, open its page and click **Archive**.\n\n"
            "## What then\n\nIt is gone.\n",
            ["1 Old flags cost. To archive a flag, open its page and click Archive."],
        ),
        (
            "To enable a flag, use the toggle of its row: click it.\n\nClients see it.\n",
            ["1 To enable a flag, use the toggle of its row: click it."],
        ),
    ],
)
def test_instructions_without_numbers(text, steps):
    assert texts(one("# T\n\n" + text).steps) == steps


def test_each_purpose_is_a_procedure():
    found = read(
        "# Users\n\nGo to the **Users** page.\n\nTo add a user, enter a name. Then click **Add**."
        "\n\nTo delete a user, select its box. Then click **Delete**.\n"
    )
    assert [p.title for p in found] == ["Add a user", "Delete a user"]
    assert all(p.steps[0].text == "Go to the Users page." for p in found)


def test_a_form_told_field_by_field_is_opened_first():
    procedure = one("# Pages\n\n## The Promote tab\n\n- **Slug:** A part.\n- **Title:** A line.\n")
    assert procedure.steps[0].text == "The Promote tab"
    assert labels(procedure.steps[1]) == ["Slug", "Title"]


def test_what_pages_are_for_is_no_form():
    tour = (
        "# Dashboard\n\n## Compute tab\n\n- **Images**: View images and snapshots.\n"
        "- **Instances**: View, launch, create a snapshot from, or reboot instances.\n"
        "- **Key Pairs**: Create and manage key pairs.\n"
    )
    assert not read(tour)
    assert not read("# 控制台\n\n## 计算页签\n\n- **镜像**：查看镜像。\n- **实例**：管理实例。\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "1. Install it:\n\n   ```bash\n   pip install it\n   ```\n2. Restart the server.\n",
            "command_line",
        ),
        ("1. Write `a.py`:\n\n   ```python\n   a = 1\n   ```\n", "code"),
        ("1. Insert the disk.\n2. Reboot the machine.\n", "no_control"),
        ("Pages have a title. Click **Help** at any time.\n", "explains"),
        (
            "There is much here. Click **Add** and choose **Users**.\n\n## More\n\nThat is all.\n",
            "explains",
        ),
        ("Click **Export** to get a file.\n\nClick **Import** to read a file.\n", "explains"),
        ("Once you are done, click **Save** and then click **Close**.\n\n- Nothing.\n", "explains"),
    ],
)
def test_what_is_left_out_and_why(text, reason):
    document = parse_document("# T\n\n" + text, "guide/page", "markdown")
    assert document.procedures == ()
    assert [one.reason for one in document.left_out] == [reason]


PAGE = """# Buckets

Buckets hold things.

## What a bucket is

It is a container. It has a name.

## Make a bucket

1. Go to **Products** > **Buckets**.
2. Conjure up a bucket under the name that you were given.
3. Frobnicate the bucket in the usual way.

## Delete a bucket

1. Click **Delete**.

### Notes

The name is free then.

## On the command line

1. Run `rm`:

   ```bash
   rm bucket
   ```
"""


def test_to_a_model_any_section_is_a_candidate():
    document = parse_document(PAGE, "guide/page", "markdown")
    assert [p.title for p in document.procedures] == ["Delete a bucket"]
    assert [(p.title, p.needs_model) for p in document.candidates] == [
        ("What a bucket is", True),
        ("Make a bucket", True),
    ]
    made = document.candidates[1]
    assert made.id == "guide/page/make-a-bucket"
    assert [step.text for step in made.steps] == [
        "Go to Products > Buckets.",
        "Conjure up a bucket under the name that you were given.",
        "Frobnicate the bucket in the usual way.",
    ]
    assert [names_task(p) for p in document.candidates] == [False, True]


@pytest.mark.parametrize(
    ("title", "text", "is_one"),
    [
        ("Publishing a request", "Click **Publish** at the top to make it public.", True),
        ("Delete a request", "It is a draft at first. Click **Delete** to remove it.", True),
        ("Requests", "It is a draft at first. Click **Publish** to make it public.", False),
        ("Editing a token", "- Click the pencil icon.\n- Click the drop-down for a level.", True),
        ("Tokens", "- Click the pencil icon.\n- Click the drop-down for a level.", False),
        ("Editing a token", "A token has a name. You see it at the top.", False),
        ("Adding folders", "Folders are added by clicking **Add new…** in the toolbar.", True),
        ("Adding a box", "It is as easy as selecting **Add box** and clicking on a kind.", True),
        ("Adding news", "It shows on top.\n\nUse the *Add new...* menu to add one.", True),
        ("Opening a shell", "You can do it by using the WIN + R shortcut of the window.", False),
        ("Folders", "Folders are added by clicking **Add new…** in the toolbar.", False),
        (
            "Adding a page",
            "See below.\n\nClick **Add**.\n\nThe *Title* is shown. So is more.",
            True,
        ),
    ],
)
def test_under_the_title_of_a_task_one_instruction_is_enough(title, text, is_one):
    made = read(f"# {title}\n\n{text}\n")
    assert [p.title for p in made if not p.needs_model] == [title] * is_one


def test_the_easiest_way_is_the_way():
    text = 'The easiest way is by using "Contents" on the toolbar.\n\nOpen **A**, then click **B**.'
    assert [s.index for s in one(f"# Cutting items\n\n{text}\n").steps] == [WAY, "1"]


def test_quotes_are_no_part_of_a_name():
    (step,) = one('# Remove it\n\n1. Click the **"X"** beside it.\n').steps
    assert [i.text for s in step.body for i in s.labels()] == ["X"]


def test_what_is_done_before_a_run_of_instructions_belongs_to_it():
    text = "Click **New** in the menu.\n\nClick **File**, then click **Browse**."
    assert [s.text for s in one(f"# Adding files\n\n{text}\n").steps] == [
        "Click New in the menu.",
        "Click File, then click Browse.",
    ]


def test_six_paragraphs_of_prose_are_a_candidate():
    text = "".join(f"\nThe page has a part {n}, where one writes something.\n" for n in range(6))
    document = parse_document(f"# The page\n{text}", "guide/page", "markdown")
    (candidate,) = document.candidates
    assert (document.procedures, len(candidate.steps)) == ((), 6)


def test_what_is_left_out_by_its_form_alone_is_a_candidate():
    text = "# T\n\n## Exports\n\nClick **Export** to get a file.\n\nClick **Import** to read one.\n"
    document = parse_document(text, "guide/page", "markdown")
    assert [one.title for one in document.left_out] == ["Exports"]
    assert [one.title for one in document.candidates] == ["Exports"]


@pytest.mark.parametrize(
    ("title", "text", "is_task"),
    [
        ("Create a bucket", "It is made by the button.", True),
        ("Creating a bucket", "It is made by the button.", True),
        ("Setting the size", "It is set by the button.", True),
        ("How to get a bucket", "It is made by the button.", True),
        ("创建存储桶", "存储桶在这里。", True),
        ("Pricing of buckets", "They cost nothing.", False),
        ("Billing", "They cost nothing.", False),
        ("String values", "They are texts.", False),
        ("Buckets", "Click the first. Then it opens, and you see what is in it.", True),
    ],
)
def test_which_candidates_name_a_task(title, text, is_task):
    document = parse_document(f"# T\n\n## {title}\n\n{text}\n", "guide/page", "markdown")
    assert [names_task(one) for one in document.candidates] == [is_task]


def test_checks_may_be_of_a_candidate(tmp_path):
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "page.checks.yaml").write_text(
        "procedures:\n  make-a-bucket:\n    bindings:\n      Name: b-1\n"
    )
    (document,) = load_documents([tmp_path])
    assert document.candidates[1].checks.bindings == {"Name": "b-1"}


def test_what_is_left_out_changes_no_id():
    console, shell = "1. Click **A**.\n", "1. Run `a`:\n\n   ```bash\n   a\n   ```\n"
    prose = "Click **A**, then click **B**.\n\n- x\n"
    text = "# T\n" + "".join(f"\n## Edit\n\n{body}" for body in (shell, console, prose))
    assert [p.id for p in read(text)] == ["guide/page/edit-2", "guide/page/edit-3"]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Click the 'Promoted results' menu item.", ["Promoted results"]),
        ("Use the `Add a task` button.", ["Add a task"]),
        ("Click on _More_ and then _Copy_.", ["More", "Copy"]),
        ("Click the user's name in Wagtail's list.", []),
        ("Click the *name* link of `web-1`.", []),
        ("Choose {guilabel}`Save` in {doc}`the page <there>`.", ["Save"]),
    ],
)
def test_what_is_clicked_is_a_label_however_it_is_marked(text, marked):
    (step,) = one(f"# T\n\n1. {text}\n").steps
    found = [i.text for s in step.body for i in s.inlines if i.role is InlineRole.UI_LABEL]
    assert found == marked


COMPONENTS = """# Create a key

<Steps>
  <Step title="Open the settings">
    Go to **Settings** > **Keys**.

    <Note>
      Only owners can.
    </Note>
  </Step>
  <Step
    title="Name it"
    icon="key">
    In **Name**, enter `web`.
    <Tabs>
      <Tab title="Small">
        Click **Small**.
      </Tab>
      <Tab title="Large">
        Click **Large**.
      </Tab>
    </Tabs>
  </Step>
  <Step title="Click Save">
  </Step>
</Steps>
<Open>
"""


def test_steps_that_are_components():
    procedure = one(COMPONENTS)
    assert [s.index for s in procedure.walk()] == ["1", "2", "2.1", "2.2", "3"]
    first, second, third = procedure.steps
    assert [type(part).__name__ for part in first.body] == ["Note", "Sentence", "Note"]
    (marked,) = (i for part in first.body if isinstance(part, Sentence) for i in part.inlines)
    assert (marked.text, marked.span.line, marked.span.column) == ("Settings > Keys", 5, 13)
    assert second.text == "In Name, enter web."
    assert [s.condition for s in second.substeps] == ["Small", "Large"]
    assert third.span.line == 24


def test_tabs_that_are_components_are_alternatives():
    text = (
        "# T\n\n<Tabs>\n<TabItem value='ui' label='Console'>\n\n1. Click **A**.\n\n</TabItem>\n"
        "<TabItem value='cli' label='CLI'>\n\n1. Run `a`:\n\n   ```sh\n   a\n   ```\n\n"
        "</TabItem>\n</Tabs>\n"
    )
    procedure = one(text)
    assert procedure.title == "Console"
    assert texts(procedure.steps) == ["1 Click A."]


def test_a_title_that_mdx_fills_in_is_what_it_says() -> None:
    text = (
        "export const metadata = {\n  title: `Manage Groups`,\n}\n\n# {metadata.title}\n\n"
        "## Create a group\n\n1. Click **Create**.\n2. Click **Save**.\n\n## {other.title}\n\n"
        "1. Click **Go**.\n2. Click **On**.\n"
    )
    document = parse_document(text, "docs/page.mdx", "markdown")
    assert document.title == "Manage Groups"
    assert [p.title_path for p in document.procedures] == [
        ("Manage Groups", "Create a group"), ("Manage Groups", "{other.title}"),
    ]  # fmt: skip
