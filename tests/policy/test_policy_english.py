"""English sentences, as real guides write them, and what the reader makes of them."""

import pytest

from appliance.documents import parse_document
from appliance.policy.literal import Intent, read_procedure

CASES = [
    ("Head over to **Settings** > **Users**.", ["open Settings (path)", "open Users (place)"]),
    ("As shown below, click **Edit**.", ["open Edit"]),
    ("Select the desired **Zone** as shown below.", ["choose 'Zone' in Zone"]),
    ("Check the box next to **Enable HTTPS**.", ["tick Enable HTTPS (check box)"]),
    ("Uncheck the box labeled **Send mail**.", ["untick Send mail (check box)"]),
    ("Make sure the **Alias** checkbox is ticked.", ["tick Alias (checkbox)"]),
    ("Move the **Enabled** switch to the *Yes* position.", ["tick Enabled (switch)"]),
    ("You then add the result by clicking **Add result**.", ["open Add result"]),
    ("Hover over the row and click **Delete**.", ["follow 'row'", "open Delete"]),
    ("Scroll down to **Danger zone** and click **Delete**.", ["open Delete"]),
    ("Either choose a file or paste its address into **URL**.", ["upload 'file'"]),
    ("Use the **Owner** drop-down list to select the owner.", ["field Owner"]),
    ("Use the **Save** button to save your work.", ["open Save (button)"]),
    ("Log in to the dashboard.", ["log_in"]),
    (
        "Select the appropriate project from the drop down menu at the top left.",
        ["switch_project"],
    ),
    (
        "On the **Project** tab, open the **Network** tab and click **Networks** category.",
        ["open Project (tab)", "open Network (tab)", "open Networks (category)"],
    ),
    (
        "In the **Create Router** dialog box, specify a name for the router and "
        "**External Network**, and click **Create Router**.",
        [
            "expect_open Create Router (dialog box)",
            "fill 'name for router'",
            "fill External Network",
            "open Create Router",
        ],
    ),
    (
        "On the **Routers** tab, click the name of the router.",
        ["open Routers (tab)", "follow 'router'"],
    ),
    (
        "The **Router Name** and **Router ID** fields are automatically updated.",
        ["expect_field Router Name (field)", "expect_field Router ID (field)"],
    ),
    ("To allow SSH access, click **Add Rule**.", ["open Add Rule"]),
    (
        "Select the default security group and click **Manage Rules**.",
        ["pick 'default security group'", "open Manage Rules"],
    ),
    (
        "In the **Port to be associated** field, select a port from the list.",
        ["choose 'port' in Port to be associated"],
    ),
    (
        "Select the check boxes for the volumes that you want to delete.",
        ["pick 'volumes' (check box)"],
    ),
    ("Select the volume type or types that you want to delete.", ["pick 'volume type'"]),
    (
        "In the **Actions** column, click the menu button and then select **Edit Image** "
        "from the list.",
        ["open_menu", "open Edit Image (choice)"],
    ),
    (
        "Click **Detach Volume** and confirm your changes.",
        ["open Detach Volume", "confirm 'changes'"],
    ),
    (
        "Click **Create Image**, which opens the **Create An Image** window.",
        ["open Create Image", "expect_open Create An Image (window)"],
    ),
    (
        "In the drop-down list, click **Update** or click **No** in the **Metadata** column.",
        ["open Update"],
    ),
    (
        "In the **Access** tab, you can control access by moving projects.",
        ["open Access (tab)"],
    ),
    (
        "Locate the project you wish to update, and under the **Actions** column click on the drop "
        "down arrow next to the **Manage Members** push button.",
        ["pick 'project'", "open_menu 'project'"],
    ),
    ("Enter `logs` in **Bucket name**.", ["fill Bucket name = logs"]),
    ("For **Storage class**, choose **Standard**.", ["choose = Standard in Storage class"]),
    ("From the **Region** drop-down list, select **Europe**.", ["choose = Europe in Region"]),
    ("Select the **Versioning** check box.", ["tick Versioning (check box)"]),
    ("A message says **Bucket created**.", ["expect_text Bucket created (message)"]),
    (
        "The bucket appears in the list with status **Available**.",
        ["expect_text Available (status)"],
    ),
    ("Optionally, set a **Description**.", ["fill Description?"]),
    ("If you want encryption, select **Encrypt**.", ["open Encrypt (choice)??"]),
    ('Click "Save".', ["open Save"]),
    ("Go to **Products** > **Storage**.", ["open Products (path)", "open Storage (place)"]),
    ("You can use the list to see what is there.", []),
    (
        "In the **Metadata** window, you can customize some metadata keys, then add it to this "
        "flavor and set them values.",
        ["expect_open Metadata (window)?", "set_pair?"],
    ),
    ("Click **More**, and then **Delete**.", ["open More", "open Delete"]),
    (
        "In the step **Name and image**, fill in these fields, then click **Next**.",
        ["expect_open Name and image (step)", "form", "open Next"],
    ),
    (
        "In the first step, **Name and image**, specify the following:",
        ["expect_open Name and image (step)"],
    ),
    (
        "On the second page, **Network**, click **Next**.",
        ["expect_open Network (page)", "open Next"],
    ),
    ("In the first step, enter **web-1** as the name.", ["fill = web-1"]),
    (
        "Select the arrow to the right of the **Edit** push button.",
        ["open_menu"],
    ),
    ("Browse to and select the file that you want to upload.", ["upload", "upload 'file'"]),
    ("Clear this check box to make the image private.", []),
    ("In the address bar, enter the host name.", ["external"]),
    ("The **Logs** tab shows what happened.", ["open Logs (tab)?"]),
    ("Delete everything.", ["unclear 'delete everything'"]),
]


def said(intent: Intent) -> str:
    """An intent in a few words."""
    out = intent.kind.value
    if intent.label:
        out += f" {intent.label.text}"
    elif (
        intent.thing and not intent.value and intent.kind.value not in ("log_in", "switch_project")
    ):
        out += f" '{intent.thing}'"
    if intent.value:
        out += f" = {intent.value.text}"
    if intent.kind.value == "choose" and intent.place.field:
        out += f" in {intent.place.field.text}"
    if intent.noun:
        out += f" ({intent.noun})"
    return out + "?" * intent.is_optional + "??" * intent.is_conditional


def steps_of(text: str, language: str = "en") -> list[Intent]:
    """The intents of one step, without those that ask for nothing."""
    filler = (
        "点击**甲**，然后点击**乙**。" if language == "zh" else "Click **A**, and then click **B**."
    )
    document = parse_document(f"# Title\n\n1. {filler}\n2. {text}\n", "docs/a.md", "markdown")
    procedure = document.procedures[0]
    assert procedure.language == language
    return [i for i in read_procedure(procedure) if i.step == "2" and i.kind != "inform"]


def read(text: str, language: str = "en") -> list[str]:
    """The same in a few words each."""
    return [said(intent) for intent in steps_of(text, language)]


@pytest.mark.parametrize(("text", "intents"), CASES, ids=[c[0][:50] for c in CASES])
def test_a_sentence_is_read(text: str, intents: list[str]) -> None:
    assert read(text) == intents


def test_characters_of_icon_fonts_within_marked_words_stay_as_they_are() -> None:
    """Labels are folded into such characters while a sentence is read."""
    (intent,) = steps_of("Select the instance `web\ue005`.")
    assert intent.value is not None
    assert (intent.kind, intent.value.text) == ("pick", "web\ue005")
