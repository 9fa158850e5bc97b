"""A practice cloud that offers the workshop only, and a visitor who is logged in."""

from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

TIMEOUT_MS = 8_000
WORKSHOP = Path(__file__).parent / "workshop.yaml"


class Visitor:
    """A page of the workshop, and the API beside it."""

    def __init__(self, page, api):
        self.page, self.api = page, api
        self.url = str(api.base_url).rstrip("/")
        self.complaints = []
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, said):
        # Chromium reports every answer that refuses something.
        if said.type == "error" and "responded with a status of 4" not in said.text:
            self.complaints.append(said.text)

    async def go(self, address):
        await self.page.goto(f"{self.url}/console/workshop/{address}")
        await self.page.locator("main h1").wait_for()

    def field(self, name):
        return self.page.locator(f"[data-field={name}]")

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def items(self, collection):
        return self.api.get(f"/api/workshop/{collection}").json()["items"]

    def make(self, collection, **values):
        answer = self.api.post(f"/api/workshop/{collection}", json=values)
        assert answer.status_code == 201, answer.text
        return answer.json()


@pytest.fixture(scope="session")
def workshop(offering):
    with serving(PracticeSettings(settle_s=0.5), offered=offering("workshop", WORKSHOP)) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def visit(browser, workshop):
    """`await visit(locale, name)` gives a visitor who is logged in, with an empty account."""
    visitors, contexts, clients = [], [], []

    async def log_in(locale="en-US", name="alice"):
        client = httpx.Client(
            base_url=workshop.url, auth=(name, workshop.password), trust_env=False, timeout=10
        )
        clients.append(client)
        assert client.post(f"/api/accounts/{name}/reset").status_code == 204
        context = await browser.new_context(locale=locale, viewport={"width": 1280, "height": 900})
        contexts.append(context)
        form = {"username": name, "password": workshop.password}
        await context.request.post(f"{workshop.url}/login", form=form, max_redirects=0)
        visitors.append(Visitor(await context.new_page(), client))
        return visitors[-1]

    yield log_in
    for context in contexts:
        await context.close()
    for client in clients:
        client.close()
    assert [v.complaints for v in visitors if v.complaints] == []
