"""One thing that is untrue is one finding, at its own words; what no page can tell is none."""

import pytest

CONFIRMED = """
<h1>Keys</h1>
<table><tr><td>demo-key</td><td><button onclick="document.querySelector('dialog').showModal()">
Disable</button></td></tr></table>
<dialog aria-label="Disable key"><h2>Disable key</h2><p>Nobody can use it then.</p>
<form method="dialog" onsubmit="document.querySelector('output').textContent = 'Disabled'">
<button type="button" onclick="document.querySelector('dialog').close()">Cancel</button>
<button>OK</button></form></dialog>
<output role="status"></output>
"""


async def found(reader, html: str, text: str, **bindings: str) -> list[tuple[str, str, str]]:
    """Kind, quote and what is shown of each divergence."""
    done = await reader.follow(html, text, **bindings)
    return [(d.kind.value, d.quote, d.shown) for _, d in done.divergences()]


@pytest.mark.parametrize(
    "text",
    [
        "1. In the row of the key, click **Disable**, and in the dialog that opens, click **Validate**.",
        "1. In the row of the key, click **Disable**.\n2. In the dialog, click **Proceed**.",
    ],
)
async def test_the_button_of_a_question_that_bears_another_name_is_a_rename(reader, text):
    ((kind, _, shown),) = await found(reader, CONFIRMED, text, key="demo-key")
    assert (kind, shown) == ("renamed_label", 'the button is called "OK"')


ASKS = """
<h1>Databases</h1>
<dialog aria-label="Delete database"><h2>Delete database</h2>
<form method="dialog" onsubmit="document.querySelector('output').textContent = 'Deleted'">
<label><input type="checkbox" onchange="document.querySelector('#go').disabled = !this.checked">
I have a copy</label>
<button id="go" disabled>Delete</button></form></dialog><output role="status"></output>
<script>document.querySelector('dialog').showModal()</script>
"""
TICKS = "1. In the **Delete database** dialog, select the check box **{}**.\n2. Click **Delete**."


async def test_what_a_form_needs_is_told_once_where_the_text_calls_it_otherwise(reader):
    ((kind, quote, _),) = await found(reader, ASKS, TICKS.format("Import from CSV"))
    assert (kind, quote) == ("missing_control", "Import from CSV")


async def test_what_a_form_needs_is_told_where_the_text_calls_nothing_otherwise(reader):
    ((kind, quote, shown),) = await found(reader, ASKS, "1. Click **Delete**.")
    assert (kind, quote) == ("missing_step", "Delete")
    assert '"I have a copy" must be ticked' in shown
