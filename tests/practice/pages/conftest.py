"""A practice cloud that offers the laboratory only, and visitors of it."""

from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import expect

from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

TIMEOUT_MS = 8_000
LABORATORY = Path(__file__).parent / "laboratory.yaml"


class Visitor:
    """A page of the laboratory, and the API beside it."""

    def __init__(self, page, api, running):
        self.page, self.api, self.url, self.password = page, api, running.url, running.password
        self.complaints = []
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, said):
        # Chromium reports every answer that refuses something.
        if said.type == "error" and "responded with a status of 4" not in said.text:
            self.complaints.append(said.text)

    async def log_in(self, name="alice", *, greeted=True):
        page = self.page
        await page.goto(f"{self.url}/login")
        await page.locator("#username").fill(name)
        await page.locator("#password").fill(self.password)
        await page.locator("form button").click()
        await page.locator("main h1").wait_for()
        if greeted:
            await page.evaluate("sessionStorage.setItem('onboarding-lab', 'seen')")

    async def go(self, address):
        await self.page.goto(f"{self.url}/console/lab/{address}")
        await self.page.locator("main h1").wait_for()

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def row(self, name):
        link = self.page.get_by_role("link", name=name, exact=True)
        return self.page.locator("tbody tr").filter(has=link)

    async def names(self, *expected):
        await expect(self.page.locator("tbody tr:not(.skeleton) th")).to_have_text(list(expected))

    def make(self, collection, region="north", **values):
        headers = {"x-practice-region": region}
        answer = self.api.post(f"/api/lab/{collection}", json=values, headers=headers)
        assert answer.status_code == 201, answer.text
        return answer.json()


@pytest.fixture(scope="session")
def laboratory(offering):
    with serving(PracticeSettings(settle_s=0.3), offered=offering("lab", LABORATORY)) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def visitor(browser, laboratory):
    """A visitor who is not logged in yet; their account, alice's, has nothing."""
    auth = ("alice", laboratory.password)
    with httpx.Client(base_url=laboratory.url, auth=auth, trust_env=False) as api:
        assert api.post("/api/accounts/alice/reset").is_success
        context = await browser.new_context(locale="en-US", timezone_id="UTC")
        visitor = Visitor(await context.new_page(), api, laboratory)
        yield visitor
        await context.close()
    assert visitor.complaints == []
