"""Tasks that a text offers, by the way or with "To do this", and what only looks like one."""

import pytest
from documents_checks import check_shape

from appliance.core.procedure import Procedure
from appliance.documents import parse_document


def read(text: str) -> tuple[Procedure, ...]:
    document = parse_document(text, "guide/page", "markdown")
    check_shape(document)
    return document.procedures


@pytest.mark.parametrize(
    ("title", "text", "is_one"),
    [
        (
            "Painting a fence",
            "Fences may have a colour. To do this, select the kind Latticed and press the Paint"
            " button rather than the default.",
            True,
        ),
        (
            "Painting a fence",
            "You start with a bare one. To do this go to the Fence Hall, open the drop-down menu"
            " beside the fence and click Paint.",
            True,
        ),
        ("Fences", "Some are bare. To do this, select it and press the Paint button.", False),
        ("Painting a fence", "To do this, you need a brush.", False),
        ("Manually painting fences", "Once it dries, from the menu select **Fences**.", True),
        ("Painting a fence", "In the toolbar click **Paint**.", True),
        ("Fences", "In the toolbar the **Paint** button is shown.", False),
    ],
)
def test_to_do_this_and_places_without_a_comma(title, text, is_one):
    assert [p.title for p in read(f"# {title}\n\n{text}\n")] == [title] * is_one


FIELDS = "- **Colour:** what you see.\n- **Height:** select how high it is.\n"


def test_a_form_that_is_offered_with_its_fields():
    text = (
        "# Fences\n\nYou can add a fence to the garden when you click the 'Add fence' button."
        " The form which comes up allows you to define:\n\n"
    )
    (procedure,) = read(text + FIELDS)
    (step,) = procedure.steps
    assert [f.labels[0].text for f in step.fields] == ["Colour", "Height"]
    assert not read(text)
    assert not read(text.replace("when you click the 'Add fence' button", "in spring") + FIELDS)


@pytest.mark.parametrize(
    ("title", "text", "is_one"),
    [
        ("Opening gates", "Gates are opened by clicking the icon next to their name.", True),
        ("Opening gates", "You can open gates from afar by clicking on the menu.", False),
        ("Adding gates", "You can add gates from afar by clicking on the menu or so.", False),
        ("Opening gates", "Once set up, you can open some by selecting the option.", False),
        ("Opening gates", "However, you can open all by choosing **Open** from the list.", False),
        ("Opening gates", "You can open all of them by choosing **Open** from the list.", True),
        ("Gate triggers", "**Open the gate's wings** - Open or close any wing of it.", False),
        ("Gate triggers", "**Open the gate** - Go to **Gates** and click **Open**.", True),
    ],
)
def test_what_is_said_by_the_way_is_no_task(title, text, is_one):
    assert [p.title for p in read(f"# {title}\n\n{text}\n")] == [title] * is_one
