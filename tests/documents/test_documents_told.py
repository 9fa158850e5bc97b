"""Running text that is nothing but instructions, and what is shown below it."""

import pytest
from documents_checks import check_shape

from appliance.core.procedure import Code, Procedure, Step
from appliance.documents import parse_document


def one(text: str) -> Procedure:
    document = parse_document(text, "guide/page", "markdown")
    check_shape(document)
    (procedure,) = document.procedures
    return procedure


def names(step: Step) -> list[str]:
    return [label.text for field in step.fields for label in field.labels]


TABLE = "| Field | Meaning |\n|---|---|\n| Depth | How deep it is. |\n| Width | Its width. |\n"


@pytest.mark.parametrize(
    "lead",
    [
        "Fill in the details, using the table below as a guide.",
        "As soon as the page is there (or if it was) pick your measures from the fields below.",
    ],
)
def test_the_fields_below_a_sentence_are_its_step_s(lead):
    text = (
        "# Digging a pond\n\nOpen **Ponds**, then click **New pond**.\n\n"
        f"{lead}\n\n{TABLE}\n![p](p.png)\n\n"
        "| Field | Meaning |\n|---|---|\n| Lining | Of clay. |\n\n"
        "When you are ready, click **Dig**.\n"
    )
    opened, filled, dug = one(text).steps
    assert filled.text == lead
    assert names(filled) == ["Depth", "Width", "Lining"]
    assert (filled.span.line, filled.span.end_line) == (5, 16)
    assert dug.text == "When you are ready, click Dig." and not opened.fields


def test_fields_in_chinese():
    text = (
        "# 创建鱼塘\n\n单击**鱼塘**，然后单击**新建**。\n\n请参考下表填写参数。\n\n"
        "| 参数 | 说明 |\n|---|---|\n| 深度 | 鱼塘的深度。 |\n| 宽度 | 鱼塘的宽度。 |\n\n"
        "单击**确定**。\n"
    )
    steps = one(text).steps
    assert [names(step) for step in steps] == [[], ["深度", "宽度"], []]


def test_tables_below_what_only_explains_are_no_fields():
    text = (
        "# Digging a pond\n\nOpen **Ponds**, then click **New pond**.\n\n"
        f"Ponds differ a lot.\n\n{TABLE}\nClick **Dig**, then click **Close**.\n"
    )
    assert [names(step) for step in one(text).steps] == [[], []]


def test_code_and_tabs_belong_to_the_step_that_they_stand_below():
    text = (
        "# Setting a filter\n\nOpen **Ponds**, then click **Filters**.\n\n"
        "Paste this into **Query**:\n\n```\ndepth > 3\n```\n\nIt looks so:\n\n"
        "```\n3 ponds\n```\n\n"
        '=== "Deep"\n\n    Click **Deep**.\n\n=== "Flat"\n\n    Click **Flat**.\n\n'
        "Click **Apply**.\n"
    )
    steps = one(text).steps
    code = [part.text for step in steps for part in step.body if isinstance(part, Code)]
    assert code == ["depth > 3\n"]
    assert [s.text for s in steps[1].substeps] == ["Click Deep.", "Click Flat."]


def test_alternatives_in_tabs_are_kept():
    text = (
        "# Setting a filter\n\nOpen **Ponds**, then click **Filters**.\n\n"
        "Choose the kind of it.\n\n"
        '=== "Deep"\n\n    Click **Deep**.\n\n=== "Flat"\n\n    Click **Flat**.\n'
    )
    kind = one(text).steps[1]
    assert [(s.condition, s.text) for s in kind.substeps] == [
        ("Deep", "Click Deep."),
        ("Flat", "Click Flat."),
    ]


def test_instructions_before_the_run_and_offers_in_it_are_steps():
    text = (
        "# Filling a pond\n\nEnter the address of your well. Click **Probe** to try it.\n\n"
        "Click **Fill**, then click **Close**.\n\n"
        "If there is yet another well to be used you can click **Another well** to add it.\n\n"
        "Otherwise if ponds are left click **Next** to return to the list.\n"
    )
    procedure = one(text)
    assert [step.text for step in procedure.steps] == [
        "Enter the address of your well.",
        "Click Probe to try it.",
        "Click Fill, then click Close.",
        "If there is yet another well to be used you can click Another well to add it.",
        "Otherwise if ponds are left click Next to return to the list.",
    ]
    assert procedure.results == ()


@pytest.mark.parametrize(
    ("heading", "title", "is_caption"),
    [
        ("###### Table 3-1. Fields of a pond", "Digging a pond", True),
        ("###### 表 3-1 鱼塘参数", "Digging a pond", True),
        ("###### Tables of fish", "Digging a pond", False),
    ],
)
def test_what_stands_over_a_table_ends_no_section(heading, title, is_caption):
    text = (
        f"# {title}\n\nOpen **Ponds**, then click **New pond**.\n\n"
        f"Enter the details, as described below.\n\n{heading}\n\n{TABLE}\n"
        "When you are ready, click **Dig**.\n"
    )
    steps = parse_document(text, "guide/page", "markdown").procedures[0].steps
    assert [names(step) for step in steps] == (
        [[], ["Depth", "Width"], []] if is_caption else [[], []]
    )


def test_what_a_procedure_is_for_begins_it_without_a_mark():
    text = (
        "# Adding a keeper\n\n"
        "To add a keeper, select the Keepers item in the menu. Then click the plus sign.\n\n"
        "![k](k.png)\n\nEnter a `Name`, and click **Add**.\n"
    )
    assert [step.text for step in one(text).steps] == [
        "To add a keeper, select the Keepers item in the menu.",
        "Then click the plus sign.",
        "Enter a Name, and click Add.",
    ]


def test_a_picture_that_is_named_by_a_substitution_asks_for_nothing():
    text = (
        "Digging\n=======\n\n#. Open **Ponds**.\n\n   |Click here to dig|\n\n"
        "#. Click |spade| **Dig**.\n\n"
        ".. |Click here to dig| image:: dig.png\n.. |spade| image:: spade.png\n"
    )
    (procedure,) = parse_document(text, "guide/page", "rst").procedures
    assert [step.text for step in procedure.steps] == ["Open Ponds.", "Click spade Dig."]
