"""What the overview offers to who has just begun, and that it can be copied."""

from pathlib import Path

import pytest
from playwright.async_api import expect
from selectolax.lexbor import LexborHTMLParser

from appliance.config import ConsoleSettings, DocumentationSettings, Settings
from appliance.server.dashboard.overview import first_steps

LAB = {"lab": ConsoleSettings(kind="generic", url="https://lab.example/")}
COMMANDS = [
    "appliance init",
    "appliance doctor",
    "appliance procedures docs/",
    "appliance verify docs/",
    "appliance serve",
]


@pytest.mark.parametrize(
    ("accept", "title"), [("en", "Your own console"), ("zh", "您自己的控制台")]
)
async def test_without_a_console_of_ones_own_they_begin_with_init(local, accept, title):
    answer = await local.get("/", headers={"Accept": "text/html", "Accept-Language": accept})
    page = LexborHTMLParser(answer.text)
    assert page.css_first("#first").text() == title
    assert [code.text() for code in page.css(".first-steps .command code")] == COMMANDS


def test_they_end_with_the_first_verdict_on_it():
    docs = DocumentationSettings(paths=(Path("/srv/my docs"),))
    own = Settings(console="lab", consoles=LAB, documentation=docs)
    assert [step.command for step in first_steps(own, has_run=False)] == [
        "appliance doctor",
        "appliance procedures '/srv/my docs'",
        "appliance verify '/srv/my docs'",
    ]
    assert first_steps(own, has_run=True) == ()
    assert len(first_steps(Settings(), has_run=True)) == len(COMMANDS)


async def test_a_command_is_copied_by_a_click(address, browser):
    context = await browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = await context.new_page()
    await page.goto(address)
    button = page.locator(".first-steps .command", has_text="appliance init").get_by_role("button")
    await button.click()
    await expect(button).to_have_text("Copied")
    assert await page.evaluate("navigator.clipboard.readText()") == "appliance init"
    await context.close()
