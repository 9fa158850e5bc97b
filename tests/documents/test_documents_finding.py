"""The forms in which manuals tell how something is done, and what looks like them and is none."""

import pytest
from documents_checks import check_shape

from appliance.core.procedure import Document, LeftOutReason
from appliance.documents import parse_document


def read(text: str, format: str = "markdown") -> Document:
    document = parse_document(text, "guide/page", format)
    check_shape(document)
    return document


def told(text: str, format: str = "markdown") -> dict[str, list[str]]:
    """Titles, and what the steps say."""
    return {p.title: [s.text for s in p.steps] for p in read(text, format).procedures}


def test_questions_of_an_faq() -> None:
    text = (
        "# Frequently asked questions\n\n"
        "## How do I delete a board?\n\nOpen its menu and click **Delete**.\n\n"
        "## Can I export my data?\n\nYes. Click **Export** on the **Data** page.\n\n"
        "## How can I get a new password?\n\nYou can click **Password** in your profile.\n\n"
        "## What is a board?\n\nA board is a list. Click **Boards** to see yours.\n\n"
        "## Why is my run slow?\n\nIt may be waiting. Click **Queue** to see it.\n"
    )
    assert list(told(text)) == [
        "How do I delete a board?", "Can I export my data?", "How can I get a new password?",
    ]  # fmt: skip


def test_questions_in_bold_and_in_definitions() -> None:
    bold = (
        "# FAQ\n\n**Q: How do I rename a board?**\n\nA: Open its menu and click **Rename**.\n\n"
        "**What is a board?**\n\nA board is a list.\n"
    )
    assert told(bold) == {
        "Q: How do I rename a board?": ["A: Open its menu and click Rename."],
    }
    defined = (
        "Common tasks\n============\n\nTo add a user\n    Click :guilabel:`Users`, then click "
        ":guilabel:`Add`.\n\nTo remove a user\n"
        "    Select the user and click :guilabel:`Remove`.\n\n"
        "Terms\n=====\n\nUser\n    Somebody who logs in. Click :guilabel:`Users` to see them.\n"
    )
    assert list(told(defined, "rst")) == ["To add a user", "To remove a user"]


def test_questions_in_chinese() -> None:
    text = (
        "# 常见问题\n\n## 如何删除实例？\n\n单击**更多** > **删除**，然后单击**确定**。\n\n"
        "## 怎样修改密码？\n\n您可以在**个人中心**页面单击**修改密码**。\n\n"
        "## 什么是实例？\n\n实例是一台虚拟机。您可以单击**实例**查看。\n"
    )
    assert list(told(text)) == ["如何删除实例？", "怎样修改密码？"]


@pytest.mark.parametrize(
    ("head", "first", "more"),
    [
        ("| Step | Action | Result |", "| 1 |", ""),
        ("| No. | Instruction | Result |", "| Step 1 |", ""),
        ("| 步骤 | 操作 | 结果 |", "| 1 |", ""),
    ],
)
def test_rows_of_a_table_are_steps(head: str, first: str, more: str) -> None:
    text = (
        f"# Create a rule\n\n{head}\n|---|---|---|\n"
        f"{first} Go to **Rules** and click **Add**. | The form opens. |\n"
        f"{first.replace('1', '2')} Click **Save**. | {more} |\n"
    )
    assert told(text) == {
        "Create a rule": ["Go to Rules and click Add. The form opens.", "Click Save."]
    }


def test_rows_of_a_table_are_tasks() -> None:
    text = (
        "# Keys\n\n| Task | Steps |\n|---|---|\n"
        "| Create a key | Click **Keys** and click **New key**. |\n"
        "| Delete a key | Select the key, click **Delete** and confirm. |\n"
    )
    assert list(told(text)) == ["Create a key", "Delete a key"]


@pytest.mark.parametrize(
    "table",
    [
        "| Action | Shortcut |\n|---|---|\n| Open the **Menu** | Ctrl+M |\n| Save | Ctrl+S |\n",
        "| Action | Role |\n|---|---|\n| Create **Boards** | Admin |\n"
        "| Delete **Boards** | Owner |\n",
        "| # | Field | About |\n|---|---|---|\n| 1 | **Name** | Its name. |\n"
        "| 2 | **Zone** | A. |\n",
        "| Step | Action |\n|---|---|\n| 1 | Open `a.yaml`. |\n"
        "| 2 | Run `systemctl restart a`. |\n",
    ],
)
def test_tables_that_tell_nothing_to_do_in_a_console(table: str) -> None:
    assert told("# T\n\n" + table) == {}


@pytest.mark.parametrize("number", ["**Step {}.** ", "Step {}: ", "步骤{}：", "（{}）", "{}、"])
def test_paragraphs_with_numbers_are_steps(number: str) -> None:
    lines = ["Go to **Tokens**.", "Click **Generate**.", "Copy the token."]
    text = "\n\n".join(number.format(n) + line for n, line in enumerate(lines, start=1))
    assert told("# Create a token\n\n" + text) == {
        "Create a token": [line.replace("*", "") for line in lines]
    }


def test_headings_that_are_instructions_are_steps() -> None:
    text = (
        "# Set up an alert\n\n### Open the **Alerts** page\n\nFrom the menu, choose **Alerts**.\n\n"
        "### Click **New alert**\n\nThe form opens.\n\n### Choose a value\n\n"
        "Enter it in **Threshold** and click **Save**.\n"
    )
    assert told(text) == {
        "Set up an alert": [
            "From the menu, choose Alerts.",
            "Click New alert The form opens.",
            "Enter it in Threshold and click Save.",
        ]
    }


