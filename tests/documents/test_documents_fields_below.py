"""Fields that are told below a click, in bullets and paragraphs of their own."""

import pytest
from documents_checks import check_shape

from appliance.core.procedure import Procedure, Step
from appliance.documents import parse_document


def read(text: str) -> tuple[Procedure, ...]:
    document = parse_document(text, "guide/page", "markdown")
    check_shape(document)
    return document.procedures


def one(text: str) -> Procedure:
    (procedure,) = read(text)
    return procedure


def names(step: Step) -> list[str]:
    return [label.text for field in step.fields for label in field.labels]


BULLETS = (
    "- **Headline**: What the poster says.\n- **Paper**: Its size.\n"
    "- **Keep a copy**: Check this box if you want to see it again.\n"
)
PARAGRAPHS = (
    "**Headline** - What the poster says.\n\n**Paper** - Its size.\n\n"
    "**Keep a copy** - Whether it is kept.\n"
)


@pytest.mark.parametrize("fields", [BULLETS, PARAGRAPHS])
@pytest.mark.parametrize(
    "lead",
    ["Then the poster form opens:", "For each poster, you can set the following fields:"],
)
def test_they_belong_to_the_step_before_them(lead, fields):
    step, saved = one(
        f"# Printing a poster\n\nOn the wall, click **New poster**.\n\n{lead}\n\n![p](p.png)\n\n"
        f"{fields}\nFields may be empty.\n\nClick **Print**.\n"
    ).steps
    assert names(step) == ["Headline", "Paper", "Keep a copy"]
    assert saved.text == "Click Print."


def test_an_instruction_above_them_is_a_step():
    table = "| Field | Meaning |\n|---|---|\n| Paper | Its size. |\n| Ink | Its colour. |\n"
    for fields, first in ((BULLETS, "Headline"), (table, "Paper")):
        steps = one(
            "# Printing a poster\n\nOn the wall, click **New poster**.\n\n"
            f"Enter the key details:\n\n{fields}\nAt the end, click **Print**.\n"
        ).steps
        assert [step.text for step in steps] == [
            "On the wall, click New poster.",
            "Enter the key details:",
            "At the end, click Print.",
        ]
        assert names(steps[1])[0] == first


def test_in_chinese():
    (step,) = one(
        "# 创建海报\n\n在首页单击**新建海报**。\n\n海报表单包含以下参数：\n\n"
        "- **标题**：海报的标题。\n- **纸张**：纸张的大小。\n"
    ).steps
    assert names(step) == ["标题", "纸张"]


@pytest.mark.parametrize(
    "behind",
    [
        "The menu has the following actions:\n\n- **Edit**: Changes it.\n- **Delete**: Removes it.",
        "You can see the following properties:\n\n- **Age**: Its age.\n- **Owner**: Whose it is.",
        "A dialog opens:\n\n- **Edit**: Changes it.\n- **Delete**: Removes it.\n",
        "Posters have a history.\n\n- **Age**: Its age.\n- **Owner**: Whose it is.\n",
    ],
)
def test_what_is_seen_or_clicked_there_is_no_field(behind):
    (step,) = one(f"# Printing a poster\n\nOn the wall, click **New poster**.\n\n{behind}\n").steps
    assert not step.fields


@pytest.mark.parametrize("fields", [BULLETS, PARAGRAPHS])
def test_fields_without_a_step_are_no_procedure(fields):
    assert not read(f"# Posters\n\nYou can set the following fields:\n\n{fields}")


def test_a_list_goes_on_behind_a_note():
    text = (
        "# Hiring a clerk\n\n1. Click **Hire**.\n2. Fill in the form:\n\n"
        "   - **Surname** - As in the passport.\n   - **Desk** - Where the clerk sits.\n\n"
        "> [!NOTE]\n> Desks are few.\n\n"
        "- **Shift** - When the clerk comes.\n- **Tongue** - Which language.\n\n"
        "Welcome the clerk.\n"
    )
    assert names(one(text).steps[1]) == ["Surname", "Desk", "Shift", "Tongue"]
    other = text.replace("- **Shift** - When", "- **Shift** comes when")
    assert names(one(other).steps[1]) == ["Surname", "Desk"]


def test_a_run_of_text_keeps_paragraphs_that_name_fields():
    steps = one(
        "# Printing a poster\n\nOpen **Posters**, then click **New**.\n\n"
        f"You can set the following fields:\n\n{PARAGRAPHS}\nClick **Print**.\n"
    ).steps
    assert names(steps[0]) + names(steps[1]) == ["Headline", "Paper", "Keep a copy"]


def test_entries_that_are_sentences_are_fields_among_fields():
    text = (
        "# Hiring a clerk\n\n1. Click **Hire**.\n2. Fill in these fields:\n\n"
        "   - **Surname** - As in the passport.\n   - **Desk** is where the clerk sits.\n"
        "   - **Shift, Pay** are agreed on. Ask for them.\n   - **Tongue**: Which language.\n"
    )
    step = one(text).steps[1]
    assert [[label.text for label in field.labels] for field in step.fields] == [
        ["Surname"], ["Desk"], ["Shift", "Pay"], ["Tongue"],
    ]  # fmt: skip
    assert [s.text for s in step.fields[2].description] == ["are agreed on.", "Ask for them."]


def test_such_fields_in_chinese():
    text = (
        "# 新增员工\n\n1. 单击**新增**。\n2. 填写以下参数：\n\n   - **姓名**：员工的姓名。\n"
        "   - **部门**是员工所在的部门。\n   - **工号**：员工的编号。\n"
    )
    assert names(one(text).steps[1]) == ["姓名", "部门", "工号"]


@pytest.mark.parametrize(
    "entries",
    [
        "- **Surname** is as in the passport.\n- **Desk** is where the clerk sits.\n",
        "- **Surname**: As in it.\n- **Desk** is here.\n- **Pay** is money.\n",
    ],
)
def test_sentences_about_labels_alone_are_no_fields(entries):
    text = f"# Hiring a clerk\n\n1. Click **Hire**.\n2. Look at it.\n\n{entries}"
    assert "Desk" not in [name for step in one(text).steps for name in names(step)]