def test_what_is_folded_is_a_procedure_of_its_own() -> None:
    text = (
        "# Team\n\n<details>\n<summary>How to add a member</summary>\n\n1. Click **Members**.\n"
        "2. Click **Add**.\n\n</details>\n\n<details><summary>Remove a member</summary>\n\n"
        "Open the member's menu and click **Remove**.\n\n</details>\n\n"
        '??? note "Rename the team"\n\n    1. Click **Settings**.\n    2. Click **Save**.\n'
    )
    found = read(text).procedures
    assert [(p.title, p.span.line) for p in found] == [
        ("How to add a member", 4), ("Remove a member", 11), ("Rename the team", 17),
    ]  # fmt: skip


def test_of_tabs_only_the_console_counts() -> None:
    text = (
        "# Delete a bucket\n\n<Tabs>\n<TabItem label='Console'>\n\n"
        "Go to **Buckets**. Select it and "
        "click **Delete**.\n\n</TabItem>\n<TabItem label='gcloud'>\n\nUse this:\n\n```\n"
        "a b\n```\n\n"
        "</TabItem>\n<TabItem label='Client'>\n\nCall it:\n\n```js\na()\n```\n\n"
        "</TabItem>\n</Tabs>\n"
    )
    assert told(text) == {"Delete a bucket": ["Go to Buckets. Select it and click Delete."]}


def test_entries_and_paragraphs_with_purposes_are_procedures_of_their_own() -> None:
    bullets = (
        "# Lists\n\n- To sort a list, click the column header.\n"
        "- To filter a list, enter a word in the **Filter** box.\n"
        "- To export it, click **Export**.\n"
    )
    assert list(told(bullets)) == ["Sort a list", "Filter a list", "Export it"]
    bold = (
        "# Lists\n\n**To add a list**, click **New**, type a **Name**, and press Enter.\n\n"
        "**To copy a list**: open its menu and select **Copy**.\n"
    )
    assert list(told(bold)) == ["Add a list", "Copy a list"]


def test_a_page_told_field_by_field_is_gone_over_and_saved() -> None:
    text = (
        "# Profile\n\nThe Profile page allows you to change your name.\n\n"
        "* **First name**: Your first name.\n* **Last name**: Your last name.\n\n"
        "When you are finished, click **Save**.\n"
    )
    (procedure,) = read(text).procedures
    assert [s.text for s in procedure.steps] == [
        "Profile", "", "When you are finished, click Save.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Deleting a group", "To delete a group, select it and click on the bin."),
        (
            "Deleting a group",
            "Groups are deleted by selecting the checkboxes and clicking the bin.",
        ),
        (
            "Editing a card",
            "To edit the properties of a card, simply click on the name of the card.",
        ),
        ("Hiding cards", "You can hide cards using the associated hide link."),
        ("Giving approval", "The quickest way to do so is to click **Ship It!** at the top."),
        ("Editing reviews", "Clicking **Edit** in the menu will display the form."),
        ("Sync", "To get the newest, all you have to do is to go to **Data** and hit **Sync**."),
        ("Annotation", "Next, let's annotate texts.\n\nClick **Start** to see the first of them."),
        ("Descriptions", "The banner has a field. You can enter a text there and click **Save**."),
        ("Calls", "As an event manager click on **Calls**. Click on **Enable**."),
        ("Super users", "To make a user a super user, edit it and tick the **Super** checkbox."),
        (
            "Embedding a chart",
            "Its code is made by going to it and clicking on `…` > `Share` > `Code`.",
        ),
    ],
)
def test_a_task_that_is_told_in_a_sentence(title: str, text: str) -> None:
    assert len(told(f"# D\n\n## {title}\n\n{text}\n")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "**Discard** will delete your draft.\n\n**Publish** will publish it.",
        "Clicking **New** will make a review.\n\nClicking **Discard** will discard it.",
        "While it is open, you can hover over the box to see more.",
        "Click [here](https://example.com) to read the documentation.",
        "Note that **Admin** users have access to all.",
        "To add an entry, you will need to use the `register_menu_item` hook (see Menu Item).",
        "To register the view, create `views.py`:\n\n```python\na()\n```\n\nThen click the link.",
    ],
)
def test_what_only_tells_about_controls_and_code(text: str) -> None:
    assert told(f"# D\n\n## Editing reviews\n\n{text}\n") == {}


def test_the_last_instruction_is_not_lost_behind_an_explanation() -> None:
    text = (
        "# Adding folders\n\nFolders are added by clicking the **Add new** menu. Select "
        "**Folder**.\n\n"
        "Fill in the **Title**.\n\nYou also notice tabs along the top:\n\n"
        "- *Default*, for entering the title,\n- *Dates*, for setting the time.\n\n"
        "Be sure to click **Save** at the bottom of the page when you are finished.\n"
    )
    (steps,) = told(text).values()
    assert steps[-1] == "Be sure to click Save at the bottom of the page when you are finished."


def test_commands_in_rows_keep_their_reason() -> None:
    text = "# T\n\n| Step | Action |\n|---|---|\n| 1 | Open `a.yaml`. |\n| 2 | Set `b` in it. |\n"
    assert [one.reason for one in read(text).left_out] == [LeftOutReason.CODE]
